import { type Baseline, baselineOfFile, exportBaseline } from '../../commits/baseline.js'
import { type Committed, commitChanges } from '../../commits/checkpoint-commit.js'
import { type WorkPlace, workPlace } from '../../commits/place.js'
import { ownRecords, sessionFiles } from '../artifacts/files.js'
import { withPhase } from '../phases.js'
import type { HarnessState } from '../state/state.js'
import type { HarnessTools } from '../tools.js'
import type { PhaseWork } from '../work.js'
import type { PlanWork } from './plan-work.js'

/** Commits what changed since the phase began (docs/harness.md, "Commits"). `key` is unique in the visit. */
export async function commitPhase(work: PlanWork, key: string, message: string): Promise<Committed> {
  const { run, tools, phase, place } = work
  const committed = await commitChanges(run, tools, {
    key,
    message,
    baseline: () => phaseBaseline(tools, run.state, phase.index),
    decide: (at, paths, choice) => decide(work, at, paths, choice),
    leaveOut: ownRecords,
    ...(place === undefined ? {} : { place }),
  })
  // The person may be asked about the next thing for hours: from here on it stands like this.
  if (place !== undefined)
    work.place = (await run.step(`${key}-stands`, () => workPlace(tools.git))) as WorkPlace
  return committed
}

/** What was uncommitted when a phase (0-based) began. Sessions of 0.1.0 have it in a file alone. */
export async function phaseBaseline(
  tools: HarnessTools,
  state: HarnessState,
  index: number,
): Promise<Baseline> {
  const known = state.phases[index]?.baseline
  if (known === undefined) return baselineOfFile(tools, sessionFiles(tools.sessionDir).baseline(index + 1))
  const { dirty, decided, branch } = known
  return { dirty, decided, ...(branch === undefined ? {} : { branch }) }
}

/** Puts on record that these paths go into commits, or stay out of them. `key` is unique in the visit. */
export async function decide(
  { run, tools, phase }: Pick<PhaseWork, 'run' | 'tools' | 'phase'>,
  key: string,
  paths: readonly string[],
  choice: 'include' | 'leave',
): Promise<void> {
  const before = await run.step(`${key}-of`, () => phaseBaseline(tools, run.state, phase.index))
  const decided = { ...before.decided, ...Object.fromEntries(paths.map((path) => [path, choice] as const)) }
  const baseline = { ...before, decided } as Baseline
  await run.update(key, (latest) => withPhase(latest, phase.index, { baseline }))
  const file = sessionFiles(tools.sessionDir).baseline(phase.number)
  await run.step(`${key}-file`, () => exportBaseline(tools, file, baseline))
}
