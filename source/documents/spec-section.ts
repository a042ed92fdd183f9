import { type Heading, headingsOf } from './headings.js'
import type { ItemBlock, MarkdownDocument, PlainBlock, TableBlock } from './markdown-blocks.js'
import type { ScannedLine } from './markdown-lines.js'
import { scanMarkdown } from './markdown-scanner.js'
import { chosenWords, phaseShapeOf, phaseWords, plainForms } from './phase-shape.js'

// Where the phases of a spec stand: the literal section, or one whose heading means the same (docs/harness.md,
// "Spec grammar").

/** An item of a list with the paragraph that opens it. */
export interface OpenItem {
  item: ItemBlock
  paragraph: PlainBlock
}

/** A section that may hold phases, with its lines below the heading. */
export interface Section {
  heading: Heading
  /** The heading is exactly `## Implementation Order`. */
  literal: boolean
  lines: ScannedLine[]
  /** Its headings, by 1-based line. */
  headings: Map<number, Heading>
  tables: TableBlock[]
  items: OpenItem[]
  document: SpecDocument
  /** Heading levels at which phases may stand, highest first. */
  levels: number[]
  /** What a phase may be called here. */
  words: readonly string[]
}

/** A spec cut into what the readings need. */
export interface SpecDocument {
  markdown: MarkdownDocument
  headings: Heading[]
  tables: TableBlock[]
  /** Items of lists that stand in no other list, with the paragraph that opens each. */
  items: OpenItem[]
  /** Lines that are rules. */
  rules: number[]
  title: string | undefined
  titleLine: number | undefined
}

const literalSection = /^## Implementation Order\s*$/
const tolerantSection =
  /^[*_]{0,3}(?:section\s{1,9}\w{1,20}(?:\.\d{1,9}){0,8}\s{0,9}[:.)—–-]?\s{0,9}|(?:\d{1,9}(?:\.\d{1,9}){0,8}|[A-Z])[.):]?\s{1,9})?[*_]{0,3}implementation[\s-]{1,9}order\b/i
/** What stands before the words without saying something else: signs and emphasis, a number, what kind of order it is. */
const decorated =
  /^(?:[^\p{L}\p{N}]{0,20}|[^\p{L}\p{N}]{0,20}\d{1,9}(?:\.\d{1,9}){0,8}[^\p{L}\p{N}]{1,20})(?:(?:recommended|suggested|proposed|preferred|planned|phased|overall|detailed)[^\p{L}\p{N}]{1,9})?implementation[\s-]{1,9}order\b/iu
const longestSectionTitle = 200

export function openSpec(text: string): SpecDocument {
  const markdown = scanMarkdown(text)
  const headings = withUnspaced(markdown, headingsOf(markdown))
  const title = headings.find((heading) => heading.level === 1 && heading.title !== '')
  const tables = markdown.blocks.filter(
    (block): block is TableBlock => block.kind === 'table' && block.quotes === 0,
  )
  const items = markdown.blocks.flatMap((item, index) => {
    const paragraph = markdown.blocks[index + 1]
    if (item.kind !== 'item' || item.items > 0 || item.quotes > 0) return []
    if (paragraph?.kind !== 'paragraph' || paragraph.line !== item.line) return []
    return [{ item, paragraph: paragraph as PlainBlock }]
  })
  const rules = markdown.blocks.flatMap((block) => (block.kind === 'rule' ? [block.line] : []))
  return { markdown, headings, tables, items, rules, title: title?.title, titleLine: title?.line }
}

/** "###Phase 1: x" is text to Markdown and a heading to whoever wrote it, where it looks like a phase. */
function withUnspaced(markdown: MarkdownDocument, headings: Heading[]): Heading[] {
  const unspaced = markdown.lines.flatMap((line) => {
    if (line.within !== undefined || line.quoted) return []
    const match = /^(#{1,6})[^#\s]|^(#{1,6})[^\S \t]/.exec(line.text)
    const level = (match?.[1] ?? match?.[2])?.length
    if (level === undefined) return []
    const title = line.text.slice(level).trim()
    return phaseShapeOf(title) === undefined ? [] : [{ line: line.number, level, title }]
  })
  if (unspaced.length === 0) return headings
  return [...headings, ...unspaced].sort((one, other) => one.line - other.line)
}

interface Rules {
  /** Phases may stand on the level of the section's own heading. */
  siblings: boolean
  levels: number[]
  words: readonly string[]
}

/** The section below a heading ends at the next one of its level or above; beside it phases may stand, which do not end it. */
function sectionAt(document: SpecDocument, index: number, rules: Rules): Section {
  const heading = document.headings[index] as Heading
  const inside = new Map<number, Heading>()
  let end = document.markdown.lines.length + 1
  for (let at = index + 1; at < document.headings.length; at += 1) {
    const other = document.headings[at] as Heading
    const beside = rules.siblings && other.level === heading.level
    if (other.level <= heading.level && !(beside && isPhase(other, rules.words))) {
      end = other.line
      break
    }
    inside.set(other.line, other)
  }
  return {
    heading,
    literal: literalSection.test(document.markdown.lines[heading.line - 1]?.text ?? ''),
    lines: document.markdown.lines.slice(heading.line, end - 1),
    headings: inside,
    tables: between(document.tables, (table) => table.line, heading.line, end),
    items: between(document.items, ({ item }) => item.line, heading.line, end),
    document,
    levels: rules.levels,
    words: rules.words,
  }
}

/** Those that begin behind one line and before another; all stand in order. */
function between<T>(all: T[], lineOf: (one: T) => number, after: number, before: number): T[] {
  const place = (line: number) => {
    let [low, high] = [0, all.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (lineOf(all[middle] as T) < line) low = middle + 1
      else high = middle
    }
    return low
  }
  return all.slice(place(after + 1), place(before))
}

function isPhase(heading: Heading, words: readonly string[]): boolean {
  const shape = phaseShapeOf(heading.title, words)
  return shape !== undefined && !shape.bare
}

/**
 * All sections that could hold the phases: level 2 before 3 before 4, in file order within a level. Headings with more around
 * the words count only where there is no other.
 */
export function implementationSections(document: SpecDocument): Section[] {
  const plain = sectionsNamed(document, tolerantSection)
  return plain.length > 0 ? plain : sectionsNamed(document, decorated)
}

function sectionsNamed(document: SpecDocument, name: RegExp): Section[] {
  return [2, 3, 4].flatMap((level) =>
    document.headings.flatMap((heading, index) => {
      const title = plainForms(heading.title.slice(0, longestSectionTitle))
      if (heading.level !== level || !name.test(title)) return []
      return [
        sectionAt(document, index, {
          siblings: level > 2,
          levels: level === 4 ? [4] : [3, 4],
          words: phaseWords,
        }),
      ]
    }),
  )
}

/** The section below a heading that the user chose; its phases may stand at any deeper level, or beside it. */
export function chosenSection(document: SpecDocument, line: number): Section | undefined {
  const index = document.headings.findIndex((candidate) => candidate.line === line)
  const heading = document.headings[index]
  if (heading === undefined) return undefined
  const levels = [1, 2, 3, 4, 5, 6].filter((level) => level >= heading.level)
  return sectionAt(document, index, { siblings: true, levels, words: chosenWords })
}
