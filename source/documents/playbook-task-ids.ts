import { normalPhaseId, paddedPhaseId, phaseIdPattern } from './playbook-id.js'

// Ids of tasks (docs/playbook.md, "Task ids").

export interface TaskIdContext {
  /** Normalised id of the phase; undefined where nothing names it. */
  phase: string | undefined
  /** Number of the plan in its phase, where the phase has more than one. */
  plan: string | undefined
}

export interface IdSource {
  /** Value of its id attribute. */
  attribute: string | undefined
  /** What its heading says behind the word Task. */
  number: string | undefined
}

/** One id per task, in order; what is taken already gets a letter, which is told. */
export function taskIds(
  sources: readonly IdSource[],
  context: TaskIdContext,
  taken: Iterable<string> = [],
): { ids: string[]; warnings: string[] } {
  const used = new Set([...taken].map((id) => id.toLowerCase()))
  const warnings: string[] = []
  const ids = sources.map((source, index) => {
    const wanted = wantedId(source, index, context)
    let id = wanted
    for (let letter = 1; used.has(id.toLowerCase()); letter += 1) id = `${wanted}-${letterOf(letter)}`
    if (id !== wanted)
      warnings.push(`Task ${wanted} stands there more than once; one of them is called ${id}.`)
    used.add(id.toLowerCase())
    return id
  })
  return { ids, warnings }
}

/** b, c, .. z, then numbers. */
function letterOf(index: number): string {
  return index < 26 ? String.fromCharCode(97 + index) : String(index + 1)
}

function wantedId({ attribute, number }: IdSource, index: number, context: TaskIdContext): string {
  const own = attribute?.trim().replace(/\s+/g, '-')
  if (own !== undefined && own !== '') return own
  const named = number === undefined ? undefined : ofPhase(number, context.phase)
  if (named !== undefined) return named
  const parts = [
    ...(context.phase === undefined ? [] : [paddedPhaseId(context.phase)]),
    ...(context.plan === undefined ? [] : [padded(context.plan)]),
    padded(number ?? String(index + 1)),
  ]
  return parts.join('-')
}

const withPhase = new RegExp(`^(${phaseIdPattern})((?:-\\d{1,4}[a-z]?){1,2})$`, 'i')

/** `24-01` and `24-02-01` are ids of phase 24. */
function ofPhase(number: string, phase: string | undefined): string | undefined {
  const match = withPhase.exec(number)
  const owner = normalPhaseId(match?.[1] ?? '')
  if (match === null || owner === undefined || (phase !== undefined && owner !== phase)) return undefined
  return paddedPhaseId(owner) + (match[2] ?? '').replace(/\d+/g, (digits) => digits.padStart(2, '0'))
}

function padded(number: string): string {
  return number.replace(/\d+/, (digits) => digits.padStart(2, '0'))
}
