import { inOneLine } from './edit.js'

/** What summary.md of a session says (docs/harness.md, "Summary and index"). Empty optional fields have no line. */
export interface SummaryDocument {
  /** Slug. */
  session: string
  /** ISO time. */
  lastActive: string
  skill: string
  /** Such as `1 of 2`. */
  phase?: string | undefined
  status: string
  spec?: string
  plan?: string | undefined
  keyContext: string
  nextStep: string
}

/** The whole file; it is overwritten each time. */
export function writeSummary(summary: SummaryDocument): string {
  const fields: [label: string, value: string | undefined, always: boolean][] = [
    ['Session', summary.session, true],
    ['Last active', summary.lastActive, true],
    ['Skill', summary.skill, true],
    ['Phase', summary.phase, false],
    ['Status', summary.status, true],
    ['Spec', summary.spec, false],
    ['Plan', summary.plan, false],
    ['Key context', summary.keyContext, true],
    ['Next step', summary.nextStep, true],
  ]
  const lines = fields
    .filter(([, value, always]) => always || (value ?? '') !== '')
    .map(([label, value]) => `**${label}:** ${inOneLine(value ?? '')}`.trimEnd())
  return `## Session Summary\n\n${lines.join('\n')}\n`
}
