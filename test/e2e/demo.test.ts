import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { findMarked } from '../../source/processes/process-marker.js'
import { createProject, type TestProject } from '../support/project.js'
import { openTerminal } from '../support/terminal.js'
import { demoAnswers, finished } from './demo-answers.js'
import { answer, eventually, type JournalLine, journalOf, play, waitForGate } from './journey.js'
import { expectFinishedFiles } from './session-files.js'

// `autopilot demo`, by keys, in a real terminal: the first "done when" of the product.

const slug = 'changes--watering-plan--proposal'

async function nothingAlive(lines: readonly JournalLine[]): Promise<void> {
  const runIds = lines.filter((line) => line.type === 'opened').map((line) => String(line.runId))
  expect(runIds.length).toBeGreaterThan(0)
  for (const runId of runIds) {
    await eventually(
      async () => ((await findMarked(runId)).length === 0 ? true : undefined),
      `the processes of run ${runId} to be gone`,
    )
  }
}

const subjects = async (project: TestProject, dir: string) =>
  (await project.git('-C', dir, 'log', '--reverse', '--format=%s')).split('\n')

test('the demo runs to DONE by keys, through a resize, a hold, and a stop with a return', async () => {
  const project = await createProject({ git: false })
  const env = { ...project.env, AUTOPILOT_REHEARSAL_PACE: '0' }
  const dir = join(project.dir, 'windowsill')
  const journal = join(dir, '.harness/sessions', slug, 'journal.jsonl')
  const first = openTerminal({ argv: ['demo', 'windowsill'], cwd: project.dir, env, cols: 80, rows: 24 })

  // Held while an agent works: it comes to its end, then nothing starts until the run is released.
  await first.waitFor('● running', { timeoutMs: 60_000 })
  await first.press('p')
  await first.waitFor('HELD', { timeoutMs: 60_000 })
  expect(first.screen()).not.toContain('● running')
  expect((await journalOf(journal)).at(-1)?.type).toBe('held')
  await first.press('p')
  await first.waitForGone('HELD')
  await eventually(
    async () => ((await journalOf(journal)).some((line) => line.type === 'released') ? true : undefined),
    'the release to be journalled',
  )

  // The verifier of the first phase rewords the spec: named, and put back.
  await waitForGate(first, 'Q-TOUCHED', 120_000)
  expect(first.screen()).toContain('harness-verifier changed what it was not to change')
  expect(first.screen()).toContain('docs/changes/watering-plan/proposal.md (changed)')
  await answer(first, { choose: 'put back' })

  // The first roadmap question, at three sizes; a size change alone answers nothing.
  await waitForGate(first, 'Q-ROADMAP', 120_000)
  for (const [cols, rows] of [
    [60, 15],
    [120, 40],
    [80, 24],
  ] as const) {
    first.resize(cols, rows)
    const screen = await first.waitFor(
      (now) => now.includes('Q-ROADMAP') && now.split('\n').every((line) => line.length <= cols),
    )
    expect(screen.split('\n').length).toBeLessThan(rows)
    expect(screen).toContain('apply')
  }
  await waitForGate(first, 'Q-ROADMAP')
  await answer(first, { choose: 'apply' })

  // Stopped at the plan gate of the second phase, and back in a new process.
  const before = await play(first, demoAnswers, (screen) => screen.includes('Pausing for review -- Phase 2'))
  expect(before).toEqual(['Q-NEXT'])
  await waitForGate(first, 'Q-APPROVE')
  await first.press('q')
  expect(await first.exit).toEqual({ code: 3, signal: 0 })
  expect(first.alternate()).toBe(false)
  expect(first.everything()).toContain('Stopped in APPROVE_PLAN, phase 2 of 3: Watering week')
  expect(first.count('\u001b[3J')).toBe(0)
  await nothingAlive(await journalOf(journal))
  expect(existsSync(join(dir, '.harness/sessions', slug, 'lock.json'))).toBe(false)

  const second = openTerminal({ argv: ['demo', 'windowsill'], cwd: project.dir, env, cols: 120, rows: 40 })
  await waitForGate(second, 'Q-APPROVE', 30_000)
  expect(second.screen()).toContain('── While you were away ')
  expect(second.screen()).toContain('It was left in APPROVE_PLAN.')
  await second.press('t')
  await second.waitFor('Resuming from state APPROVE_PLAN, phase 2: Watering week.')
  await second.press('t')
  const asked = await play(second, demoAnswers, finished, 240_000)
  expect(asked).toEqual(['Q-APPROVE', 'decision', 'human-verify', 'Q-NEXT', 'Q-REVIEW', 'Q-ROADMAP', 'Q-PR'])
  expect(second.screen()).toContain('Total: 3 phases, 9 tasks, 1 retry')
  await second.press('enter')
  expect(await second.exit).toEqual({ code: 0, signal: 0 })
  expect(second.alternate()).toBe(false)
  expect(second.everything()).toContain('finished.')
  expect(second.count('\u001b[3J')).toBe(0)

  const state = await expectFinishedFiles(dir, slug)
  expect(state.phases.map((phase) => phase.status)).toEqual(['complete', 'complete', 'complete'])
  expect(state.finalReview.status).toBe('passed')
  expect(state.history.map((entry) => entry.retriesUsed)).toEqual([1, 0, 0])
  expect(state.decisions.map((entry) => entry.decision)).toEqual([
    'auto_approved_plan',
    'stopped',
    'approved_plan',
    'checkpoint_decision',
    'checkpoint_confirmed',
    'auto_approved_plan',
  ])
  expect(state.decisions.find((entry) => entry.decision === 'checkpoint_decision')?.choice).toMatch(/room/i)

  expect(await project.git('-C', dir, 'log', '--format=%s', '--', 'docs/changes')).toBe(
    'Approve the watering plan',
  )
  expect(await project.git('-C', dir, 'diff', 'HEAD', '--stat', '--', 'docs/changes')).toBe('')

  const log = await subjects(project, dir)
  expect(log.filter((subject) => subject.startsWith('[autopilot]'))).toEqual([
    '[autopilot] Checkpoint 1: Choose the order of the list',
    '[autopilot] Checkpoint 2: Draw the week',
  ])
  expect(await project.git('-C', dir, 'ls-files', '.harness/sessions')).toBe('')
  await nothingAlive(await journalOf(journal))

  // A finished session is shown again, not run again.
  const third = openTerminal({ argv: ['demo', 'windowsill'], cwd: project.dir, env })
  await waitForGate(third, 'Q-DONE', 30_000)
  expect(third.screen()).toContain('Total: 3 phases, 9 tasks, 1 retry')
  await answer(third, { choose: 'close' })
  expect(await third.exit).toEqual({ code: 0, signal: 0 })
  expect(await subjects(project, dir)).toEqual(log)
})
