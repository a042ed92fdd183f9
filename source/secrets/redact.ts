import { secretShapes } from './patterns.js'

/** Shown in place of a secret. */
export const redacted = '[redacted]'

/** Every line that begins or ends a private key holds it. */
export const keyMark = 'PRIVATE KEY-----'
const keyBegin = /-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----/
/** Lines after which a key that never ends is taken for something else. */
export const longestKey = 200
const keyEnd = /-----END [A-Z ]{0,40}PRIVATE KEY-----/

const secretName = /TOKEN|SECRET|KEY|PASS|CREDENTIAL|AUTH|COOKIE|PRIVATE|DSN|DATABASE_URL/i
const harmlessName =
  /^(PWD|OLDPWD|HOME|USER|LOGNAME|SHELL|HOSTNAME|LANG|TZ|LC_\w+|TERM\w*|COLORTERM|EDITOR|VISUAL|PAGER|LS_COLORS|DISPLAY|XDG_\w+|DBUS_\w+|SSH_(CONNECTION|CLIENT|TTY|AUTH_SOCK)|npm_\w+|NODE\w*|VITEST\w*)$/

/**
 * Values that must not be written to a log: of variables that are kept from agents, and of those with a secret's name
 * (docs/durability.md, "Paths and environment"). Paths and well-known harmless variables are left out, as they
 * would blank the log.
 */
export function secretValues(
  environment: Record<string, string | undefined>,
  passedOn: Record<string, string>,
): string[] {
  const values = new Set<string>()
  for (const [name, value] of [...Object.entries(environment), ...Object.entries(passedOn)]) {
    if (value === undefined || value.length < 8 || harmlessName.test(name)) continue
    const named = secretName.test(name)
    const dropped = passedOn[name] === undefined && !value.startsWith('/')
    if (named || dropped) values.add(value)
  }
  return [...values].sort((a, b) => b.length - a.length)
}

/** Words that people choose, and names that are made of them: as likely the name of a folder as somebody's password. */
const words = /^[A-Za-z]+(?:[-_. ][A-Za-z]+)*$/
const secretWord =
  /(?:^|_)(?:(?:API|ACCESS|AUTH|SECRET)?(?:TOKEN|KEY)|SECRET|PASS(?:WORD|WD|PHRASE)?|CREDENTIALS?|AUTH|COOKIE|PRIVATE|DSN|DATABASE_URL)S?(?:_|$)/i

/**
 * Those of `secretValues` that are hidden in records too: what a run works with, so only what is a secret for certain. A
 * password that is a word stays, as paths and names hold it.
 */
export function recordedSecrets(
  environment: Record<string, string | undefined>,
  passedOn: Record<string, string>,
): string[] {
  const all = new Set(secretValues(environment, passedOn))
  const named = [...Object.entries(environment), ...Object.entries(passedOn)].flatMap(([name, value]) =>
    value !== undefined && all.has(value) && secretWord.test(name) ? [value] : [],
  )
  return [...new Set(named)].filter((value) => !words.test(value)).sort((a, b) => b.length - a.length)
}

/** Hides secrets line by line; a private key over several lines is hidden as a whole. One redactor per stream. */
export type Redactor = (line: string) => string

/** @param values exact texts to hide, besides the known patterns of keys */
export function createRedactor(values: readonly string[]): Redactor {
  const inLine = createWordRedactor(values)
  let keyLines = 0
  return (line) => {
    if (keyLines > 0 && keyLines <= longestKey) {
      keyLines += 1
      if (!keyEnd.test(line)) return redacted
      keyLines = 0
      return redacted + inLine(withoutKeys(line.slice(line.search(keyEnd)).replace(keyEnd, '')))
    }
    const out = inLine(withoutKeys(line))
    const begin = out.search(keyBegin)
    if (begin < 0) return out
    keyLines = 1
    return out.slice(0, begin) + redacted
  }
}

/** Hides secrets in a whole text, whose private keys may go over several lines. The same for every call. */
export function createTextRedactor(values: readonly string[]): (text: string) => string {
  const inText = createWordRedactor(values)
  return (text) => {
    const out = inText(withoutKeys(text))
    // One that never ends is hidden as far as a key can be long.
    const begin = out.search(keyBegin)
    if (begin < 0) return out
    const lines = out.slice(begin).split('\n')
    return [out.slice(0, begin) + redacted, ...lines.slice(longestKey)].join('\n')
  }
}

/**
 * A value of JSON with its texts redacted, keys of objects too; what has none is the same value. Depth is bounded by
 * whoever read it.
 */
export function redactValue<Value>(redact: (text: string) => string, value: Value): Value {
  return redactedJson(redact, value) as Value
}

function redactedJson(redact: (text: string) => string, value: unknown): unknown {
  if (typeof value === 'string') return redact(value)
  if (Array.isArray(value)) return value.map((each) => redactedJson(redact, each))
  if (!isPlain(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [redact(name), redactedJson(redact, each)]),
  )
}

/** An object of JSON; what turns itself into JSON, such as a time, has no texts of its own. */
function isPlain(value: unknown): value is object {
  if (typeof value !== 'object' || value === null || 'toJSON' in value) return false
  const kind: unknown = Object.getPrototypeOf(value)
  return kind === Object.prototype || kind === null
}

function createWordRedactor(values: readonly string[]): (text: string) => string {
  const exact = values.filter((value) => value.length >= 8).map(escapePattern)
  const all = new RegExp([...exact, ...secretShapes.map(({ source }) => source)].join('|'), 'g')
  return (text) => text.replace(all, redacted)
}

/** Private keys that begin and end in this text, each as one; found in one way through it. */
function withoutKeys(text: string): string {
  if (!text.includes(keyMark)) return text
  const marks = /-----(BEGIN|END) [A-Z ]{0,40}PRIVATE KEY-----/g
  let out = ''
  let from = 0
  let begin: number | undefined
  for (const mark of text.matchAll(marks)) {
    if (mark[1] === 'BEGIN') begin ??= mark.index
    else if (begin !== undefined) {
      out += text.slice(from, begin) + redacted
      from = mark.index + mark[0].length
      begin = undefined
    }
  }
  return out + text.slice(from)
}

function escapePattern(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}
