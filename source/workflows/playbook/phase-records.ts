import { readText, writeText } from '../../project/text-files.js'
import type { PassResult } from './phase-return.js'
import { type DiagnosticFacts, diagnosticPath, diagnosticText } from './records/confidence-diagnostic.js'
import { failureEntry, learningsPath, withLearning } from './records/learnings.js'
import { postMortemOf, postMortemPath, postMortemText } from './records/post-mortem.js'
import { readTrace } from './records/traces.js'
import { phaseOf } from './state/phases.js'
import type { PhaseRecord } from './state/schema.js'
import type { PhaseWork } from './work.js'

// Files about a phase that the program writes once it knows how the phase came out.

/** Why it failed, and the rule that the phases after it are told. */
export function publishPostMortem(
  work: PhaseWork,
  { returned, failures, fixes }: PassResult,
): Promise<string | null> {
  const { facts, tools, run, at } = work
  return run.step(`${at}post-mortem`, async () => {
    try {
      const now = tools.now().toISOString()
      const trace = (await readText(tools, `${facts.dir}/TRACE.jsonl`)) ?? ''
      const phase = { id: facts.id, name: facts.name }
      const made = postMortemOf({
        phase,
        at: now,
        failures: failures.map((one) => ({ ...one, at: one.at === '' ? now : one.at })),
        issues: returned.issues,
        spans: readTrace(trace),
        events: [],
        evidence: returned.evidence,
        fixes,
      })
      await writeText(tools, postMortemPath(facts.id), postMortemText(made))
      const entry = failureEntry(phase, made.root_cause.category, made.prevention_rule, now)
      await addLearning(work, entry)
      return null
    } catch (error) {
      return error instanceof Error ? error.message : String(error)
    }
  })
}

/** One entry more in what the run has learned. */
export async function addLearning({ tools }: Pick<PhaseWork, 'tools'>, entry: string): Promise<void> {
  await writeText(tools, learningsPath, withLearning(await readText(tools, learningsPath), entry))
}

/** What a phase that passed still lacks. Returns its path. */
export function publishDiagnostic(
  work: PhaseWork,
  key: string,
  result: PassResult,
  status: DiagnosticFacts['status'],
): Promise<string> {
  const { facts, tools, run, at } = work
  return run.step(`${at}${key}`, async () => {
    const { returned, opinions } = result
    const path = diagnosticPath(facts.id)
    const history = phaseOf(run.state, facts.id).score_history.map(({ score, cycle }) => ({ score, cycle }))
    const cycles = history.flatMap(({ score, cycle }, index) =>
      cycle === 0 ? [] : [{ cycle, before: history[index - 1]?.score ?? 0, after: score }],
    )
    await writeText(
      tools,
      path,
      diagnosticText({
        phase: { id: facts.id, name: facts.name },
        score: returned.alignment_score ?? 0,
        threshold: run.state._meta.pass_threshold,
        status,
        concerns: opinions?.judged.concerns ?? [],
        criteria: opinions?.rated.card.rows ?? [],
        checks: { ...returned.automated_checks },
        cycles,
      }),
    )
    return path
  })
}

/** The record of a phase, with what a pass that stands says of it. */
export function scoredBy(record: PhaseRecord, { returned }: PassResult): PhaseRecord {
  return {
    ...record,
    alignment_score: returned.alignment_score,
    checkpoint_sha: returned.checkpoint_sha,
    automated_checks: { ...record.automated_checks, ...returned.automated_checks },
  }
}
