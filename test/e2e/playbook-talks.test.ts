import { expect, test } from 'vitest'
import { createProject } from '../support/project.js'
import { openTerminal } from '../support/terminal.js'
import { answer, waitForGate } from './journey.js'

// Questions first, by keys: what is missing to know is asked about, and nothing is run.

test('--map in a terminal: by a choice, in words, enough; then it is over', async () => {
  const project = await createProject({ git: false })
  const env = { ...project.env, AUTOPILOT_REHEARSAL_PACE: '0' }
  const argv = ['demo', 'list', '--workflow', 'playbook', '--map']
  const terminal = openTerminal({ argv, cwd: project.dir, env, cols: 100, rows: 30 })
  const first = await waitForGate(terminal, 'Q-DISCUSS', 60_000)
  expect(first.options).toEqual([
    'that it is easy to read',
    'that it takes any input',
    'in your words',
    'leave open',
    'enough',
    'stop',
  ])
  expect(terminal.screen()).toContain('question 1 of 1')
  await answer(terminal, { choose: 'that it takes any input' })
  await terminal.waitFor('Phase 2 Progress: question', { timeoutMs: 60_000 })
  await waitForGate(terminal, 'Q-DISCUSS', 60_000)
  await answer(terminal, { choose: 'in your words', text: 'speed' })
  await terminal.waitFor('Phase 3 Report: question', { timeoutMs: 60_000 })
  await waitForGate(terminal, 'Q-DISCUSS', 60_000)
  await answer(terminal, { choose: 'enough' })
  await terminal.waitFor('No phase was run', { timeoutMs: 60_000 })
  await terminal.press('q')
  expect((await terminal.exit).code).toBe(0)
  const kept = JSON.parse(await project.read('list/.autopilot/context-map.json')) as {
    phases: Record<string, { questions: { answer: string | null }[] }>
  }
  expect(
    Object.values(kept.phases).map(({ questions }) => questions.map(({ answer: said }) => said)),
  ).toEqual([['that it takes any input'], ['speed'], []])
})
