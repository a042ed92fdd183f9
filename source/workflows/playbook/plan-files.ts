import { comparePhaseIds, normalPhaseId, phaseIdPattern } from '../../documents/playbook-id.js'

// Names of plan files (docs/playbook.md, "Phase directories").

/** What a name says: the number before the plan's own one, and the plan's own one. */
export interface PlanFileName {
  name: string
  /** Of `NN-PLAN.md` the only number is here. */
  phase: string | undefined
  plan: string | undefined
}

const forms = [
  new RegExp(`^(${phaseIdPattern})-(\\d{1,3}[a-z]?)(?:-[a-z0-9-]{1,80})?-PLAN\\.md$`, 'i'),
  new RegExp(`^(${phaseIdPattern})-PLAN-(\\d{1,3}[a-z]?)\\.md$`, 'i'),
  new RegExp(`^(${phaseIdPattern})-PLAN\\.md$`, 'i'),
]

/** Reads the name of a plan; undefined for outlines, kept copies and every other file. */
export function planFileName(name: string): PlanFileName | undefined {
  if (/-OUTLINE\.md$|\.pre-bounce\.md$/i.test(name)) return undefined
  if (/^PLAN\.md$/i.test(name)) return { name, phase: undefined, plan: undefined }
  for (const form of forms) {
    const match = form.exec(name)
    if (match !== null) return { name, phase: match[1], plan: match[2] }
  }
  return undefined
}

/** A name that looks like one of a plan and is none; it is told. */
export function looksLikePlan(name: string): boolean {
  return (
    /plan.*\.md$/i.test(name) &&
    planFileName(name) === undefined &&
    !/-OUTLINE\.md$|\.pre-bounce\.md$/i.test(name)
  )
}

/** What the front matter of a plan says of its place among others. */
export interface PlanPlace {
  file: PlanFileName
  wave: number | undefined
  dependsOn: readonly string[]
}

/** The number of each plan in its directory: its own one, or where names differ in the number before it, that one. */
export function planNumber(file: PlanFileName, phase: string): string {
  if (file.plan !== undefined) return file.plan
  if (file.phase === undefined || normalPhaseId(file.phase) === phase) return '01'
  return file.phase
}

/** Plans in the order in which they are worked through: after those that they name, by wave, by number, by name. */
export function orderedPlans(plans: readonly PlanPlace[], phase: string): PlanPlace[] {
  const left = [...plans].sort((one, other) => {
    const waves = (one.wave ?? 1) - (other.wave ?? 1)
    if (waves !== 0) return waves
    const numbers = Number(planNumber(one.file, phase)) - Number(planNumber(other.file, phase))
    if (numbers !== 0 && Number.isFinite(numbers)) return numbers
    return one.file.name.localeCompare(other.file.name, 'en', { numeric: true })
  })
  const done: PlanPlace[] = []
  while (left.length > 0) {
    const ready = left.findIndex(
      (plan) => !left.some((other) => other !== plan && waitsFor(plan, other, phase)),
    )
    // Plans that wait for each other run as they stand.
    done.push(...left.splice(Math.max(0, ready), 1))
  }
  return done
}

/** `01b` as `1b`. */
function bareNumber(number: string): string {
  return number.replace(/^0+(?=\d)/, '').toLowerCase()
}

function waitsFor(plan: PlanPlace, other: PlanPlace, phase: string): boolean {
  const number = bareNumber(planNumber(other.file, phase))
  return plan.dependsOn.some((name) => {
    const match = /^(.*?)-?(\d{1,3}[a-z]?)(?:-PLAN(?:\.md)?)?$/i.exec(name.trim())
    if (match === null || bareNumber(match[2] ?? '') !== number) return false
    const owner = normalPhaseId((match[1] ?? '').replace(/-.*$/, ''))
    return owner === undefined || comparePhaseIds(owner, phase) === 0
  })
}
