import {
  type CriterionContext,
  criterionOf,
  type PlaybookCriterion,
  saysVerifiedBy,
} from './playbook-criterion.js'
import { criteriaOfPart, itemsOf } from './playbook-items.js'
import type { PlanLine } from './playbook-plan-text.js'

// What is true of a plan as a whole (docs/playbook.md, "Criteria"): how it is verified, as a tag or as a Markdown section, and
// what of its success somebody says a command for.

/** A part of a plan outside of its tasks. */
interface Part {
  /** `success`: only what names how it is verified counts; the rest repeats the tasks in words. */
  kind: 'verification' | 'success'
  lines: PlanLine[]
}

interface Open {
  part: Part
  /** Ends with its tag, or with a heading of this level or above. */
  end: { tag: string } | { level: number }
}

const opening = /^\s*<(verification|success_criteria)(?:\s[^<>]*)?>/i
const anyTag = /^\s*<\/?[a-z_-]{1,30}(?:\s[^<>]*)?>/i
const headings: Readonly<Record<Part['kind'], RegExp>> = {
  verification:
    /^(?:plan |overall |final )?verification(?: (?:steps|criteria|checks|commands|checklist))?:?$/i,
  success: /^success criteria:?$/i,
}

/** Criteria outside of tasks. */
export function planCriteria(outside: readonly PlanLine[], context: CriterionContext): PlaybookCriterion[] {
  return partsOf(outside).flatMap(({ kind, lines }) =>
    kind === 'verification'
      ? criteriaOfPart(lines, context)
      : itemsOf(lines)
          .filter(saysVerifiedBy)
          .map((item) => criterionOf(item, context)),
  )
}

function partsOf(outside: readonly PlanLine[]): Part[] {
  const parts: Part[] = []
  let open: Open | undefined
  for (const line of outside) {
    if (!line.masked) {
      if (open !== undefined && endsBefore(open, line)) open = undefined
      const next = open === undefined || 'level' in open.end ? begunBy(line) : undefined
      if (next !== undefined) {
        open = next
        parts.push(open.part)
        if ('level' in open.end) continue
      }
    }
    if (open === undefined) continue
    if ('level' in open.end) {
      open.part.lines.push(line)
      continue
    }
    const { tag } = open.end
    const closes = line.masked ? undefined : new RegExp(`</${tag}\\s*>`, 'i').exec(line.text)
    const head = line.text.slice(0, closes?.index ?? line.text.length)
    const text = line.masked ? line.text : head.replace(opening, '')
    open.part.lines.push(
      text === line.text ? line : { ...line, text, body: text.trim(), mark: undefined, level: 0 },
    )
    if (closes) open = undefined
  }
  return parts
}

/** A section ends at a heading beside it, and at a tag of the plan. */
function endsBefore({ end }: Open, line: PlanLine): boolean {
  return 'level' in end && ((line.level > 0 && line.level <= end.level) || anyTag.test(line.text))
}

function begunBy(line: PlanLine): Open | undefined {
  const tag = opening.exec(line.text)?.[1]?.toLowerCase()
  if (tag !== undefined)
    return { part: { kind: tag === 'verification' ? tag : 'success', lines: [] }, end: { tag } }
  if (line.level < 1 || line.level > 4) return undefined
  const title = line.body.replace(/[*_`#]/g, '').trim()
  const kind = (['verification', 'success'] as const).find((one) => headings[one].test(title))
  return kind === undefined ? undefined : { part: { kind, lines: [] }, end: { level: line.level } }
}
