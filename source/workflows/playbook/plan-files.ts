import { phaseIdPattern } from '../../documents/playbook-id.js'

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
