import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { eventNames } from '../../../../source/workflows/playbook/state/events.js'

// The table of events of docs/playbook.md ("Events"), the list in the code, and what the code writes are the same.

const workflow = 'source/workflows/playbook'
const texts = readdirSync(workflow, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts') && path !== join('state', 'events.ts'))
  .map((path) => readFileSync(join(workflow, path), 'utf8'))
  .join('\n')

/** Events of flags that are refused until they are there (docs/playbook.md, "Flags"). */
const notThereYet = /^(?:discuss|context_mapping)_/

const rows = readFileSync('docs/playbook.md', 'utf8')
  .split('\n## ')
  .find((section) => section.startsWith('Events\n'))
  ?.matchAll(/^\| `([a-z_]+)` \|/gm)
const inTable = [...(rows ?? [])].map(([, name]) => name)

test('the table names every event once, in the order of the list', () => {
  expect(inTable).toEqual([...eventNames])
})

test.each(eventNames.filter((name) => !notThereYet.test(name)))('%s is written', (name) => {
  expect(texts).toMatch(new RegExp(`(?:event: |\\? |: )'${name}'`))
})

test.each(eventNames.filter((name) => notThereYet.test(name)))('%s is written by nothing yet', (name) => {
  expect(texts).not.toContain(`'${name}'`)
})
