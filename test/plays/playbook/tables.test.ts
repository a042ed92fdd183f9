import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { playbookWorkflow } from '../../../source/workflows/playbook/workflow.js'
import { commitWork, fileOf, judgement, plans, rating, roadmapOf, taskId, verification } from './roles.js'
import { inTheirTree } from './split-roles.js'
import { type Act, createStage, type Order, type Played, type PlayOptions, play } from './stage.js'

// A whole run for each row of the two tables that decide about a phase: docs/playbook.md, "Decisions", and
// docs/playbook-checks.md, "After a phase".

const slow = { timeout: 300_000 }

/** An executor that writes something else each time. */
const works: Act = async ({ order, nth }, project) => {
  const sha = await commitWork(project, order, { [fileOf(order)]: `try ${nth}\n` })
  return { tasks_completed: '1/1', tasks_failed: '0/1', commit_shas: [sha], evidence: [], deviations: [] }
}
const ugly = (order: Order) => verification(order, { pass: false, failures: ['it is ugly'] })
const mends: Act = async ({ order, nth }, project) => {
  const sha = await commitWork(project, order, { [fileOf(order)]: `mended ${nth}\n` })
  return { fixed: true, changes: [], commits: [sha], remaining_issues: ['ugly'], failure_categories: [] }
}
const says =
  (recommendation: string, only = 'all'): Act =>
  async ({ order, nth }, project) => {
    await project.write(String(order.reportPath), '# Judge report\n\nRead it.\n')
    const isMeant = only === 'all' || (only === 'first' ? nth === 1 : order.phase.id === only)
    return { ...judgement, ...(isMeant ? { recommendation } : {}) }
  }
/** The same words in both turns. */
const judges = (recommendation: string, only?: string) => {
  const judgement_ = says(recommendation, only)
  return {
    judgement: judgement_,
    'judgement-divergence': (async (dispatch, project) => {
      const path = String(dispatch.order.reportPath)
      const said = (await judgement_(dispatch, project)) as object
      await project.write(path, `${await project.read(path)}\n## Divergence Analysis\n\nThe same.\n`)
      return { ...said, verifier_agreement: true, verifier_missed: ['nothing of weight'] }
    }) satisfies Act,
  }
}
const withPerson = plans((order) => [
  { id: taskId(order, 1) },
  { id: taskId(order, 2), type: 'checkpoint:human-verify' },
])
const unsure: Act = ({ order }) =>
  verification(order, {
    autonomous_confidence: 4,
    deferral_evidence: [
      { criterion: 'x', methods_attempted: ['read'], why_insufficient: 'an opaque library' },
    ],
  })
const fails =
  (id: string): Act =>
  ({ order }) =>
    order.phase.id === id ? ugly(order) : verification(order)

/** Phases of which only those that are named wait for the one before. */
const phasesOf = (count: number, chained: readonly number[] = []) => {
  const ids = Array.from({ length: count }, (_, index) => index + 1)
  const depends = ids.map((id) => [id, chained.includes(id) ? `Phase ${id - 1}` : 'Nothing'] as const)
  return roadmapOf(count, Object.fromEntries(depends))
}

async function run(roadmap: string, options: PlayOptions): Promise<Played> {
  return play(await createStage({ '.planning/ROADMAP.md': roadmap }), {
    ...options,
    acts: { execution: works, debug: mends, ...options.acts },
  })
}

const statuses = ({ state }: Played) => Object.values(state.phases).map(({ status }) => status)
const count = ({ order }: Played, line: string) => order.filter((one) => one === line).length

const gate: Record<string, () => Promise<void>> = {
  'the judge says halt or rollback': async () => {
    for (const word of ['halt', 'rollback']) {
      const played = await run(phasesOf(1), { acts: judges(word) })
      expect(statuses(played)).toEqual(['failed'])
      expect(played.events).toContain('rollback_completed')
      expect(count(played, '1 debug')).toBe(0)
      const failed = played.state.event_log.find(({ event }) => event === 'phase_failed')
      expect(JSON.stringify(failed?.details)).toContain(`judge_${word}: `)
    }
  },
  'a check is red, a criterion does not hold, or the judge says debug': async () => {
    const red = await run(phasesOf(1), { acts: { verification: ({ order }) => ugly(order) } })
    expect([count(red, '1 debug'), statuses(red)]).toEqual([3, ['failed']])
    expect(red.events).toContain('rollback_completed')
    const asked = await run(phasesOf(1), { acts: judges('debug', 'first') })
    expect([count(asked, '1 debug'), statuses(asked)]).toEqual([1, ['completed']])
    // One attempt is left once it was planned anew.
    const anew = await run(phasesOf(1), {
      acts: {
        rating: ({ order, nth }) => rating(order, nth === 1 ? 5.5 : 9.4),
        verification: ({ order, nth }) => (nth === 1 ? verification(order) : ugly(order)),
      },
    })
    expect(anew.events).toContain('replan_attempt')
    expect([count(anew, '1 debug'), statuses(anew)]).toEqual([1, ['failed']])
  },
  'score below 7.0': async () => {
    const played = await run(phasesOf(1), { acts: { rating: ({ order }) => rating(order, 6.9) } })
    expect([count(played, '1 research'), count(played, '1 plan')]).toEqual([2, 2])
    expect(statuses(played)).toEqual(['failed'])
    expect(played.events).toContain('rollback_completed')
  },
  'the verifier is less sure than the threshold, whether a task waits for a person or not': async () => {
    const played = await run(phasesOf(1), {
      acts: { plan: withPerson, verification: unsure },
      answers: { 'Q-VERDICT': 'pass' },
    })
    expect(played.gates).toEqual(['Q-VERDICT'])
    expect(statuses(played)).toEqual(['completed'])
    const shown = played.tasks.map((list) => list.at(-1)).filter((task) => task !== undefined)
    const waited = shown.find(({ facts }) => facts.some(({ text }) => text === 'for a person'))
    expect(waited?.status).toBe('pending')
    expect(shown.at(-1)).toMatchObject({ status: 'complete', facts: [{ text: 'approved' }] })
  },
  otherwise: async () => {
    const played = await run(phasesOf(1), {})
    expect(played.gates).toEqual([])
    expect(statuses(played)).toEqual(['completed'])
  },
}

const after: Record<string, () => Promise<void>> = {
  'completed, proceed, at the threshold': async () => {
    const played = await run(phasesOf(1), { acts: { rating: ({ order }) => rating(order, 9) } })
    expect(played.events).not.toContain('remediation_started')
    expect(statuses(played)).toEqual(['completed'])
  },
  'the same between 7.0 and the threshold': async () => {
    const played = await run(phasesOf(1), {
      acts: { rating: ({ order, nth }) => rating(order, nth === 1 ? 7.1 : 9.2) },
    })
    expect(played.events.filter((event) => event === 'remediation_started')).toHaveLength(1)
    expect(played.state.phases.phase_1).toMatchObject({ status: 'completed', alignment_score: 9.2 })
  },
  'needs a person': async () => {
    const played = await run(phasesOf(2), {
      acts: { plan: withPerson, verification: unsure },
      answers: { 'Q-VERDICT': 'pass' },
    })
    const at = (words: string) =>
      played.state.event_log.findIndex(({ event, phase }) => `${phase} ${event}` === words)
    expect(at('2 phase_started')).toBeLessThan(at('1 human_verdict_recorded'))
    expect(statuses(played)).toEqual(['completed', 'completed'])
  },
  'split request': async () => {
    const played = await run(phasesOf(1), { acts: inTheirTree() })
    expect(played.state.phases.phase_1).toMatchObject({ status: 'completed', split: true })
  },
  failed: async () => {
    const apart = await run(phasesOf(2), { acts: { verification: fails('1') } })
    expect(statuses(apart)).toEqual(['failed', 'completed'])
    expect(apart.state._meta.status).toBe('completed')
    // The last one, too: it is told at the end, and by the exit code.
    const last = await run(phasesOf(1), { acts: { verification: fails('1') } })
    expect([last.gates, last.state._meta.status, playbookWorkflow.exitCode?.(last.state)]).toEqual([
      [],
      'completed',
      1,
    ])
    expect(last.order).not.toContain('run integration')
    const needed = await run(phasesOf(2, [2]), { acts: { verification: fails('1') } })
    expect(statuses(needed)).toEqual(['failed', 'not_started'])
    expect(needed.gates).toEqual(['Q-RESUME'])
    const complete = await run(phasesOf(3, [2]), {
      acts: { verification: fails('1') },
      flags: { complete: true },
      selectors: [],
    })
    expect(statuses(complete)).toEqual(['failed', 'skipped', 'completed'])
  },
  'the judge says halt': async () => {
    for (const flags of [{}, { complete: true }]) {
      const played = await run(phasesOf(2), { acts: judges('halt', '1'), flags })
      expect(played.gates).toEqual(['Q-RESUME'])
      expect(statuses(played)).toEqual(['failed', 'not_started'])
    }
  },
  'the judge says rollback': async () => {
    const played = await run(phasesOf(2), { acts: judges('rollback', '1') })
    expect(played.gates).toEqual(['Q-RESUME'])
    const complete = await run(phasesOf(2), { acts: judges('rollback', '1'), flags: { complete: true } })
    expect(complete.gates).toEqual([])
    expect(statuses(complete)).toEqual(['failed', 'completed'])
  },
}

test.each(Object.entries(gate))('the gate: %s', slow, (_, row) => row())
test.each(Object.entries(after))('after a phase: %s', slow, (_, row) => row())

test.each([
  ['docs/playbook.md', 'Decisions', gate],
  ['docs/playbook-checks.md', 'After a phase', after],
])('%s, "%s" has these rows, and no others', (path, heading, rows) => {
  const section = readFileSync(path, 'utf8')
    .split('\n## ')
    .find((text) => text.startsWith(`${heading}\n`))
  const found = [...(section ?? '').matchAll(/^\| (?!Found|Came|-)(.+?) \| .+ \|$/gm)].map(([, row]) => row)
  expect(found).toEqual(Object.keys(rows))
})
