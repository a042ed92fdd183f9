import { isMarkup, type ScannedLine } from './fences.js'

/** How hard a phase is, as its spec says it. */
export type Complexity = 'low' | 'medium' | 'high'

const comment = /<!--\s*complexity:\s*(low|medium|high)\s*-->/gi
const anyComment = /<!--\s*complexity:\s*([^>]*?)\s*-->/i
const prose = /\b(low|medium|high)[ -]complexity\b|\bcomplexity\**\s*:\**\s*(low|medium|high)\b/i

/** What the complexity comments in some lines say; the first one counts (harness.md section 3). */
export interface ComplexityReading {
  complexity: Complexity
  warnings: string[]
}

function isComplexity(word: string): word is Complexity {
  return word === 'low' || word === 'medium' || word === 'high'
}

/** Code spans are talk about a comment, not a comment. */
function withoutCode(text: string): string {
  return text.replace(/`[^`]*`/g, '')
}

function commentsIn(text: string): Complexity[] {
  return [...withoutCode(text).matchAll(comment)].flatMap((match) => {
    const word = match[1]?.toLowerCase() ?? ''
    return isComplexity(word) ? [word] : []
  })
}

/** Takes the complexity comments out of a heading or name and trims it. */
export function withoutComplexity(text: string): string {
  return text.replace(comment, '').trim()
}

/** Reads the complexity of one phase from its lines; medium when no comment says otherwise. */
export function complexityOf(lines: ScannedLine[], label: string): ComplexityReading {
  const open = lines.filter(isMarkup)
  const found = open.flatMap((line) => commentsIn(line.text))
  const first = found[0]
  if (first !== undefined) {
    const other = found.find((word) => word !== first)
    const warnings =
      other === undefined
        ? []
        : [`${label} says both ${first} and ${other} complexity; the first counts: ${first}.`]
    return { complexity: first, warnings }
  }
  const odd = open.find((line) => anyComment.test(withoutCode(line.text)))
  if (odd !== undefined) {
    return {
      complexity: 'medium',
      warnings: [
        `Line ${odd.number}: the complexity of ${label} is not low, medium or high; read as medium.`,
      ],
    }
  }
  const hint = open.find((line) => prose.test(withoutCode(line.text)))
  if (hint === undefined) return { complexity: 'medium', warnings: [] }
  return {
    complexity: 'medium',
    warnings: [`Line ${hint.number}: prose about complexity is only a hint; ${label} is read as medium.`],
  }
}
