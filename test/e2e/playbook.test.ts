import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createProject, type TestProject } from '../support/project.js'
import { openTerminal } from '../support/terminal.js'
import { finished } from './demo-answers.js'
import { answer, play, waitForGate } from './journey.js'

// A roadmap of three phases by keys, in a real terminal: one is done already, one is mended in a cycle, one waits for a
// person, who first finds something and then passes it.

const row = (screen: string, words: string) =>
  screen.split('\n').find((line) => line.includes(words)) ?? `no line with ${words}`

async function archivedFile(project: TestProject, name: string): Promise<unknown> {
  const archive = 'list/.autopilot/archive'
  const names = await readdir(project.path(archive), { recursive: true })
  const found = names.find((path) => path.endsWith(name))
  return JSON.parse(await project.read(join(archive, found ?? name)))
}

test('the demo of the playbook: picked, left at the verdict, read, mended after a verdict, completed', async () => {
  const project = await createProject({ git: false })
  const env = { ...project.env, AUTOPILOT_REHEARSAL_PACE: '0' }
  const argv = ['demo', 'list', '--workflow', 'playbook']

  const first = openTerminal({ argv, cwd: project.dir, env, cols: 80, rows: 24 })
  const picked = await waitForGate(first, 'Q-PICK', 60_000)
  expect(picked.options).toEqual(['all', 'next', 'named', 'stop'])
  await answer(first, { choose: 'all' })
  // The first phase is only verified, the second one comes short of the threshold once.
  const mending = await first.waitFor('Mend what phase 2 lacks', { timeoutMs: 300_000 })
  expect(row(mending, '1 Shelf')).toMatch(/✓ 1 Shelf +complete +9\.6 excellence/)
  expect(mending).toContain('threshold 9.0')
  await waitForGate(first, 'Q-VERDICT', 300_000)
  expect(first.screen()).toContain('Task 03-02: Look at the report in a terminal')
  await first.press('q')
  expect(await first.exit).toEqual({ code: 3, signal: 0 })

  // Back in a larger terminal: everything is as it was, and there is something to read before the verdict.
  const second = openTerminal({ argv, cwd: project.dir, env, cols: 120, rows: 40 })
  await waitForGate(second, 'Q-VERDICT', 60_000)
  const waiting = second.screen()
  expect(row(waiting, '✓ 2 Progress')).toMatch(/✓ 2 Progress +complete +9\.3 good/)
  expect(row(waiting, '○ 3 Report')).toMatch(/3 Report +waiting +9\.1 good/)
  for (const step of ['PREFLIGHT', 'TRIAGE', 'RESEARCH', 'PLAN-CHECK', 'EXECUTE', 'VERIFY', 'JUDGE'])
    expect(waiting).toMatch(new RegExp(`✓ ${step} +done`))
  expect(waiting).toMatch(/✓ 03-01 .+\[verified\] complete/)
  expect(waiting).toMatch(/○ 03-02 .+\[for a person\] pending/)
  await second.press('right')
  await second.waitFor('back to the question')
  await second.press('right')
  await second.waitFor('.planning/phases/03-report/PLAN.md')
  const shown = ['Aggregate: 9.1/10 (good)', 'Divergence Analysis', 'Automated Checks']
  for (const words of shown) {
    await second.press('v')
    await second.waitFor(words)
  }
  await second.press('escape')
  await waitForGate(second, 'Q-VERDICT')
  await answer(second, { choose: 'issues', text: 'say what a full bar means' })
  await second.waitFor('Mend what phase 3 lacks', { timeoutMs: 120_000 })
  expect(await play(second, { 'Q-VERDICT': { choose: 'pass' } }, finished, 300_000)).toEqual(['Q-VERDICT'])
  await second.press('enter')
  expect(await second.exit).toEqual({ code: 0, signal: 0 })
  // The closing page tells of the whole run, and lies where it says.
  const printed = second.everything()
  expect(printed).toContain('feat(2): 02-01 - tell the progress of a book')
  const [, page = ''] = /This page: (\S+)/.exec(printed) ?? []
  expect(await project.read(join('list', page))).toContain('feat(2): 02-01 - tell the progress of a book')

  expect(
    (await project.git('-C', project.path('list'), 'log', '--reverse', '--format=%s')).split('\n'),
  ).toEqual([
    'A shelf of books',
    'Plan what the reading list is to do',
    'docs(phase-1): artifacts',
    'feat(2): 02-01 - tell the progress of a book',
    'fix(2): R1 - mend what was found',
    'docs(phase-2): artifacts',
    'feat(3): 03-01 - print a line for each book',
    'fix(3): debug 1 - put right what a check showed',
    'docs(phase-3): artifacts',
    'fix(3): R1 - note what a person saw',
    'docs(phase-3): artifacts',
    // With the tick of the phase that a person has passed.
    'docs(phase-3): artifacts',
  ])
  expect(await project.git('-C', project.path('list'), 'status', '--porcelain')).toBe('')
  expect(await project.read('list/wishes.md')).toContain('- say what a full bar means')
  expect(await project.read('list/.planning/ROADMAP.md')).toContain('- [x] **Phase 3: Report**')
  expect(await archivedFile(project, 'metrics.json')).toMatchObject([
    { phases_attempted: 3, phases_succeeded: 3, phases_failed: 0, total_replan_attempts: 0 },
  ])
})
