import type { Details } from './markdown-blocks.js'
import { comparePhaseIds, normalPhaseId, phaseIdPattern } from './playbook-id.js'
import type { PlaybookLine } from './playbook-lines.js'
import { namedPhase } from './playbook-phase-line.js'

// Parts of a roadmap that are done with (docs/playbook.md, "Shipped").

const statusWords = /shipped|complete|archived|done/i
const shippedWord = /^(?:shipped|completed?|archived|done)$/iu
/** As the first word they say of what follows that it is done: `Completed milestones`. */
const firstWord = /^\P{L}{0,9}(?:shipped|completed|archived|done)(?![\p{L}\p{N}])/iu
const checkMark = /[✅✓✔☑]/u
/** Words by which a part says that it is still open, whatever else it says. */
const openWord =
  /\b(?:in[- ]progress|planning|planned|upcoming|ongoing|pending|not (?:yet )?(?:started|complete|shipped|done)|incomplete|to be|partial(?:ly)?|wip|todo|definition of)\b|🚧|📋|🔄|⏳|\d\s{0,3}%/iu
/** The same, where nothing tells that it is a word of the name: `Open Source Release — SHIPPED 2026-02-23`. */
const openName = /\b(?:active|current|open|draft|next|future|deferred)\b/iu
const day = /\d{4}-\d\d/

/** Whether a heading or summary says that what stands below it is done. */
export function saysShipped(text: string): boolean {
  if ((!statusWords.test(text) && !checkMark.test(text)) || openWord.test(text)) return false
  const said = statusOf(text)
  const isPlain = said !== undefined && (said.dated || /^\P{L}{0,3}[✅✓✔☑]/u.test(text))
  if (!isPlain && openName.test(text)) return false
  return said !== undefined || checkMark.test(text) || firstWord.test(text)
}

/** What may follow the word of a status in its part of a text: dates, versions, places of the calendar. */
const afterStatus =
  /^(?:on|in|at|as|of|since|by|with|via|and|to|production|milestones?|phases?|releases?|jan\p{L}*|feb\p{L}*|mar(?:ch)?|apr\p{L}*|may|june?|july?|aug\p{L}*|sept?\p{L}*|oct\p{L}*|nov\p{L}*|dec\p{L}*)$/iu

/**
 * The word of a status that ends one of the parts of a text, those between dashes, colons, bars and brackets: `v1.0 shipped`,
 * `MVP (Phases 1-4) — SHIPPED 2026-02-23`. `Complete Rewrite` says what a part is called.
 */
function statusOf(text: string): { dated: boolean } | undefined {
  for (const part of text.split(/\s[-–—]+\s|[–—:|()[\]]/u)) {
    const words = part.match(/[\p{L}\p{N}][\p{L}\p{N}./-]*/gu) ?? []
    const at = words.findLastIndex((word) => shippedWord.test(word))
    if (at === -1) continue
    const rest = words.slice(at + 1)
    if (rest.every((word) => /\d/.test(word) || afterStatus.test(word) || shippedWord.test(word)))
      return { dated: rest.some((word) => day.test(word)) }
  }
  return undefined
}

/** What a line stands in: the folded parts around it and the headings above it, outermost first. */
export interface Scope {
  shipped: boolean
  texts: string[]
}

/** A folded part or heading, which is judged once. */
interface Above {
  level: number
  text: string
  shipped: boolean
}

/** The scope of each line, by its number. Lines of one scope share it. */
export function scopesOf(lines: readonly PlaybookLine[], details: readonly Details[]): Map<number, Scope> {
  const scopes = new Map<number, Scope>()
  const above: Above[] = []
  let next = 0
  let open: (Details & Above)[] = []
  let scope = scopeOf(open, above)
  for (const line of lines) {
    const before = open.length
    open = open.filter(({ endLine }) => endLine >= line.number)
    let changed = open.length !== before
    for (; next < details.length && (details[next]?.line ?? 0) <= line.number; next += 1) {
      const folded = details[next] as Details
      open.push({ ...folded, level: 0, text: folded.summary, shipped: saysShipped(folded.summary) })
      changed = true
    }
    while (line.level > 0 && (above[above.length - 1]?.level ?? 0) >= line.level) {
      above.pop()
      changed = true
    }
    if (changed) scope = scopeOf(open, above)
    scopes.set(line.number, scope)
    // A phase says of itself how far it is; that is no milestone.
    if (line.level === 0 || namedPhase(line.body) !== undefined) continue
    above.push({ level: line.level, text: line.body, shipped: saysShipped(line.body) })
    scope = scopeOf(open, above)
  }
  return scopes
}

function scopeOf(details: readonly Above[], above: readonly Above[]): Scope {
  const around = [...details, ...above]
  return { shipped: around.some(({ shipped }) => shipped), texts: around.map(({ text }) => text) }
}

const range = new RegExp(
  String.raw`\bphases?\s{1,9}(${phaseIdPattern})\s{0,3}(?:-|–|—|\.\.|through|to)\s{0,3}(${phaseIdPattern})`,
  'giu',
)

/** First and last ids of what a shipped line names: `Phases 1-17 (shipped 2026-02-21)`, `- ✅ Phase 3: Name`. */
export function shippedRanges(
  lines: readonly PlaybookLine[],
  scopes: ReadonlyMap<number, Scope>,
): [string, string][] {
  return lines.flatMap((line): [string, string][] => {
    if (!/phase/i.test(line.text)) return []
    const done = line.box?.toLowerCase() === 'x' || saysShipped(line.text) || scopes.get(line.number)?.shipped
    if (!done) return []
    // An item without a box is no phase, but it may say of one that it is done.
    const single = line.mark === undefined || line.box !== undefined ? undefined : namedPhase(line.body)
    if (single !== undefined && !single.removed) return [[single.id, single.id]]
    return [...line.text.matchAll(range)].flatMap((match): [string, string][] => {
      const [from, to] = [normalPhaseId(match[1] ?? ''), normalPhaseId(match[2] ?? '')]
      return from === undefined || to === undefined ? [] : [[from, to]]
    })
  })
}

export function inRanges(id: string, ranges: readonly [string, string][]): boolean {
  return ranges.some(([from, to]) => comparePhaseIds(from, id) <= 0 && comparePhaseIds(id, to) <= 0)
}
