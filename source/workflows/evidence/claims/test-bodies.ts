// What the cases of a test file do, by their text: one that compares nothing of the project checks nothing
// (docs/evidence.md, "Tests"). Pure; linear in the text.

export interface TestCase {
  name: string
  /** Between its name and its end; undefined where the end is not to be seen. */
  body: string | undefined
}

/** How far the body of a case reaches behind its name. */
type Extent = 'call' | 'indent' | 'braces'

const kinds: readonly { pattern: RegExp; extent: Extent }[] = [
  {
    pattern:
      /\b(?:test|it|specify)(?:\.\w{1,20}){0,3} {0,4}\(\s{0,40}(?:'([^'\n]{1,200})'|"([^"\n]{1,200})"|`([^`\n]{1,200})`)/g,
    extent: 'call',
  },
  { pattern: /^[ \t]{0,40}(?:async )?def (test\w{0,200})/gm, extent: 'indent' },
  { pattern: /^func ((?:Test|Fuzz|Example)\w{0,200})\(/gm, extent: 'braces' },
  { pattern: /#\[(?:\w{1,40}::)?test\]\s{1,40}(?:pub )?(?:async )?fn (\w{1,200})/g, extent: 'braces' },
  {
    pattern: /@Test\b[^\n]{0,200}\n\s{0,40}(?:public |private |fun |void ){0,3}(\w{1,200})/g,
    extent: 'braces',
  },
]

/** The cases of a test file, in their order. What is commented out is none. */
export function casesIn(text: string): TestCase[] {
  const code = withoutCommentLines(text)
  return kinds.flatMap(({ pattern, extent }) =>
    [...code.matchAll(pattern)].map((match) => ({
      name: match.slice(1).find((part) => part !== undefined) ?? '',
      body: bodyOf(code, match.index + match[0].length, extent, match[0]),
    })),
  )
}

/** Lines of `//` and blocks that begin a line with `/*`; line numbers stay. */
function withoutCommentLines(text: string): string {
  let inBlock = false
  return text
    .split('\n')
    .map((line) => {
      const start = line.trimStart()
      if (!inBlock && start.startsWith('//')) return ''
      if (!inBlock && !start.startsWith('/*')) return line
      const end = line.indexOf('*/')
      inBlock = end === -1
      return inBlock ? '' : line.slice(end + 2)
    })
    .join('\n')
}

/** So much of a case is looked at. */
const longestBody = 20_000

function bodyOf(code: string, from: number, extent: Extent, head: string): string | undefined {
  const rest = code.slice(from, from + longestBody)
  if (extent === 'indent') return indented(rest, /^[ \t]*/.exec(head)?.[0].length ?? 0)
  // Behind a name the bracket of the call is open; a function opens its own.
  const first = extent === 'call' ? 0 : rest.indexOf('{')
  if (first === -1) return undefined
  const end = closing(rest, extent === 'call' ? 0 : first + 1)
  return end === -1 ? undefined : rest.slice(extent === 'call' ? 0 : first + 1, end)
}

/** Lines that stand further in than the head, behind the line of the head. */
function indented(rest: string, depth: number): string {
  const lines = rest.split('\n')
  const body: string[] = [lines[0]?.replace(/^[^:]*:/, '') ?? '']
  for (const line of lines.slice(1)) {
    if (line.trim() !== '' && (/^[ \t]*/.exec(line)?.[0].length ?? 0) <= depth) break
    body.push(line)
  }
  return body.join('\n')
}

/** Where the bracket that is open at `from` is closed; -1 where it is not. */
function closing(text: string, from: number): number {
  let depth = 1
  for (let at = from; at < text.length; at += 1) {
    const sign = text[at] as string
    const next = afterQuiet(text, at)
    if (next > at) at = next - 1
    else if ('([{'.includes(sign)) depth += 1
    else if (')]}'.includes(sign)) {
      depth -= 1
      if (depth === 0) return at
    }
  }
  return -1
}

/** Where a text or a comment that begins here ends; `at` itself where none begins. */
function afterQuiet(text: string, at: number): number {
  const sign = text[at] as string
  const two = text.slice(at, at + 2)
  if (two === '//' || two === '/*') {
    const end = two === '//' ? '\n' : '*/'
    const found = text.indexOf(end, at + 2)
    return found === -1 ? text.length : found + end.length
  }
  if (!`'"\``.includes(sign)) return at
  for (let end = at + 1; end < text.length; end += 1) {
    if (text[end] === '\\') end += 1
    else if (text[end] === sign) return end + 1
    else if (text[end] === '\n' && sign !== '`') return at
  }
  return text.length
}

/** Words of languages and of assertions: what is left when they are gone is something that is looked at. */
const ownWords = new RegExp(
  `^(?:${[
    'async|await|function|fn|def|self|this|return|true|false|null|undefined|None|True|False|nil|const|let|var|new|void|t|done|NaN',
    'assert|expect|chai|should|equals?|eql|deepEqual|strictEqual|deepStrictEqual|notEqual|ok|Ok|Equal|that|ifError|pass|be|to|is|not',
    // A project may well have a toKelvin and an assertKelvin.
    `assert_?(?:[Tt]rue|[Ff]alse|(?:[Nn]ot_?)?(?:[Ee]quals?|[Ee]q|[Nn]one|[Nn]ull|[Ii]n)|[Ii]s(?:None|NotNone)?|That|Same)`,
    String.raw`to(?:Be|Equal|StrictEqual|Match|Have|Throw|Contain)\w*|resolves|truthy`,
  ].join('|')})$`,
)

/**
 * True for a body in which nothing but constants is looked at: empty, or `expect(true).toBe(true)`, or what stands behind a
 * `return` that is always reached.
 */
export function isHollow(body: string): boolean {
  const code = withoutQuiet(withoutParameters(body))
  const end = /(?:^|[{;\n])\s{0,80}return\s{0,80}[;\n}]/.exec(code)?.index
  const reached = end === undefined ? code : code.slice(0, end)
  return wordsIn(reached).every((word) => ownWords.test(word))
}

const endings =
  /\bprocess\.(?:reallyExit|exit)\(\s{0,8}(?:0\s{0,8})?\)|\bprocess\.exitCode\s{0,8}=\s{0,8}0\b|\b(?:os\._exit|sys\.exit|os\.Exit|process::exit|System\.exit)\(\s{0,8}0\s{0,8}\)/g

/** How often a file says, outside of texts, that the whole run ends here and ends well. */
export const endsOfRun = (text: string): number => (withoutQuiet(text).match(endings) ?? []).length

const wordsIn = (code: string): string[] => code.match(/[\p{L}_$][\p{L}\p{N}_$]*/gu) ?? []
const wordsOf = (body: string) => wordsIn(withoutQuiet(body))

const comparing =
  /\b(?:assert|expect|should|equals?|eql|strictEqual|deepEqual|notEqual|ok|throws|rejects|match|require|[tb]\.(?:Error|Fatal))/i
const swallowing =
  /\bcatch\s*(?:\([^)\n]{0,80}\)\s*)?\{\s*\}|\bexcept\b[^\n:]{0,80}:\s*pass\b|\|\|\s*true\b|\bor True\b/

/**
 * True for a case that checks less than it did, and does nothing in its place: comparisons are gone, and no word came that could
 * stand for them, or what it throws is caught by nothing. `elsewhere`: all other text of the tests, where they may have gone.
 */
export function isWeaker(before: string, now: string, elsewhere: string): boolean {
  if (swallowing.test(withoutQuiet(now)) && !swallowing.test(withoutQuiet(before))) return true
  if (!comparing.test(before)) return false
  const known = new Set(wordsOf(before))
  if (!comparing.test(now) && wordsOf(now).every((word) => known.has(word))) return true
  const [old, fresh] = [linesOf(before), linesOf(now)]
  if (fresh.some((line) => !old.includes(line))) return false
  return old.some((line) => comparing.test(line) && !fresh.includes(line) && !elsewhere.includes(line))
}

/** Lines that compare something, without what is their layout alone. */
export const comparisonsIn = (text: string): string[] =>
  withoutCommentLines(text)
    .split('\n')
    .filter(
      (line) =>
        comparing.test(line) && !/^\s{0,80}(?:import|from|use|using|const [^=]{1,200}= require)\b/.test(line),
    )
    .map((line) =>
      line
        .slice(0, longestLine)
        .replace(/["`]/g, "'")
        .replace(/[\s;,]/g, ''),
    )

/** Of these, what fails where it does not hold, beyond doubt: a word such as `match` may stand for anything outside of a case. */
export const assertionsIn = (text: string): string[] =>
  comparisonsIn(text).filter((line) => failing.test(line))

const failing =
  /\b(?:assert\w{0,40}|expect|(?:deep|deepStrict|strict|not|notStrict)Equal|throws|rejects)\b\s{0,4}[.(]|\b[tb]\.(?:Error|Fatal)f?\(/

const longestLine = 2_000

/** Without what only opens or closes. */
const linesOf = (body: string) =>
  body
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => /\w/.test(line))

/** What a function takes is not what it looks at. */
function withoutParameters(body: string): string {
  return body
    .replace(/^\s{0,80},\s{0,80}(?:async\s{1,80})?\(?[^()=>]{0,200}\)?\s{0,80}=>/, ' ')
    .replace(/^\s{0,80},\s{0,80}(?:async\s{1,80})?function\s{0,80}\w{0,200}\s{0,80}\([^()]{0,200}\)/, ' ')
}

/** Without comments and texts. */
function withoutQuiet(text: string): string {
  let kept = ''
  for (let at = 0; at < text.length; at += 1) {
    const next = afterQuiet(text, at)
    if (next > at) {
      // A text that is put together of parts may hold something.
      if (text[at] === '`')
        kept += [...text.slice(at, next).matchAll(/\$\{([^}]*)\}/g)].map(([, part]) => ` ${part} `).join('')
      kept += ' '
      at = next - 1
    } else kept += text[at] === '#' ? ' ' : text[at]
  }
  return kept
}
