import { lookup } from '../../../lookup.js'

// The simple commands of a shell line, as far as it takes to see what it would do. Nothing is expanded or executed.

/** One command with its words, quotes taken off, and the files that it is told to write to. */
export interface SimpleCommand {
  words: string[]
  /** Targets of `>`, `>>`, `>|`, `&>`. */
  writes: string[]
}

const separators = new Set([';', '&', '|', '\n', '(', ')'])
const deepestNesting = 8

/**
 * Splits a line at `;`, `&&`, `||`, `|`, `&` and line ends. Commands inside `$(...)`, backticks, `bash -c '...'` and
 * `eval` are listed too, after the one that holds them.
 */
export function simpleCommands(line: string, depth = 0): SimpleCommand[] {
  if (depth > deepestNesting) return []
  const { commands, nested } = scan(line)
  const inner = commands.flatMap(scriptsOf)
  return [...commands, ...[...nested, ...inner].flatMap((text) => simpleCommands(text, depth + 1))]
}

/** The same without what stands inside of them: the last one says how the line ends. */
export function outerCommands(line: string): SimpleCommand[] {
  return scan(line).commands
}

interface Scan {
  commands: SimpleCommand[]
  nested: string[]
}

interface Cursor {
  at: number
  word: string | undefined
  command: SimpleCommand
  redirect: boolean
}

function scan(line: string): Scan {
  const found: Scan = { commands: [], nested: [] }
  const cursor: Cursor = { at: 0, word: undefined, command: { words: [], writes: [] }, redirect: false }
  const endWord = () => {
    if (cursor.word === undefined) return
    if (cursor.redirect) cursor.command.writes.push(cursor.word)
    else cursor.command.words.push(cursor.word)
    cursor.redirect = false
    cursor.word = undefined
  }
  const endCommand = () => {
    endWord()
    cursor.redirect = false
    const { words, writes } = cursor.command
    if (words.length > 0 || writes.length > 0) found.commands.push(cursor.command)
    cursor.command = { words: [], writes: [] }
  }
  while (cursor.at < line.length) {
    const character = line.charAt(cursor.at)
    if (character === '#' && cursor.word === undefined) cursor.at = endOfLine(line, cursor.at)
    else if (character === ' ' || character === '\t') {
      endWord()
      cursor.at += 1
    } else if (character === '>' || character === '<') readRedirect(line, cursor, endWord)
    else if (separators.has(character) && !isDescriptor(line, cursor)) {
      endCommand()
      cursor.at += 1
    } else readPart(line, cursor, found)
  }
  endCommand()
  return found
}

function endOfLine(line: string, at: number): number {
  const end = line.indexOf('\n', at)
  return end === -1 ? line.length : end
}

/** `&` in `2>&1` and `&>file` separates nothing. */
function isDescriptor(line: string, cursor: Cursor): boolean {
  return line.charAt(cursor.at) === '&' && line.charAt(cursor.at + 1) === '>'
}

function readRedirect(line: string, cursor: Cursor, endWord: () => void): void {
  const isWrite = line.charAt(cursor.at) === '>'
  // A number right before it names a descriptor, not a word.
  if (cursor.word !== undefined && /^\d$/.test(cursor.word)) cursor.word = undefined
  endWord()
  cursor.at += 1
  while ('>|<'.includes(line.charAt(cursor.at) || ' ')) cursor.at += 1
  if (line.charAt(cursor.at) === '&') {
    cursor.at += 1
    const descriptor = /^[\d-]+/.exec(line.slice(cursor.at))
    if (descriptor) {
      cursor.at += descriptor[0].length
      return
    }
  }
  cursor.redirect = isWrite
}

/** One character, quoted text or substitution, as a part of the word that is read. */
function readPart(line: string, cursor: Cursor, found: Scan): void {
  const character = line.charAt(cursor.at)
  const next = line.charAt(cursor.at + 1)
  if (character === '&' && next === '>') {
    cursor.at += 1
    return
  }
  cursor.word ??= ''
  if (character === "'") {
    const end = line.indexOf("'", cursor.at + 1)
    const stop = end === -1 ? line.length : end
    cursor.word += line.slice(cursor.at + 1, stop)
    cursor.at = stop + 1
  } else if (character === '"') readDoubleQuoted(line, cursor, found)
  else if (character === '\\') {
    cursor.word += next === '\n' ? '' : next
    cursor.at += 2
  } else if (character === '`' || (character === '$' && next === '(')) readSubstitution(line, cursor, found)
  else {
    cursor.word += character
    cursor.at += 1
  }
}

function readDoubleQuoted(line: string, cursor: Cursor, found: Scan): void {
  cursor.at += 1
  while (cursor.at < line.length) {
    const character = line.charAt(cursor.at)
    const next = line.charAt(cursor.at + 1)
    if (character === '"') {
      cursor.at += 1
      return
    }
    if (character === '\\' && '"\\$`\n'.includes(next || ' ')) {
      cursor.word += next
      cursor.at += 2
    } else if (character === '`' || (character === '$' && next === '(')) readSubstitution(line, cursor, found)
    else {
      cursor.word += character
      cursor.at += 1
    }
  }
}

function readSubstitution(line: string, cursor: Cursor, found: Scan): void {
  const start = cursor.at
  const isTick = line.charAt(start) === '`'
  const end = isTick ? line.indexOf('`', start + 1) : closing(line, start + 1)
  const stop = end === -1 ? line.length : end
  const inner = line.slice(start + (isTick ? 1 : 2), stop)
  // `$((1 + 2))` is arithmetic.
  if (!inner.startsWith('(')) found.nested.push(inner)
  cursor.word += line.slice(start, stop + 1)
  cursor.at = stop + 1
}

/** The bracket that closes the one at `open`; quoted ones do not count. */
function closing(line: string, open: number): number {
  let depth = 0
  let quote = ''
  for (let at = open; at < line.length; at += 1) {
    const character = line.charAt(at)
    if (quote !== '') {
      if (character === quote) quote = ''
    } else if (character === "'" || character === '"') quote = character
    else if (character === '\\') at += 1
    else if (character === '(') depth += 1
    else if (character === ')') {
      depth -= 1
      if (depth === 0) return at
    }
  }
  return -1
}

const shells = new Set(['sh', 'bash', 'zsh', 'dash', 'ksh'])

/** Texts that a command would have a shell execute. */
function scriptsOf({ words }: SimpleCommand): string[] {
  const [program, ...rest] = programWords(words)
  if (program === 'eval') return [rest.join(' ')]
  if (program === 'find') return executedByFind(rest)
  if (program === undefined || !shells.has(program)) return []
  const at = rest.findIndex((word) => /^-[a-z]*c[a-z]*$/.test(word))
  const script = at === -1 ? undefined : rest[at + 1]
  return script === undefined ? [] : [script]
}

/** What `find` would start for each file. */
function executedByFind(words: readonly string[]): string[] {
  return words.flatMap((word, at) => {
    if (!/^-(?:exec|execdir|ok|okdir)$/.test(word)) return []
    const rest = words.slice(at + 1)
    const end = rest.findIndex((one) => one === ';' || one === '+')
    return [
      rest
        .slice(0, end === -1 ? rest.length : end)
        .map(quoted)
        .join(' '),
    ]
  })
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`
}

const keywords = new Set(['!', 'then', 'do', 'else', 'if', 'while', 'until', '{'])

/** Programs that start another one, and which of their options take a word. */
const starters = lookup<string>({
  time: '',
  nohup: '',
  setsid: '',
  exec: 'a',
  command: '',
  builtin: '',
  nice: 'n',
  ionice: 'cn',
  stdbuf: 'ioe',
  env: 'uCS',
  xargs: 'nIPLdsEa',
  timeout: 'ks',
  gtimeout: 'ks',
})

/**
 * The words from the program on, its directory taken off: without `!`, `NAME=value`, `timeout 5`, `env`, `xargs` and the
 * like before it.
 */
export function programWords(words: readonly string[]): string[] {
  let at = 0
  while (at < words.length) {
    const word = words[at] ?? ''
    const taking = starters[nameOf(word)]
    if (/^[A-Za-z_][A-Za-z0-9_]*=/.test(word) || keywords.has(word)) at += 1
    else if (taking === undefined) break
    else {
      at = afterOptions(words, at + 1, taking)
      // How long.
      if (/timeout$/.test(word)) at += 1
    }
  }
  const [program, ...rest] = words.slice(at)
  return program === undefined ? [] : [nameOf(program), ...rest]
}

function nameOf(word: string): string {
  return word.slice(word.lastIndexOf('/') + 1)
}

/** The place behind the options of a program; those in `taking` have their value in the next word. */
function afterOptions(words: readonly string[], from: number, taking: string): number {
  let at = from
  for (; /^-./.test(words[at] ?? ''); at += 1) {
    const [, letter] = /^-([A-Za-z])$/.exec(words[at] ?? '') ?? []
    if (letter !== undefined && taking.includes(letter)) at += 1
  }
  return at
}
