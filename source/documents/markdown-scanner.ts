import { frontMatterEnd } from './front-matter.js'
import type { MarkdownDocument } from './markdown-blocks.js'
import { matchContainers, startContainer } from './markdown-containers.js'
import { detailsIn } from './markdown-details.js'
import { addText, continueLeaf, startLeaf } from './markdown-leaves.js'
import { cursorAt, type ScannedLine, scannedLines } from './markdown-lines.js'
import { lookAhead } from './markdown-pairs.js'
import { add, type Leaf, type Scan, type Walk } from './markdown-scan.js'

// One pass over the lines of a text, after the block rules of CommonMark with the tables of GitHub. Where people and
// agents write looser than that, and a phase or a task would be lost, it deviates (docs/harness.md, "Reading
// Markdown"): a fence opens and closes at any indent and is not ended by its list item; what never closes is text; a
// heading ends HTML that a blank line would end.

/** Reads the block structure of a text of any size in one pass. Never throws. */
export function scanMarkdown(text: string): MarkdownDocument {
  const lines = scannedLines(text)
  const scan: Scan = {
    ahead: lookAhead(text, lines),
    blocks: [],
    parents: [],
    unclosed: [],
    open: [{ block: undefined, quotes: 0, items: 0, indent: 0, empty: false, list: undefined }],
    leaf: undefined,
  }
  const body = frontMatter(scan, lines)
  for (let at = body; at < lines.length; at += 1) readLine(scan, lines[at] as ScannedLine)
  carryEnds(scan)
  const { details, unclosed } = detailsIn(text, lines)
  const all = [...scan.unclosed, ...unclosed].sort((one, other) => one.line - other.line)
  return { text, lines, blocks: scan.blocks, details, unclosed: all }
}

/** Takes the front matter off the top. Returns how many lines it takes. */
function frontMatter(scan: Scan, lines: ScannedLine[]): number {
  const close = frontMatterEnd((index) => lines[index]?.text)
  if (close === undefined) return 0
  const [first, last] = [lines[0], close === 'open' ? undefined : lines[close]]
  if (close === 'open' || first === undefined || last === undefined) {
    scan.unclosed.push({ kind: 'front matter', line: 1 })
    return 0
  }
  for (const line of lines.slice(0, close + 1)) line.within = 'front matter'
  add(scan, {
    kind: 'front matter',
    line: 1,
    endLine: close + 1,
    start: first.start,
    end: last.end,
    quotes: 0,
    items: 0,
  })
  return close + 1
}

function readLine(scan: Scan, line: ScannedLine): void {
  // Most lines of hostile input, and a third of every other, are empty.
  if (line.text === '' && scan.open.length === 1 && endsAtBlank(scan.leaf)) {
    scan.leaf = undefined
    return
  }
  const walk: Walk = { line, cursor: cursorAt(line.text), matched: 1 }
  if (isPlain(scan, line.text)) {
    addText(scan, walk)
    return
  }
  matchContainers(scan, walk)
  if (continueLeaf(scan, walk)) return
  while (startContainer(scan, walk)) {
    // A quote or an item may hold another one on the same line.
  }
  if (startLeaf(scan, walk)) return
  addText(scan, walk)
}

/** Outside of all containers a line that opens with a letter, in bold or not, can only be text. */
function isPlain({ open, leaf }: Scan, text: string): boolean {
  if (open.length > 1 || (leaf !== undefined && leaf.kind !== 'paragraph')) return false
  const at = text[0] === '*' && text[1] === '*' ? 2 : 0
  const code = text.charCodeAt(at) | 32
  return code >= 97 && code <= 122
}

function endsAtBlank(leaf: Leaf | undefined): boolean {
  return leaf === undefined || leaf.kind === 'paragraph' || leaf.kind === 'table'
}

/** Lists and items end where the last block in them ends; blocks stand before what they hold. */
function carryEnds(scan: Scan): void {
  for (let at = scan.blocks.length - 1; at >= 0; at -= 1) {
    const block = scan.blocks[at]
    const parent = scan.parents[at]
    if (block === undefined || parent === undefined || parent.end >= block.end) continue
    parent.end = block.end
    parent.endLine = block.endLine
  }
}
