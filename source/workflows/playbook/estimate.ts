import type { PhaseType } from './orders/fields.js'
import type { Complexity } from './results.js'

// How many tokens a phase will take, told before it begins.

const ofTask: Readonly<Record<Complexity, number>> = { simple: 15_000, medium: 30_000, complex: 60_000 }
/** What planning, verifying, judging and rating take beside the tasks. */
const overhead = 50_000
const ofPhase: Readonly<Record<PhaseType, number>> = {
  protocol: 150_000,
  ui: 250_000,
  data: 100_000,
  mixed: 200_000,
}
const margin = 1.2
const warningShare = 0.8

/** Tokens of a phase, by its tasks, or by its kind where it has no plan yet. */
export function estimateTokens(
  type: PhaseType,
  tasks: readonly { complexity: Complexity }[] | undefined,
): number {
  const bare =
    tasks === undefined || tasks.length === 0
      ? ofPhase[type]
      : tasks.reduce((sum, { complexity }) => sum + ofTask[complexity], overhead)
  return Math.round(bare * margin)
}

/** What is said of an estimate that comes near the cap of a phase. */
export function estimateWarning(estimate: number, phaseCap: number): string | undefined {
  if (estimate <= phaseCap * warningShare) return undefined
  const percent = Math.round((estimate / phaseCap) * 100)
  return `The phase will take about ${estimate} tokens, ${percent} % of the ${phaseCap} that it may.`
}
