import type { Transition } from '../../../run/machine.js'
import type { Run } from '../../../run/run.js'
import { afterVerdict, mostCycles, type Verdict } from '../decisions/human-verification.js'
import { isReverted } from '../decisions/remediation.js'
import type { Deficiency } from '../orders/fields.js'
import { readFacts } from '../phase-facts.js'
import { addLearning, scoredBy } from '../phase-records.js'
import type { PassResult } from '../phase-return.js'
import { qVerdict } from '../questions/verdict.js'
import { verdictEntry } from '../records/learnings.js'
import { withoutStanding } from '../state/carry.js'
import { withEvents } from '../state/events.js'
import { phaseOf, phasesWith, withPhase } from '../state/phases.js'
import type { PhaseRecord, PlaybookState } from '../state/schema.js'
import { commitArtifacts } from '../steps/artifacts-commit.js'
import { tickRoadmap } from '../steps/roadmap-tick.js'
import { showRecordedTasks } from '../task-loop/show-tasks.js'
import type { PlaybookTools } from '../tools.js'
import { type PhaseFacts, type PhaseWork, save, savePhase } from '../work.js'
import { oneCycle } from './remediation.js'
import { takeBack } from './take-back.js'
import { verdictMatter } from './verdict-matter.js'

/** VERDICTS: phases that wait for a person, one gate each, the first of them at a time. */
export async function verdicts(
  state: PlaybookState,
  run: Run<PlaybookState>,
  tools: PlaybookTools,
): Promise<Transition<PlaybookState>> {
  const [id] = phasesWith(state, 'needs_human_verification')
  if (id === undefined) throw new Error('no phase waits for a person')
  const record = phaseOf(state, id)
  const name = tools.outline.get(id)?.name ?? id
  await showRecordedTasks({ run, tools }, id)
  const matter = await run.step('matter', () => verdictMatter(tools.root, state, id))
  const answer = await run.ask('verdict', qVerdict(id, name, record, matter))
  const verdict = answer.value as Verdict
  const issues = (answer.text ?? '').split('\n').filter((line) => line.trim() !== '')
  const facts = (await run.step('facts', () => readFacts(tools, state, id))) as PhaseFacts
  const work: PhaseWork = { run, tools, facts, at: '', git: tools.git }
  await keepVerdict(work, verdict, issues)
  await showRecordedTasks({ run, tools }, id)
  await run.step('learning', () => addLearning(work, verdictEntry({ id, name }, verdict, issues)))
  const next = afterVerdict(verdict, mostCycles - record.remediation_cycles)
  if (next === 'remediate') {
    await mend(work, state, record, issues)
    await commitArtifacts(work, 'artifacts')
    // Still the first that waits: the same person is asked again about what was mended.
    return { change: (latest) => latest }
  }
  if (next === 'completed') await tickRoadmap(work)
  else if (typeof record.base_sha === 'string') await takeBack(work, record.base_sha)
  await commitArtifacts(work, 'artifacts')
  const head = await run.step('head-after', () => work.git.head())
  const at = await run.step('verdict-at', () => tools.now().toISOString())
  return {
    change: (latest) =>
      withEvents(
        withPhase({ ...latest, last_checkpoint_sha: head ?? latest.last_checkpoint_sha }, id, (phase) => ({
          ...(next === 'completed' ? withoutStanding(phase) : phase),
          status: next,
          completed_at: at,
        })),
        at,
        next === 'completed'
          ? [{ event: 'phase_completed', phase: id, details: { by: 'verdict' } }]
          : [{ event: 'phase_failed', phase: id, details: { issues } }],
      ),
  }
}

async function keepVerdict(work: PhaseWork, verdict: Verdict, issues: string[]): Promise<void> {
  const { id } = work.facts
  await save(
    work,
    'verdict-kept',
    (state, at) => {
      const next = withPhase(state, id, (phase) => ({
        ...phase,
        human_verdict: { verdict, timestamp: at, issues },
      }))
      const history = state._meta.deferral_history.map((one) =>
        one.phase_id === id && one.reason === 'deferred' ? { ...one, human_verdict: verdict } : one,
      )
      return { ...next, _meta: { ...next._meta, deferral_history: history } }
    },
    [{ event: 'human_verdict_recorded', phase: id, details: { verdict, issues } }],
  )
}

/** One cycle over what the person found. */
async function mend(
  work: PhaseWork,
  state: PlaybookState,
  record: PhaseRecord,
  issues: readonly string[],
): Promise<void> {
  const { pass_threshold: threshold, autonomous_confidence_threshold: confidence } = state._meta
  const feedback = issues.map(
    (issue): Deficiency => ({ criterion: 'human verdict', deficiency: issue, source: 'human' }),
  )
  const head = await work.run.step('mend-head', async () => (await work.git.head()) ?? '')
  const { result, cycle } = await oneCycle(
    work,
    {
      mode: 'standard',
      before: record.remediation_cycles,
      used: {
        debugs: record.debug_attempts,
        replans: record.replan_attempts,
        respawns: { ...record.respawns },
      },
      input: {
        existingPlan: true,
        mayShortcut: false,
        skipResearch: true,
        threshold,
        confidence,
        checkpoint: typeof record.base_sha === 'string' ? record.base_sha : head,
      },
    },
    { current: currentOf(record), feedback, number: record.remediation_cycles + 1 },
  )
  // What a cycle that stands came to is what the person is asked about next.
  if (!isReverted(cycle)) await savePhase(work, 'mended', (phase) => scoredBy(phase, result))
}

/** The phase as it stood before the verdict, as far as a cycle looks at it. */
function currentOf({ alignment_score: score }: PhaseRecord): Pick<PassResult, 'returned'> {
  return { returned: { alignment_score: score } as PassResult['returned'] }
}
