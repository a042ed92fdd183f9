import { graphemes } from './width.js'

// Bytes of the keyboard made into single keys: docs/terminal.md "Keys". Pure; time and UTF-8 belong to the pump.

export type Token =
  | { kind: 'key'; sequence: string }
  /** Pasted text, raw. */
  | { kind: 'paste'; text: string }

/** What the end of the last piece left open, so that the pump knows how long to wait. */
export type Unfinished = 'nothing' | 'escape' | 'paste'

export interface Tokenizer {
  push(text: string): Token[]
  unfinished(): Unfinished
  /** Time is over for what is unfinished: a lone ESC is the Escape key, everything else is dropped. */
  expire(): Token[]
}

const pasteStart = '\u001b[200~'
const pasteEnd = '\u001b[201~'
const interrupt = '\u0003'
const longestPaste = 1_000_000
const longestSequence = 256
/** More keys than this in one read were not typed. */
const mostTypedKeys = 64

interface OpenPaste {
  parts: string[]
  size: number
  tail: string
}

type Scan = { length: number; key: boolean } | 'unfinished'

function isReply(sequence: string): boolean {
  const final = sequence.at(-1) ?? ''
  const parameters = sequence.slice(2, -1)
  if (/^[?<>=]/.test(parameters)) return true
  if (/[ -/]/.test(parameters)) return true
  if ((final === 'I' || final === 'O') && parameters === '') return true
  if (final === 'R' || final === 'c' || final === 'n' || final === 't' || final === 'y') return true
  return parameters === '200' || parameters === '201'
}

function scanCsi(text: string): Scan {
  let index = 2
  // The Linux console sends ESC [ [ A for F1.
  if (text[index] === '[') index += 1
  for (; index < text.length; index += 1) {
    const code = text.charCodeAt(index)
    if (code >= 0x40 && code <= 0x7e) {
      if (text[index] === 'M' && index === 2) {
        // Old mouse report: three more characters.
        return text.length < 6 ? 'unfinished' : { length: 6, key: false }
      }
      const length = index + 1
      return { length, key: length <= longestSequence && !isReply(text.slice(0, length)) }
    }
    if (code < 0x20 || code > 0x3f) return { length: index, key: false }
  }
  return 'unfinished'
}

/** OSC, DCS, APC, PM and SOS: replies of the terminal. */
function scanString(text: string): Scan {
  for (let index = 2; index < text.length; index += 1) {
    if (text[index] === '\u0007') return { length: index + 1, key: false }
    if (text[index] !== '\u001b') continue
    if (index + 1 === text.length) return 'unfinished'
    return text[index + 1] === '\\' ? { length: index + 2, key: false } : { length: index, key: false }
  }
  return 'unfinished'
}

function scanEscape(text: string): Scan {
  const second = text[1]
  if (second === undefined) return 'unfinished'
  if (second === '[') return scanCsi(text)
  if (second === 'O') return text.length < 3 ? 'unfinished' : { length: 3, key: true }
  if (second === ']' || second === 'P' || second === '_' || second === '^' || second === 'X')
    return scanString(text)
  if (second === '\u001b') return { length: 1, key: true }
  return { length: 1 + String.fromCodePoint(text.codePointAt(1) ?? 0).length, key: true }
}

function plainKeys(text: string): string[] {
  const keys: string[] = []
  for (const run of text.split(/([\u0000-\u001f\u007f])/)) keys.push(...graphemes(run))
  return keys
}

/** A tokenizer for one keyboard. */
export function createTokenizer(): Tokenizer {
  let rest = ''
  let pasted: OpenPaste | undefined

  function takePaste(open: OpenPaste, text: string): { tokens: Token[]; left: string } {
    const joined = open.tail + text
    const end = joined.indexOf(pasteEnd)
    const body = end < 0 ? joined.slice(0, 1 - pasteEnd.length) : joined.slice(0, end)
    const room = longestPaste - open.size
    if (room > 0) open.parts.push(body.slice(0, room))
    open.size += body.length
    // What may be the beginning of the end mark waits for the next read.
    open.tail = end < 0 ? joined.slice(body.length) : ''
    if (end < 0) return { tokens: [], left: '' }
    pasted = undefined
    return {
      tokens: [{ kind: 'paste', text: open.parts.join('') }],
      left: joined.slice(end + pasteEnd.length),
    }
  }

  function takeEscape(text: string): { tokens: Token[]; left: string } {
    if (text.startsWith(pasteStart)) {
      pasted = { parts: [], size: 0, tail: '' }
      return takePaste(pasted, text.slice(pasteStart.length))
    }
    const scan = scanEscape(text)
    if (scan === 'unfinished') {
      rest = text.length > longestSequence ? text.slice(0, longestSequence) : text
      return { tokens: [], left: '' }
    }
    const sequence = text.slice(0, scan.length)
    return { tokens: scan.key ? [{ kind: 'key', sequence }] : [], left: text.slice(scan.length) }
  }

  function takePlain(text: string): { tokens: Token[]; left: string } {
    const end = text.indexOf('\u001b')
    const run = end < 0 ? text : text.slice(0, end)
    return {
      tokens: plainKeys(run).map((sequence) => ({ kind: 'key', sequence })),
      left: text.slice(run.length),
    }
  }

  function take(text: string): { tokens: Token[]; left: string } {
    if (pasted) return takePaste(pasted, text)
    return text.startsWith('\u001b') ? takeEscape(text) : takePlain(text)
  }

  function typedOrPasted(text: string, tokens: Token[]): Token[] {
    if (tokens.length <= mostTypedKeys || text.includes('\u001b')) return tokens
    const paste: Token = { kind: 'paste', text }
    // Someone who wants out of a flood is heard.
    return text.includes(interrupt) ? [paste, { kind: 'key', sequence: interrupt }] : [paste]
  }

  return {
    push(chunk) {
      const fresh = rest === '' && pasted === undefined
      let left = rest + chunk
      rest = ''
      const tokens: Token[] = []
      while (left !== '') {
        const step = take(left)
        tokens.push(...step.tokens)
        left = step.left
      }
      return fresh ? typedOrPasted(chunk, tokens) : tokens
    },
    unfinished() {
      if (pasted) return 'paste'
      return rest === '' ? 'nothing' : 'escape'
    },
    expire() {
      const lone = pasted === undefined && rest === '\u001b'
      pasted = undefined
      rest = ''
      return lone ? [{ kind: 'key', sequence: '\u001b' }] : []
    },
  }
}
