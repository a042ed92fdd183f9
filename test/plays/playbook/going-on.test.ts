import { readFileSync } from 'node:fs'
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { openSession } from '../../../source/sessions/open-session.js'
import { ownIdentity } from '../../../source/storage/lock-owner.js'
import { playbookWorkflow } from '../../../source/workflows/playbook/workflow.js'
import type { TestProject } from '../../support/project.js'
import { honest, roadmapOf, verification } from './roles.js'
import { type Act, createStage, type PlayOptions, play } from './stage.js'

// What is done with the run that a start finds: one play for each row of docs/playbook.md, "Going on".

const one = { '.planning/ROADMAP.md': roadmapOf(1) }
const slow = { timeout: 240_000 }
const state = '.autopilot/state.json'
const backup = `${state}.backup`

/** Records after which research has ended and the plan has not, in the usual run. */
const inTheMiddle = 40

const crashing: PlayOptions = { acts: { research: () => ({ failed: 'crash' }) } }

async function runs(project: TestProject, options: PlayOptions) {
  const played = await play(project, options)
  return { ...played, ended: played.state?._meta.status }
}

const rows: Record<string, (project: TestProject) => Promise<void>> = {
  'unreadable, and its backup can be read: the backup, brought forward': async (project) => {
    const first = await runs(project, { stopAfter: inTheMiddle })
    await writeFile(project.path(state), '{"half')
    const second = await runs(project, {})
    expect(second.asked).toEqual([])
    expect(second.ended).toBe('completed')
    expect(second.order).not.toContain(first.order[0])
  },
  'unreadable, and its backup too: rebuilt from the journal, or archived': async (project) => {
    await mkdir(project.path('.autopilot'), { recursive: true })
    for (const path of [state, backup]) await writeFile(project.path(path), '{"half')
    const played = await runs(project, { askFirst: () => ({ value: 'archive' }) })
    expect(played.gates).toEqual(['Q-BROKEN'])
    expect(played.ended).toBe('completed')
    const names = await readdir(project.path('.autopilot/archive'))
    const kept = names.find((name) => name.startsWith('playbook-'))
    expect(await project.read(`.autopilot/archive/${kept}/state.json`)).toBe('{"half')
  },
  'no state and no backup, but the journal: rebuilt from it': async (project) => {
    const first = await runs(project, { stopAfter: inTheMiddle })
    for (const path of [state, backup]) await rm(project.path(path), { force: true })
    const second = await runs(project, { askFirst: () => ({ value: 'rebuild' }) })
    expect(second.gates).toEqual(['Q-REBUILD'])
    expect(second.ended).toBe('completed')
    expect(second.order).not.toContain(first.order[0])
  },
  'a journal, and no state has been saved yet: what was typed first counts, and so does every answer; other words are asked about (`Q-RESUME`), unless nothing was said and nothing picked yet':
    async (project) => {
      const isWritten = (type: string) => (written: readonly unknown[]) =>
        (written[0] as { type?: string }).type === type
      const first = await runs(project, {
        selectors: [],
        answers: { 'Q-PICK': { value: 'named', text: '1' } },
        stopWhen: isWritten('answered'),
      })
      expect([first.gates, first.state]).toEqual([['Q-PICK'], null])
      const asked = await runs(project, { selectors: ['next'], answers: { 'Q-RESUME': 'stop' } })
      expect([asked.gates, asked.order]).toEqual([['Q-RESUME'], []])
      const second = await runs(project, { selectors: ['resume'] })
      expect([second.gates, second.ended]).toEqual([[], 'completed'])
    },
  'completed, and not archived yet: archived, and a new run begins': async (project) => {
    await runs(project, { diesAtEnd: true })
    const second = await runs(project, { selectors: ['1'], flags: { force: true }, answers: {}, acts: again })
    expect(second.asked).toEqual([])
    expect(second.order).toContain('1 research')
  },
  'running, and its process is alive: refused': async (project) => {
    await runs(project, { stopAfter: inTheMiddle })
    const place = await playbookWorkflow.locate(project.dir, '.planning')
    const at = { root: project.dir, workflow: playbookWorkflow, place }
    const held = await openSession(at, async () => 'quit')
    if (held.kind !== 'ready') throw new Error('the session cannot be taken')
    try {
      const second = await runs(project, { askFirst: () => 'quit' })
      expect(second.gates).toEqual(['Q-LOCK'])
      expect(second.closed?.exitCode).toBe(3)
      expect(second.order).toEqual([])
    } finally {
      await held.store.close()
    }
  },
  'running, and locked by another machine: asked, never stolen': async (project) => {
    const first = await runs(project, { stopAfter: inTheMiddle })
    const owner = { ...(await ownIdentity()), hostname: 'elsewhere', pid: 999_999_999 }
    const left = {
      ...owner,
      lockId: 'of-elsewhere',
      epoch: 7,
      version: '0',
      acquiredAt: '2026-01-01T00:00:00Z',
    }
    const lock = '.autopilot/lock.json'
    await project.write(lock, JSON.stringify(left))
    const asked = await runs(project, { askFirst: () => ({ value: 'close' }) })
    expect(asked.gates).toEqual(['Q-LOCK'])
    expect(asked.asked[0]?.body.join(' ')).toContain('Host elsewhere')
    expect(asked.closed?.exitCode).toBe(3)
    expect(JSON.parse(await project.read(lock))).toEqual(left)
    const mistyped = ['of-else', undefined]
    const refused = await runs(project, {
      askFirst: () => {
        const text = mistyped.shift()
        return text === undefined ? { value: 'close' } : { value: 'unlock', text }
      },
    })
    expect(refused.gates).toEqual(['Q-LOCK', 'Q-LOCK'])
    expect(refused.asked.map(({ body }) => body.some((line) => line.includes('not the whole id')))).toEqual([
      false,
      true,
    ])
    const taken = await runs(project, { askFirst: () => ({ value: 'unlock', text: 'of-elsewhere' }) })
    expect(taken.ended).toBe('completed')
    expect(taken.order).not.toContain(first.order[0])
  },
  'running, and nobody has it: from the exact step and task': async (project) => {
    const first = await runs(project, { stopAfter: inTheMiddle })
    expect(first.state._meta.status).toBe('running')
    const second = await runs(project, {})
    expect(second.asked).toEqual([])
    expect(second.ended).toBe('completed')
    const all = [...first.order, ...second.order]
    expect(all.filter((line) => line === '1 research')).toHaveLength(1)
  },
  'running, without a journal: taken over if a person says so, from the step that it names': async (
    project,
  ) => {
    const dies: Act = (dispatch) => {
      dispatch.stop()
      return { failed: 'crash' }
    }
    await runs(project, { acts: { verification: dies } })
    const found = await project.read(state)
    const { tasks } = (
      JSON.parse(found) as { phases: { phase_1: { steps: { execute: { tasks: object } } } } }
    ).phases.phase_1.steps.execute
    expect(Object.keys(tasks)).toEqual(['01-01'])
    await rm(project.path('.autopilot'), { recursive: true })
    await project.write(state, found)
    const second = await runs(project, {
      askFirst: (question) => ({ value: question.gate === 'Q-REMOVED' ? 'anew' : 'adopt' }),
    })
    expect(second.gates).toEqual(['Q-REMOVED', 'Q-ADOPT'])
    expect(second.ended).toBe('completed')
    expect(second.order[0]).toBe('1 verification')
  },
  'paused: the breaker first, then the exact step': async (project) => {
    const limits = { max_debug_attempts_per_phase: 6, cooldown_minutes: 60 }
    const settings = JSON.stringify({ verification_min_seconds: 0, circuit_breaker: limits })
    await project.commit('limits', { '.planning/config.json': settings })
    const ugly: Act = ({ order }) => verification(order, { pass: false, failures: ['it is ugly'] })
    const debug: Act = () => ({
      fixed: false,
      changes: [],
      commits: [],
      remaining_issues: ['it is ugly'],
      failure_categories: [],
    })
    const first = await runs(project, { acts: { verification: ugly, debug } })
    expect(first.gates).toEqual(['Q-BREAKER'])
    expect(first.state._meta.status).toBe('paused')
    const paused = await project.read(state)
    const second = await runs(project, { acts: { debug }, answers: { 'Q-BREAKER': 'override' } })
    expect(second.gates).toEqual(['Q-BREAKER'])
    expect(second.order[0]).toBe('1 debug')
    expect(second.ended).toBe('completed')
    // The same where only the state file is left of it.
    await rm(project.path('.autopilot'), { recursive: true })
    await project.write(state, paused)
    const third = await runs(project, {
      askFirst: (question) => ({ value: question.gate === 'Q-REMOVED' ? 'anew' : 'adopt' }),
    })
    expect(third.gates).toEqual(['Q-ADOPT', 'Q-BREAKER'])
    expect(third.order).toEqual([])
  },
  'any of these, and what was typed means another run: asked first (`Q-RESUME`): gone on with, or archived as it is and another one begins':
    async (project) => {
      const first = await runs(project, { stopAfter: inTheMiddle })
      const typed = { selectors: ['new'], flags: {} }
      const second = await runs(project, { typed, askFirst: () => ({ value: 'resume' }), stopAfter: 1 })
      expect(second.gates).toEqual(['Q-RESUME'])
      expect(second.state._meta.run_id).toBe(first.state._meta.run_id)
      const third = await runs(project, {
        typed: { ...typed, selectors: ['new', 'all'] },
        askFirst: () => ({ value: 'new' }),
      })
      expect(third.order[0]).toBe('1 research')
      expect(third.ended).toBe('completed')
      expect(await readdir(project.path('.autopilot/archive'))).toContain(first.state._meta.run_id)
    },
  'failed, answered with "retry phase": the phase begins anew': async (project) => {
    const first = await runs(project, crashing)
    expect(first.gates).toEqual(['Q-RESUME'])
    const labels = first.asked[0]?.options.map(({ label }) => label)
    expect(labels).toEqual(['retry phase', 'skip', 'new run', 'stop'])
    const second = await runs(project, { answers: { 'Q-RESUME': 'retry' } })
    expect(second.gates).toEqual(['Q-RESUME'])
    expect(second.order[0]).toBe('1 research')
    expect(second.ended).toBe('completed')
    // A phase that is done again is one phase.
    const { total_phases: phases, total_phases_processed: processed } = second.state._meta
    expect(processed).toBe(phases)
  },
  'failed, answered with "skip": it stays failed, and the others go on': async (project) => {
    await runs(project, crashing)
    const second = await runs(project, { answers: { 'Q-RESUME': 'skip' } })
    expect(second.ended).toBe('completed')
    expect(second.state.phases.phase_1?.status).toBe('failed')
    expect(playbookWorkflow.exitCode?.(second.state)).toBe(1)
  },
  'failed, answered with "new run": archived, and another one begins': async (project) => {
    const first = await runs(project, { ...crashing, answers: { 'Q-RESUME': 'new' } })
    expect(first.archived).toBe(`.autopilot/archive/${first.state._meta.run_id}`)
    expect(playbookWorkflow.archives?.beginsAnew(first.state)).toBe(true)
    const second = await runs(project, {})
    expect(second.order[0]).toBe('1 research')
    expect(second.ended).toBe('completed')
  },
  'failed, answered with "stop": it stays where it is': async (project) => {
    await runs(project, crashing)
    const second = await runs(project, {})
    expect(second.gates).toEqual(['Q-RESUME'])
    expect(second.stopped).toBe(true)
    expect(second.state._meta.status).toBe('failed')
    expect(second.archived).toBeUndefined()
  },
}

/** The work of before is there already: something else is written. */
const again = {
  execution: (async (dispatch, project) => {
    await project.commit(`${String(dispatch.order.commitSubject)}better`, { 'src/part-1.txt': 'better\n' })
    return {
      tasks_completed: '1/1',
      tasks_failed: '0/1',
      commit_shas: [await project.git('rev-parse', 'HEAD')],
      evidence: [],
      deviations: [],
    }
  }) satisfies Act,
  research: honest.research as Act,
}

test.each(Object.entries(rows))('%s', slow, async (name, row) => {
  // A run fails only where a later phase needs the one that did.
  await row(await createStage(name.startsWith('failed') ? {} : one))
})

test('the table of the reference has these rows, and no others', () => {
  const section = readFileSync('docs/playbook.md', 'utf8')
    .split('\n## ')
    .find((text) => text.startsWith('Going on\n'))
  const told = [...(section ?? '').matchAll(/^\| (?!Found|-)(.+?) \| (.+?) \|$/gm)]
  expect(told.map(([, found, done]) => `${found}: ${done}`)).toEqual(Object.keys(rows))
})
