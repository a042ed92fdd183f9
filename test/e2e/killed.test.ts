import { readFile, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { agentsGone, createSubject, doubled, outcomeOf, records, specPath } from '../crash/crash-run.js'
import { createProject } from '../support/project.js'
import { openTerminal } from '../support/terminal.js'
import { type Policy, play } from './journey.js'

// The built program on its screen, killed at every n-th line of the journal and taken up again until it is done.

const preload = fileURLToPath(new URL('../support/kill-at-line.mjs', import.meta.url))
const apprentice = fileURLToPath(new URL('../fixtures/fake-agents/apprentice.mjs', import.meta.url))

const policy: Policy = {
  'Q-TRUST': { choose: 'yes' },
  'human-verify': { choose: 'confirm' },
  decision: { choose: 'by age' },
  'Q-APPROVE': { choose: 'yes' },
  'Q-REVIEW': { choose: 'fix' },
  'Q-NEXT': { choose: 'yes' },
  'Q-PR': { choose: 'no' },
}

test('killed again and again on its screen, a run comes to the same end; no question is asked twice', async () => {
  const project = await createProject({ git: false })
  const workshop = { driver: '', env: project.env }
  await createSubject(workshop, project.dir)
  const dir = await realpath(project.dir)
  const marks = join(project.root, 'marks')
  const env = {
    ...project.env,
    NODE_OPTIONS: `--import ${preload}`,
    KILL_MARKS: marks,
    KILL_MODES: 'after',
    KILL_EVERY: '19',
  }
  const asked: string[] = []
  let killed = 0
  for (;;) {
    const terminal = openTerminal({
      argv: [specPath, '--agent', `command:${process.execPath} ${apprentice}`],
      cwd: dir,
      env,
    })
    const wanted = (screen: string) => screen.includes('── Finished')
    const playing = play(terminal, policy, wanted, 120_000).then(
      (gates) => ({ gates }),
      (error: unknown) => ({ error }),
    )
    const first = await Promise.race([playing, terminal.exit])
    if ('gates' in first) {
      asked.push(...first.gates)
      await terminal.press('enter')
      expect(await terminal.exit).toEqual({ code: 0, signal: 0 })
      break
    }
    if ('error' in first && !String(first.error).includes('the program ended')) throw first.error
    expect((await terminal.exit).signal).toBe(9)
    killed += 1
    await agentsGone(dir)
  }
  expect(killed).toBeGreaterThanOrEqual(10)
  const all = await records(dir)
  expect(doubled(all)).toEqual([])
  const gates = all.flatMap((record) => (record.type === 'answered' ? [record.questionId] : []))
  expect(gates).toEqual([...new Set(gates)])
  const outcome = await outcomeOf(workshop, dir)
  expect(outcome.state).toMatchObject({
    currentState: 'DONE',
    history: [{ retriesUsed: 3 }, { retriesUsed: 0 }],
    finalReview: { status: 'passed' },
  })
  expect((outcome.commits as { subject: string }[]).map(({ subject }) => subject)).toEqual([
    'Approve the seeds',
    'feat: box',
    'feat: sieve',
    '[autopilot] Checkpoint 1: label',
    'feat: label',
    '[autopilot] Checkpoint 2: order',
    'feat: order',
    'fix: work/box.txt',
    'feat: list',
  ])
  expect((await readFile(marks, 'utf8')).match(/^after /gm)).toHaveLength(killed)
})
