import { expect, test } from 'vitest'
import { chooseOnScreen } from '../../source/commands/start-screen.js'
import type { StartChoice, StartData, Ui } from '../../source/ui/ui.js'
import { registry } from '../../source/workflows/registry.js'
import { createProject } from '../support/project.js'

// The start screen between what a person types and what is worked on.

test('a path that is none is told on the list, which nobody is sent away to', async () => {
  const project = await createProject({ files: { 'docs/mail.md': '# Mail\n' } })
  const shown: StartData[] = []
  const answers: StartChoice[] = [
    { kind: 'subject', path: 'nosuch.txt' },
    { kind: 'subject', path: 'docs/mial.md' },
    { kind: 'quit' },
  ]
  const choose = async (data: StartData) => {
    shown.push(data)
    return answers[shown.length - 1] as StartChoice
  }
  const ui = { choose, busy: () => undefined } as unknown as Ui
  const chosen = await chooseOnScreen(
    { root: project.dir, entries: registry },
    { cwd: project.dir, ui, onShown: () => undefined },
  )
  expect(chosen).toBeUndefined()
  const told = shown.map(({ notices }) => notices?.at(-1))
  expect(told).toEqual([
    undefined,
    'Give the path of an approved spec, or choose what is in the list.',
    expect.stringContaining('docs/mail.md'),
  ])
})
