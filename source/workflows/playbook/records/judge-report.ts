import { saysSomething } from '../../../documents/says-something.js'
import { pathLine } from '../integrity/facts.js'

/** What a judge's report shows of how it came about. */
export interface JudgeReport {
  /** The section, if there is one; without its heading. */
  divergence?: string
  /** It names something that the judge and the verifier see differently. */
  differs: boolean
  /** Something of its own outside of that section: file and line, or a command. */
  hasEvidence: boolean
}

const heading = /^#{1,6}\s{0,9}(?:\d{1,3}[.)]\s{0,9})?\*{0,3}Divergence Analysis[\s:*]*$/i

/** Reads JUDGE-REPORT.md. Pure. */
export function readJudgeReport(text: string): JudgeReport {
  const lines = text.split(/\r?\n/)
  const fenced = fencedLines(lines)
  const at = lines.findIndex((line, number) => !fenced.has(number) && heading.test(line))
  const own = (at === -1 ? lines : lines.slice(0, at)).join('\n')
  const hasEvidence =
    pathLine.test(own) ||
    /^\s*\$ \S|`[^`\n]{0,200}\b(?:git|grep|npm|node|cargo|pytest|make)\b[^`\n]{0,400}`/m.test(own)
  if (at === -1) return { differs: false, hasEvidence }
  const level = /^#+/.exec(lines[at] ?? '')?.[0].length ?? 1
  const rest = lines.slice(at + 1)
  const end = rest.findIndex((line) => {
    const next = /^(#+)\s/.exec(line)?.[1]
    return next !== undefined && next.length <= level
  })
  const divergence = (end === -1 ? rest : rest.slice(0, end)).join('\n').trim()
  if (!saysSomething(divergence)) return { differs: false, hasEvidence }
  return { divergence, differs: saysOtherwise(divergence), hasEvidence }
}

/** Numbers of the lines in fences: an example of a section is none. A fence that is never closed hides nothing. */
function fencedLines(lines: readonly string[]): Set<number> {
  const marks = lines.flatMap((line, number) => (/^ {0,3}(?:`{3,}|~{3,})/.test(line) ? [number] : []))
  const fenced = new Set<number>()
  for (let at = 0; at + 1 < marks.length; at += 2)
    for (let number = marks[at] ?? 0; number <= (marks[at + 1] ?? 0); number += 1) fenced.add(number)
  return fenced
}

/** A line that speaks of a difference and does not say that there is none. */
function saysOtherwise(section: string): boolean {
  return section.split('\n').some((line) => {
    const speaks =
      /\b(?:disagree|differ|diverg|missed|overlook|contradict|unlike|however|did not (?:see|find|check|mention))/i
    const denies =
      /\b(?:no|none|nothing|not any|without)\b[^.]{0,200}\b(?:disagree|differ|diverg|missed|overlook|contradict)|:\s*(?:none|nothing|n\/a|-)\.?\s*$/i
    return speaks.test(line) && !denies.test(line)
  })
}
