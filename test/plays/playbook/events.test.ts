import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { playbookEntry } from '../../../source/workflows/playbook/entry.js'
import { type EventName, eventNames } from '../../../source/workflows/playbook/state/events.js'
import type { TestProject } from '../../support/project.js'
import {
  commitWork,
  executes,
  fileOf,
  judgement,
  plans,
  rates,
  rating,
  roadmapOf,
  taskId,
  verification,
} from './roles.js'
import { inTheirTree } from './split-roles.js'
import { type Act, createStage, type Order, type PlayOptions, play } from './stage.js'

// Every event of docs/playbook.md ("Events") is written by a run: each run below names those that it is there to show, and
// the last test asks for those that no run has written.

const slow = { timeout: 300_000 }
const one = { '.planning/ROADMAP.md': roadmapOf(1) }
const apart = (count: number) => {
  const ids = Array.from({ length: count }, (_, index) => [index + 1, 'Nothing'] as const)
  return { '.planning/ROADMAP.md': roadmapOf(count, Object.fromEntries(ids)) }
}
const limits = (more: Record<string, number>) => ({
  '.planning/config.json': JSON.stringify({ verification_min_seconds: 0, circuit_breaker: more }),
})

/** An executor that writes something else each time. */
const works: Act = async ({ order, nth }, project) => {
  const sha = await commitWork(project, order, { [fileOf(order)]: `try ${nth}\n` })
  return { tasks_completed: '1/1', tasks_failed: '0/1', commit_shas: [sha], evidence: [], deviations: [] }
}
const ugly = (order: Order) => verification(order, { pass: false, failures: ['it is ugly'] })
const givesUp: Act = () => ({
  fixed: false,
  changes: [],
  commits: [],
  remaining_issues: ['it is ugly'],
  failure_categories: [],
})
const withPerson = plans((order) => [
  { id: taskId(order, 1) },
  { id: taskId(order, 2), type: 'checkpoint:human-verify' },
])
const unsure =
  (why: string): Act =>
  ({ order }) =>
    verification(order, {
      autonomous_confidence: 4,
      deferral_evidence: [{ criterion: 'x', methods_attempted: ['read'], why_insufficient: why }],
    })
const crashing: Act = () => ({ failed: 'crash' })

interface Shown {
  events: EventName[]
  files?: Record<string, string>
  runs: (PlayOptions & { before?: (project: TestProject) => Promise<unknown> })[]
}

const shown: Record<string, Shown> = {
  'a run that comes to its end, with a gap that its audit closes': {
    events: [
      'run_started',
      'phase_started',
      'step_started',
      'step_completed',
      'checkpoint_written',
      'task_completed',
      'phase_completed',
      'self_audit_started',
      'self_audit_gap_found',
      'self_audit_gap_fixed',
      'self_audit_completed',
      'run_completed',
    ],
    files: one,
    runs: [
      {
        acts: {
          audit: ({ nth }) => ({
            gaps:
              nth > 1
                ? []
                : [{ requirement: 'R-1', description: 'no readme', files: ['readme.md'], lines: 3 }],
            commands_run: ['cat -> ok'],
          }),
          debug: async ({ order }, project) => {
            const sha = await commitWork(project, order, { 'readme.md': 'Told\n' })
            return { fixed: true, changes: [], commits: [sha], remaining_issues: [], failure_categories: [] }
          },
        },
      },
    ],
  },
  '--complete with a phase that fails': {
    events: ['step_failed', 'phase_failed', 'phase_skipped', 'batch_completion_report'],
    runs: [{ flags: { complete: true }, selectors: [], acts: { research: crashing } }],
  },
  'a phase that is taken back, and begun once more by a person': {
    events: ['debug_attempt', 'rollback_initiated', 'rollback_completed', 'run_halted', 'run_resumed'],
    runs: [
      {
        acts: {
          verification: ({ order, nth }) => (nth > 4 ? verification(order) : ugly(order)),
          debug: givesUp,
          execution: works,
        },
        answers: { 'Q-RESUME': 'retry' },
      },
    ],
  },
  'rounds that come to nothing': {
    events: ['circuit_breaker_opened', 'circuit_breaker_closed'],
    files: { ...one, ...limits({ max_debug_attempts_per_phase: 6, cooldown_minutes: 60 }) },
    runs: [
      {
        acts: {
          verification: ({ order, nth }) => (nth > 4 ? verification(order) : ugly(order)),
          debug: givesUp,
        },
        answers: { 'Q-BREAKER': 'override' },
      },
    ],
  },
  'a score that has it planned anew, then mending that is never enough': {
    events: [
      'replan_attempt',
      'remediation_started',
      'remediation_completed',
      'confidence_diagnostic_written',
      'force_incomplete_marked',
    ],
    files: one,
    runs: [{ acts: { rating: ({ order, nth }) => rating(order, nth === 1 ? 5.5 : 8.1), execution: works } }],
  },
  'a task that cannot be mended': {
    events: ['task_retried', 'task_failed'],
    files: one,
    runs: [{ acts: { execution: executes(() => ({ 'other.txt': 'not it\n' })), debug: givesUp } }],
  },
  'verdicts of a person': {
    events: ['human_verdict_recorded', 'high_defer_rate_warning', 'deferral_threshold_adjusted'],
    files: apart(3),
    runs: [
      {
        acts: { plan: withPerson, verification: unsure('an opaque library') },
        answers: { 'Q-VERDICT': 'pass' },
      },
    ],
  },
  'a person who was not needed': {
    events: ['unnecessary_deferral_warning'],
    files: one,
    runs: [
      {
        acts: { plan: withPerson, verification: unsure('its colour has to be looked at') },
        answers: { 'Q-VERDICT': 'pass' },
      },
    ],
  },
  'a verifier that is sure enough': {
    events: ['autonomous_resolution_success'],
    files: one,
    runs: [{ acts: { plan: withPerson } }],
  },
  'completed phases once more, by each flag': {
    events: [
      'flag_mutual_exclusivity_error',
      'force_reexecution_started',
      'quality_remediation_started',
      'quality_remediation_completed',
      'quality_exhausted',
      'gaps_iteration_started',
      'gaps_iteration_completed',
      'gaps_exhausted',
    ],
    files: one,
    runs: [
      { acts: { rating: rates(9.1) } },
      {
        before: async ({ dir }) => playbookEntry.refused?.(dir, { force: true, gaps: true }),
        flags: { force: true },
        acts: {
          rating: rates(9.2),
          execution: executes((order) => ({ [fileOf(order)]: 'again\n' })),
        },
      },
      { flags: { quality: true }, acts: { rating: rates(9.2), execution: works } },
      {
        flags: { gaps: true },
        acts: {
          rating: rates(9.3),
          execution: async (dispatch, project) => works({ ...dispatch, nth: dispatch.nth + 10 }, project),
        },
      },
    ],
  },
  'seven phases that score the same, talked about before, with a report that knows too much': {
    events: [
      'rubber_stamp_warning',
      'rubber_stamp_enhanced',
      'rubber_stamp_critical',
      'cross_contamination_warning',
      'context_mapping_started',
      'context_mapping_completed',
      'discuss_session_started',
      'discuss_answers_recorded',
    ],
    files: apart(7),
    runs: [
      {
        flags: { map: true, discuss: true },
        acts: {
          questions: () => ({ questions: [] }),
          judgement: async ({ order }, project) => {
            await project.write(
              String(order.reportPath),
              '# Judge report\n\nThe executor reported success.\n',
            )
            return judgement
          },
        },
      },
    ],
  },
  'a roadmap that is the spec, and is ticked by the run': {
    events: ['spec_relocked'],
    runs: [
      {
        before: (project) => project.git('rm', '-q', '.planning/REQUIREMENTS.md'),
        answers: { 'Q-TREE': 'commit' },
      },
    ],
  },
  'a phase in parts': {
    events: ['split_started', 'split_completed'],
    files: one,
    runs: [{ acts: inTheirTree() }],
  },
}

const written = new Set<string>()

test.each(Object.entries(shown))('%s', slow, async (_, { events, files, runs }) => {
  const project = await createStage(files)
  const seen: string[] = []
  for (const { before, ...options } of runs) {
    await before?.(project)
    seen.push(...(await play(project, options)).events)
  }
  for (const event of seen) written.add(event)
  expect(seen).toEqual(expect.arrayContaining(events))
})

test('no event of the table is written by no run, and none is written that the table does not have', () => {
  const section = readFileSync('docs/playbook.md', 'utf8')
    .split('\n## ')
    .find((text) => text.startsWith('Events\n'))
  const table = [...(section ?? '').matchAll(/^\| `([a-z_]+)` \|/gm)].map(([, name]) => name ?? '')
  expect(table).toEqual([...eventNames])
  expect(table.filter((name) => !written.has(name))).toEqual([])
  expect([...written].filter((name) => !table.includes(name))).toEqual([])
})
