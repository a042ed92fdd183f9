// What the cases of a test file do, by their text: one that compares nothing of the project checks nothing
// (docs/evidence.md, "Tests"). Pure; linear in the text.

import type { Lines } from './skip-marks.js'
import { isSwallowed } from './swallowed.js'

export interface TestCase {
  name: string
  /** Between its name and its end; undefined where the end is not to be seen. */
  body: string | undefined
  /** From what stands right above its head to its end, or to the line of its name where the end is not to be seen. */
  lines: Lines
}

/** How far the body of a case reaches behind its name; `end`: to that word, as far in as the head stands. */
type Extent = 'call' | 'indent' | 'braces' | 'end' | 'none'

const quoted = String.raw`(?:'([^'\n]{1,200})'|"([^"\n]{1,200})"|\`([^\`\n]{1,200})\`)`
const lineOfMarks = String.raw`(?:\s{0,40}[@[][^\n]{0,300}\n){0,12}?`

const kinds: readonly { pattern: RegExp; extent: Extent }[] = [
  // JavaScript, Dart, Pest
  {
    pattern: new RegExp(
      String.raw`\b(?:test|it|specify)(?:\.\w{1,20}|\[['"]\w{1,20}['"]\]){0,3} {0,4}\(\s{0,40}${quoted}`,
      'g',
    ),
    extent: 'call',
  },
  // Python, and minitest
  { pattern: /^[ \t]{0,40}(?:async )?def (test\w{0,200})/gm, extent: 'indent' },
  // Go
  { pattern: /^func ((?:Test(?!Main\b)|Fuzz|Example)\w{0,200})\(/gm, extent: 'braces' },
  // Rust
  {
    pattern:
      /#\[(?:\w{1,40}::)?(?:test|rstest|test_case)(?:\([^\n]{0,200}\))?\](?:\s{1,40}#\[[^\n]{0,200}\]){0,8}\s{1,40}(?:pub )?(?:async )?fn (\w{1,200})/g,
    extent: 'braces',
  },
  // Java, Kotlin
  {
    pattern: new RegExp(
      String.raw`@(?:Test|ParameterizedTest|RepeatedTest|TestFactory|TestTemplate|Property)\b[^\n]{0,200}\n${lineOfMarks}\s{0,40}(?:public |private |protected |internal |final |static |suspend |fun |void ){1,5}(?:\`([^\`\n]{1,200})\`|(\w{1,200}))`,
      'g',
    ),
    extent: 'braces',
  },
  { pattern: /@Test\b[^\n]{0,200}\n\s{0,40}(\w{1,200})\(/g, extent: 'braces' },
  // .NET
  {
    pattern:
      /\[(?:Fact|Theory|Test|TestCase|TestCaseSource|TestMethod|DataTestMethod)\b[^\n]{0,300}\](?:\s{1,40}\[[^\n]{0,300}\]){0,12}\s{1,40}public (?:async |static |virtual |override ){0,3}(?:void|Task|ValueTask) (\w{1,200})/g,
    extent: 'braces',
  },
  // PHP
  { pattern: /\bpublic (?:static )?function (test\w{0,200})\s{0,4}\(/g, extent: 'braces' },
  {
    pattern:
      /#\[Test\b[^\n]{0,100}\](?:\s{1,40}#\[[^\n]{0,200}\]){0,8}\s{1,40}public function (\w{1,200})\s{0,4}\(/g,
    extent: 'braces',
  },
  // Swift
  { pattern: /^[ \t]{1,40}(?:@?\w{1,40} ){0,4}func (test\w{0,200})\(/gm, extent: 'braces' },
  { pattern: /@Test\b[^\n]{0,200}?\s{1,40}(?:public )?func (\w{1,200})\(/g, extent: 'braces' },
  // C++
  {
    pattern:
      /^[ \t]{0,20}(?:TEST|TEST_F|TEST_P|TYPED_TEST|TYPED_TEST_P|BOOST_AUTO_TEST_CASE|BOOST_FIXTURE_TEST_CASE)\(\s{0,8}(\w{1,200}(?:\s{0,8},\s{0,8}\w{1,200})?)/gm,
    extent: 'braces',
  },
  { pattern: /^[ \t]{0,20}(?:TEST_CASE|SCENARIO)\(\s{0,8}"([^"\n]{1,200})"/gm, extent: 'braces' },
  // Ruby, Elixir
  {
    pattern: new RegExp(
      String.raw`^[ \t]{0,40}[fx]?(?:it|specify|example|scenario|test|should|property) {1,4}${quoted}[^\n]{0,200}\bdo\b`,
      'gm',
    ),
    extent: 'end',
  },
  // bats, Terraform, Gherkin
  { pattern: /^@test ['"]([^'"\n]{1,200})['"]/gm, extent: 'braces' },
  { pattern: /^run "([^"\n]{1,200})" \{/gm, extent: 'none' },
  { pattern: /^[ \t]{0,20}Scenario(?: Outline)?: ([^\n]{1,200})$/gm, extent: 'none' },
]

/** The cases of a test file, in their order. What is commented out is none. */
export function casesIn(text: string): TestCase[] {
  const code = withoutCommentLines(text)
  const found = new Map<string, TestCase>()
  for (const { pattern, extent } of kinds) {
    const looked = extent === 'indent' ? withoutLongTexts(code) : code
    for (const match of looked.matchAll(pattern)) {
      const name = match.slice(1).find((part) => part !== undefined) ?? ''
      const from = match.index + match[0].length
      const body = extent === 'none' ? undefined : bodyOf(looked, from, extent, match[0])
      const at = `${from}`
      // One head may be known in two ways.
      if (!found.has(at)) found.set(at, { name, body, lines: linesAround(code, match, body) })
    }
  }
  return [...found.values()]
}

/** Texts of many lines are none of Python's code. Places and lines stay. */
const withoutLongTexts = (code: string) =>
  code.replace(/("""|''')[\s\S]*?\1/g, (text) => text.replace(/[^\n]/g, ' '))

/** With the lines right above that belong to it: attributes, decorators, tags. */
function linesAround(code: string, match: RegExpExecArray, body: string | undefined): Lines {
  const newlines = (part: string) => part.split('\n').length - 1
  const from = match.index + match[0].length
  const above = code.slice(0, match.index).split('\n')
  const head = above.length - 1 + (/^\s*/.exec(match[0])?.[0].split('\n').length ?? 1) - 1
  let first = head
  while (first > 0 && /^\s*(?:@|#\[|\[|#if\b)/.test(above[first - 1] ?? '')) first -= 1
  return [first, newlines(code.slice(0, from)) + newlines(body ?? '')]
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

/** Lines of comments of a language in which these begin with a hash. */
const withoutHashLines = (body: string | undefined) => body?.replace(/^[ \t]*#[^\n]*$/gm, '')

/** Up to the line that is that word, as far in as the head. */
function untilEnd(rest: string, depth: number): string | undefined {
  const lines = rest.split('\n')
  const last = lines.findIndex((line, at) => at > 0 && /^[ \t]*end\b/.test(line) && indentOf(line) === depth)
  return last === -1 ? undefined : lines.slice(0, last).join('\n')
}

const indentOf = (line: string) => /^[ \t]*/.exec(line)?.[0].length ?? 0

function bodyOf(
  code: string,
  from: number,
  extent: Exclude<Extent, 'none'>,
  head: string,
): string | undefined {
  const rest = code.slice(from, from + longestBody)
  const depth = /^[ \t]*/.exec(head)?.[0].length ?? 0
  if (extent === 'indent') return withoutHashLines(indented(rest, depth))
  if (extent === 'end') return withoutHashLines(untilEnd(rest, depth))
  // Of one expression there is no bracket.
  const short = extent === 'braces' ? /^[^\n{]{0,200}=>?\s{1,40}([^\n]{1,1000})/.exec(rest)?.[1] : undefined
  if (short !== undefined && !short.startsWith('{')) return short
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
    'async|await|function|fn|def|self|this|return|true|false|null|undefined|None|True|False|nil|const|let|var|new|void|t|done|NaN|do|end|\\$this|self',
    'assert|Assert|Assertions|expect|chai|should|equals?|eql|deepEqual|strictEqual|deepStrictEqual|notEqual|ok|Ok|Equal|that|ifError|pass|be|to|is|not',
    // A project may well have a toKelvin and an assertKelvin.
    'XCTAssert(?:True|False|Equal|NotNil|Nil)?|(?:EXPECT|ASSERT)_(?:TRUE|FALSE|EQ|NE|STREQ)|REQUIRE|CHECK|True|False|Equal|AreEqual|IsTrue|IsFalse|Pass|expectNotToPerformAssertions|addToAssertionCount',
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

/** Words that show something to whoever reads the output, and hold nothing to it. */
const telling =
  /^(?:_|console|log|Log|Logf|info|debug|warn|print|println|printf|Println|Printf|puts|fmt|System|out)$/

const comparing =
  /\b(?:assert|expect|should|equals?|eql|strictEqual|deepEqual|notEqual|ok|throws|rejects|match|require|[tb]\.(?:Error|Fatal))/i
/**
 * True for a case that checks less than it did, and does nothing in its place: comparisons are gone, and no word came that could
 * stand for them, or what it throws is caught by nothing. `elsewhere`: all other text of the tests, where they may have gone.
 */
export function isWeaker(before: string, now: string, elsewhere: string): boolean {
  if (isSwallowed(withoutQuiet(now)) && !isSwallowed(withoutQuiet(before))) return true
  if (!comparing.test(before)) return false
  const known = new Set(wordsOf(before))
  const isIdle = (word: string) => known.has(word) || ownWords.test(word) || telling.test(word)
  if (!comparing.test(now) && wordsOf(now).every(isIdle)) return true
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
        comparing.test(line) &&
        !/^\s{0,80}(?:#\s{0,8}include|import|from|use|using|const [^=]{1,200}= require)\b/.test(line),
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
