import { expect, test } from 'vitest'
import { commandOf, withDetected } from '../../../../source/workflows/playbook/records/detected-project.js'

const detected = {
  type: 'nodejs',
  manifest: 'package.json',
  commands: { compile: 'npx tsc --noEmit', test: 'npm test', lint: null, build: null },
}
const written = (config: unknown) => {
  const text = withDetected(config === undefined ? undefined : JSON.stringify(config), detected)
  return text === undefined ? undefined : JSON.parse(text)
}

test('what was detected is written, and every other key stays', () => {
  const project = { ...detected, commands_source: 'auto-detected' }
  expect(written(undefined)).toEqual({ project })
  expect(written({ mode: 'yolo', project: { ui: { source_dir: 'ui' } } })).toEqual({
    mode: 'yolo',
    project: { ...project, ui: { source_dir: 'ui' } },
  })
})

test('commands of a person stay as they are, also those that they left out', () => {
  const commands = { test: 'make check', lint: null }
  expect(written({ project: { commands } })).toEqual({
    project: { type: 'nodejs', manifest: 'package.json', commands, commands_source: 'user-override' },
  })
})

test('nothing is written where all four are there, where it says so already, and into what is no object', () => {
  const all = { compile: null, test: 'x', lint: 'y', build: null }
  expect(written({ project: { commands: all } })).toBeUndefined()
  const once = written(undefined)
  expect(written(once)).toBeUndefined()
  for (const text of ['[]', '{', '3']) expect(withDetected(text, detected)).toBeUndefined()
})

test('the indent of the file stays', () => {
  expect(withDetected('{\n    "mode": 1\n}', detected)).toContain(
    '\n    "mode": 1,\n    "project": {\n        "type"',
  )
})

test.each([
  ['said by a person', 'make', 'npm run x', undefined, 'make'],
  ['a person says that there is none', null, 'npm run x', undefined, null],
  ['not said', undefined, 'npm run x', undefined, 'npm run x'],
  ['detected before, and there is one now', null, 'npm run x', 'auto-detected', 'npm run x'],
  ['detected before', 'npm run old', 'npm run x', 'auto-detected', 'npm run old'],
])('a command: %s', (_, said, found, source, expected) => {
  expect(commandOf(said, found, source)).toBe(expected)
})
