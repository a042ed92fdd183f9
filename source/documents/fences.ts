import { rawLines } from './edit.js'

/** One line of a document. `fenced` is true for the fence markers too: nothing in or on a fence counts. */
export interface ScannedLine {
  /** 1-based. */
  number: number
  /** Without line ending and without the BOM of the first line. */
  text: string
  fenced: boolean
}

const listPrefix = /^(?:\s*(?:[-*+]|\d{1,9}[.)])\s+)*/
const marker = /^\s*(`{3,}|~{3,})(.*)$/

/** Character and length of the fence that this line opens, if it opens one. */
function opening(text: string): { character: string; length: number } | undefined {
  const match = marker.exec(text.replace(listPrefix, ''))
  const run = match?.[1]
  if (run === undefined) return undefined
  // "```code```" in one line is a code span, which opens nothing.
  if (run.startsWith('`') && match?.[2]?.includes('`')) return undefined
  return { character: run.charAt(0), length: run.length }
}

function closes(text: string, fence: { character: string; length: number }): boolean {
  const match = marker.exec(text)
  const run = match?.[1]
  if (run === undefined || match?.[2]?.trim() !== '') return false
  return run.charAt(0) === fence.character && run.length >= fence.length
}

/**
 * The lines of a document with their numbers, knowing which are inside a fence (docs/harness.md, "Spec grammar"):
 * three or more backticks or tildes at any indent open; the same character, at least as long, with nothing after,
 * closes. Tolerates CRLF and a BOM. A fence that never closes runs to the end.
 */
export function scanLines(text: string): ScannedLine[] {
  let fence: { character: string; length: number } | undefined
  return rawLines(text.replace(/^\uFEFF/, '')).map((line, index) => {
    const scanned = { number: index + 1, text: line.text }
    if (fence !== undefined) {
      if (closes(line.text, fence)) fence = undefined
      return { ...scanned, fenced: true }
    }
    fence = opening(line.text)
    return { ...scanned, fenced: fence !== undefined }
  })
}

/** The line on which a fence opens that never closes, if there is one. */
export function unclosedFence(lines: ScannedLine[]): number | undefined {
  let fence: { character: string; length: number; line: number } | undefined
  for (const line of lines) {
    if (fence === undefined) {
      const opened = opening(line.text)
      if (opened !== undefined) fence = { ...opened, line: line.number }
    } else if (closes(line.text, fence)) fence = undefined
  }
  return fence?.line
}

/** No person writes longer lines of markup; beyond it a line is text, so that hostile input stays cheap to read. */
const longestMarkup = 10_000

/** Whether a line can open or hold markup: outside of fences and of a length that people write. */
export function isMarkup(line: ScannedLine): boolean {
  return !line.fenced && line.text.length <= longestMarkup
}
