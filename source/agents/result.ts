import { z } from 'zod'
import { deepest, isTooDeep } from '../documents/json-depth.js'
import { repeatedKey } from '../documents/json-keys.js'
import { withoutColours } from '../without-colours.js'

// Results of agents: how a schema is told to them, and how a result is found in what they say (docs/agents.md, "Results").

/** JSON Schema of what a validator accepts, without the defaults that it fills in. */
export function schemaJson(schema: z.ZodType): unknown {
  return z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
}

/** Each thing wrong with a result on one line: where, and what. */
export function validationErrors(error: z.ZodError): string[] {
  return error.issues.map((issue) => {
    const where = issue.path.length > 0 ? issue.path.map(String).join('.') : 'result'
    return `${where}: ${issue.message}`
  })
}

const openFence = /^\s*(`{3,}|~{3,})\s*json5?\b.*$/i
const anyFence = /^\s*(`{3,}|~{3,})(.*)$/

/** What a text holds as a result. A broken block is the last one; its message goes on behind "the block": `is not valid JSON: ...`. */
export type JsonBlock =
  | { kind: 'found'; value: object }
  | { kind: 'broken'; message: string }
  | { kind: 'none' }

/** The value of the last JSON block of a text, as `readJsonBlock` finds it; undefined where none is found. */
export function lastJsonBlock(text: string): unknown {
  const block = readJsonBlock(text)
  return block.kind === 'found' ? block.value : undefined
}

/**
 * The last fenced `json` block, which must parse to an object; a whole text that is one JSON object counts too
 * (docs/agents.md, "Results"). Blocks inside other fences do not count.
 */
export function readJsonBlock(text: string): JsonBlock {
  const found: JsonBlock = readJsonBlocks(text).at(-1) ?? { kind: 'none' }
  if (found.kind === 'found') return found
  const whole = parseJsonObject(text.trim())
  return whole.kind === 'found' ? whole : found
}

/** All fenced `json` blocks of a text, in their order. */
export function readJsonBlocks(text: string): Exclude<JsonBlock, { kind: 'none' }>[] {
  const found: Exclude<JsonBlock, { kind: 'none' }>[] = []
  let fence: { mark: string; json: boolean; lines: string[] } | undefined
  for (const line of withoutColours(text).split(/\r?\n/)) {
    if (fence && closes(line, fence.mark)) {
      if (fence.json) found.push(parseJsonObject(fence.lines.join('\n')))
      fence = undefined
      continue
    }
    if (fence) {
      fence.lines.push(line)
      continue
    }
    const opened = anyFence.exec(line)
    if (opened?.[1]) fence = { mark: opened[1], json: openFence.test(line), lines: [] }
  }
  if (fence?.json) found.push(parseJsonObject(fence.lines.join('\n')))
  return found
}

/** What is said in a text beside its fenced `json` blocks; nothing where the whole of it is one JSON object. */
export function wordsBeside(text: string): string {
  if (parseJsonObject(text.trim()).kind === 'found') return ''
  const words: string[] = []
  let fence: { mark: string; json: boolean } | undefined
  for (const line of withoutColours(text).split(/\r?\n/)) {
    const opened = fence === undefined ? anyFence.exec(line)?.[1] : undefined
    if (opened !== undefined) fence = { mark: opened, json: openFence.test(line) }
    if (!fence?.json) words.push(line)
    if (opened === undefined && fence && closes(line, fence.mark)) fence = undefined
  }
  return words.join('\n').trim()
}

/** Whether two results say the same, whatever the order of their keys. */
export function sameResult(one: unknown, other: unknown): boolean {
  return JSON.stringify(inOrder(one)) === JSON.stringify(inOrder(other))
}

function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(entries.map(([key, each]) => [key, inOrder(each)]))
}

function closes(line: string, mark: string): boolean {
  const trimmed = line.trim()
  return trimmed.length >= mark.length && trimmed === (mark[0] ?? '').repeat(trimmed.length)
}

function parseJsonObject(text: string): Exclude<JsonBlock, { kind: 'none' }> {
  if (isTooDeep(text)) return { kind: 'broken', message: `is nested more than ${deepest} deep` }
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      return { kind: 'broken', message: 'is no JSON object' }
    const twice = repeatedKey(text)
    return twice === undefined ? { kind: 'found', value } : { kind: 'broken', message: saysTwice(twice) }
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error)
    return { kind: 'broken', message: `is not valid JSON: ${placed(said, text)}` }
  }
}

/** Of a result in which a key stands twice: what a parser would leave of it is not what was said. */
export const saysTwice = (key: string): string => `says ${JSON.stringify(key.slice(0, 40))} twice`

/** Length of what is repeated from the parser, in characters. */
const longestComplaint = 160

/** The parser's own words. Where they tell an offset it becomes line and column of the block; else they quote the place. */
function placed(message: string, text: string): string {
  const offset = / at position (\d+)/.exec(message)?.[1]
  // An unexpected end has no offset: it is where the text ends.
  const at = offset !== undefined ? Number(offset) : /end of JSON/.test(message) ? text.length : undefined
  const words = message
    .replace(/ (?:in JSON )?at position \d+.*$/s, '')
    .replace(/ is not valid JSON$/, '')
    .replace(/\s+/g, ' ')
    .slice(0, longestComplaint)
  if (at === undefined) return words
  const before = text.slice(0, at).split('\n')
  return `${words} in line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1} of the block`
}
