import { type CodeSpan, codeSpans } from './code-spans.js'
import { withoutEnd } from './edit.js'
import { cellsOf, delimiterCells } from './markdown-table.js'
import { isStructural, looksLikeCommand } from './playbook-command-word.js'
import { expectationOf } from './playbook-expectation.js'
import type { Expectation } from './playbook-outcome.js'
import { ofAbsence, ofCommand, showsNothing } from './playbook-outcome-of-command.js'

export type { Expectation } from './playbook-outcome.js'

// One thing that has to be true, and the commands that show it (docs/playbook.md, "Criteria").

/**
 * How a criterion can be shown: by looking at files, by running something, by agents that trace code, or by nothing that
 * a program could decide.
 */
export type CriterionKind = 'structural' | 'execution' | 'behavioral' | 'unproven'

export interface PlaybookCriterion {
  /** What should be true, in words; the command itself where nothing else is said. */
  text: string
  /**
   * As written, entities decoded; all of them have to pass. `{project.commands.X}` is expanded where they are run. What
   * a behavioral one names is for agents and no shell; an unproven one may have commands that are run and only shown.
   */
  commands: string[]
  kind: CriterionKind
  /** Null where no command decides: behavioral and unproven ones. */
  expectation: Expectation | null
  /** Of each command, where they are to come to different things; `expectation` is that of the first. */
  expectations?: Expectation[]
}

/** What one of its commands has to come to. */
export function expectedOf(
  { expectation, expectations }: Pick<PlaybookCriterion, 'expectation' | 'expectations'>,
  command: number,
): Expectation | null {
  return expectations?.[command] ?? expectation
}

export interface CriterionContext {
  /** Whether a word is a program that is there, or an existing `./script`. */
  isProgram?: (word: string) => boolean
}

const verifiedBy =
  /^(.*?)[\s*(]{0,9}(?:--{1,9}|—|–|-|\()\s{0,9}\*{0,3}\s{0,9}verified\s{1,9}by\b\*{0,3}\s{0,9}:?\s{0,9}\*{0,3}\s{0,9}(.*)$/is
/** Words that ask to run what follows, and say nothing of its outcome. */
const runVerb =
  /^(?:(?:then|and|also|now)\s{1,9})?(?:(?:run|running|execute|verify|check|confirm|ensure|test|automated|command|quick check|smoke(?: test| check)?|verification|acceptance|build|lint|tests?|type[- ]?check)(?:\s{1,9}(?:that|with|by|using|via|running|the|command|suite|tests?)){0,6})\s{0,9}:?\s{0,9}$/i

/** Whether an item says itself how it is shown. */
export const saysVerifiedBy = (item: string): boolean => verifiedBy.test(item.trim())

/** Reads one item of a list of criteria, without its mark. */
export function criterionOf(item: string, context: CriterionContext = {}): PlaybookCriterion {
  const text = item.trim()
  const verified = verifiedBy.exec(text)
  if (verified !== null) return verifiedCriterion(verified[1] ?? '', verified[2] ?? '', text)
  // What a person has to look at is decided by nobody else.
  if (/^[\W_]{0,6}(?:manual(?:ly)?|visual(?:ly)?|human|optional(?:ly)?)\b/i.test(text)) return unproven(text)
  const trace = namedTrace(text)
  if (trace !== undefined) return { text, commands: [trace], kind: 'behavioral', expectation: null }
  const spans = codeSpans(text)
  const commands = spans.filter((span) => looksLikeCommand(span.code, context.isProgram))
  const [first] = commands
  if (first === undefined) return unproven(text)
  const before = text.slice(0, first.start).trim()
  // "Calls `npm test` in CI" speaks of a command; "`npm test` passes" and "Tests pass: `npm test`" ask for one.
  const leads = before === '' || runVerb.test(before.replace(/[*_]/g, ''))
  const follows = /(?:[:—–(]|--|->|=>)\s*$/.test(before)
  if (!leads && !follows) return spoken(text, commands, before)
  return quotedCriterion(text, commands, leads ? '' : before)
}

/** A criterion of a command alone: of `<automated>`. */
export function automatedCriterion(command: string): PlaybookCriterion {
  const text = decodeEntities(command).trim()
  if (/^\W{0,4}(?:MISSING|TBD|TODO|N\/A|none)\b/i.test(text) || text === '') return unproven(text)
  return {
    text,
    commands: [text],
    kind: isStructural(text) ? 'structural' : 'execution',
    expectation: { op: 'exit', value: 0 },
  }
}

function verifiedCriterion(description: string, said: string, whole: string): PlaybookCriterion {
  const text = withoutEnd(description, ' \t\n*:') || whole
  const spans = codeSpans(said)
  const [first] = spans
  if (first === undefined) {
    if (isTrace(said)) return { text, commands: [said.trim()], kind: 'behavioral', expectation: null }
    return unproven(text)
  }
  if (isTrace(first.code))
    return { text, commands: spans.map(({ code }) => code), kind: 'behavioral', expectation: null }
  // A quote behind the word of an expectation is what is expected: (contains `ok`).
  const commands = spans.filter((span, at) => at === 0 || !inParentheses(said, span.start))
  return withOutcome(text, commands, outcomesOf(said, commands))
}

function quotedCriterion(text: string, commands: CodeSpan[], before: string): PlaybookCriterion {
  const outcomes = outcomesOf(text, commands)
  const last = outcomes[outcomes.length - 1] ?? ''
  const said = outcomes.map((outcome) => outcome.replace(/^[\s.,;:)*-]+$/, ''))
  if (said.every((outcome) => !/[\p{L}\p{N}]/u.test(outcome)) && before !== '') {
    // All that is said of it stands before it: "All tests pass: `npm test`".
    const [only, ...others] = commands
    const absence = only === undefined || others.length > 0 ? undefined : ofAbsence(before, only.code)
    if (absence !== undefined) return withExpectation(text, commands, absence)
    const expectation = ofOutput(expectationOf(before), before)
    return withExpectation(text, commands, expectation ?? { op: 'exit', value: 0 })
  }
  return withOutcome(text, commands, outcomes.length === 1 ? [last] : outcomes)
}

/** What a file contains is what the command finds out, not what it prints. */
function ofOutput(expectation: Expectation | null, said: string): Expectation | null {
  return expectation?.op === 'contains' && !/\b(?:output|prints?|stdout|says?|echoe?s)\b/i.test(said)
    ? null
    : expectation
}

/** A sentence that names a command in its middle: only a clear outcome behind it makes it one to decide by. */
function spoken(text: string, commands: CodeSpan[], before: string): PlaybookCriterion {
  const [only, ...others] = commands
  if (only === undefined || others.length > 0) return unproven(text)
  const outcome = text.slice(only.end)
  const clear =
    /^[\s*"']{0,9}(?:\(|--|—|–|->|→|=>|:)?\s{0,9}(?:still\s{1,9}|then\s{1,9}|also\s{1,9})?(?:returns?|exits?|outputs?|prints?|pass(?:es)?|succeeds?|fails?|expect|contains|shows? no|finds? no|has no|is empty|yields?|gives?|reports?|=|>|<|≥|≤)/i
  const isRun = /\b(?:run(?:ning)?|execut(?:e|ing)|output of|result of|that|with|via|by|using)\s{0,9}$/i.test(
    before,
  )
  if (!clear.test(outcome) && !isRun) return unproven(text)
  return withExpectation(text, commands, ofCommand(expectationOf(outcome), outcome, only.code))
}

/** What is said behind each command, up to the next one. */
function outcomesOf(text: string, commands: readonly CodeSpan[]): string[] {
  return commands.map((span, at) => text.slice(span.end, commands[at + 1]?.start ?? text.length))
}

function withOutcome(text: string, commands: CodeSpan[], outcomes: readonly string[]): PlaybookCriterion {
  const read = outcomes.map((outcome, at) => {
    if (isJoint(outcome)) return undefined
    // One outcome behind several commands is that of the last.
    const command = commands[outcomes.length === 1 ? commands.length - 1 : at]
    return ofCommand(expectationOf(outcome), outcome, command?.code ?? '')
  })
  if (read.includes(null)) return withExpectation(text, commands, null)
  // What says nothing has the outcome of the next that does; behind the last of them all is well where it succeeds.
  const own = read.map((one, at) => one ?? read.slice(at).find((later) => later !== undefined) ?? success)
  const [first = success] = own
  const same = own.every((one) => JSON.stringify(one) === JSON.stringify(first))
  return withExpectation(text, commands, first, same ? undefined : own)
}

const joint =
  /^\s{0,3}(\([\w\s/-]{1,30}\)\s{0,3}(?=[,;&+]|and\b|or\b|then\b))?[\s,;&+(]{0,9}(?:and|then|also|or|followed\sby)?[\s,;&+]{0,9}$/i

/** Only leads on to the next command. What is said in parentheses may be a note, or an outcome. */
function isJoint(said: string): boolean {
  const match = joint.exec(said)
  return match !== null && (match[1] === undefined || expectationOf(match[1]) === null)
}

const success: Expectation = { op: 'exit', value: 0 }

function withExpectation(
  text: string,
  spans: readonly CodeSpan[],
  expectation: Expectation | null,
  expectations?: Expectation[],
): PlaybookCriterion {
  const commands = spans.map(({ code }) => code)
  if (expectation === null || commands.some(showsNothing))
    return { text, commands, kind: 'unproven', expectation: null }
  const kind = isStructural(commands[0] ?? '') ? 'structural' : 'execution'
  return { text, commands, kind, expectation, ...(expectations === undefined ? {} : { expectations }) }
}

function unproven(text: string): PlaybookCriterion {
  return { text, commands: [], kind: 'unproven', expectation: null }
}

/** `read File.tsx:symbol and trace to ..` is work for an agent. */
function isTrace(text: string): boolean {
  return /^\s{0,9}read\s{1,9}\S{1,300}\s.{0,600}\btrac(?:e|ing)\b/is.test(text)
}

/** The same as an item of its own, in code marks or not: it begins with the file that is read. */
function namedTrace(text: string): string | undefined {
  const said = text.replace(/^`([^`]{1,600})`[\s.]{0,3}$/, '$1')
  return /^read\s{1,9}`?[\w@()[\]-]{0,200}[./:]/i.test(said) && isTrace(said) ? said : undefined
}

function inParentheses(text: string, at: number): boolean {
  let depth = 0
  for (const character of text.slice(0, at)) {
    if (character === '(') depth += 1
    else if (character === ')') depth = Math.max(0, depth - 1)
  }
  return depth > 0
}

/** A row of a table as an item; `\|` is a pipe there. Undefined for its head and the line below. */
export function itemOfRow(line: string): string | undefined {
  if (delimiterCells(line.trim()) > 0) return undefined
  const cells = cellsOf(line.trim()).map(({ text }) => text.replaceAll('\\|', '|'))
  const whole = cells.find((text) => /verified\s+by/i.test(text))
  if (whole !== undefined) return whole
  const at = cells.findIndex((text) => {
    const [span] = codeSpans(text)
    return span?.start === 0 && looksLikeCommand(span.code)
  })
  if (at === -1) return undefined
  const description = cells
    .slice(0, at)
    .filter((text) => !/^[\d.#\s]*$/.test(text))
    .join(' ')
  const outcome = cells[at + 1] ?? ''
  return `${description} -- verified by: ${cells[at]}${outcome === '' ? '' : ` (${outcome})`}`
}

const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
}

export function decodeEntities(text: string): string {
  return text.replace(
    /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(amp|lt|gt|quot|apos|nbsp));/gi,
    (all, decimal, hex, name) => {
      if (name !== undefined) return entities[String(name).toLowerCase()] ?? all
      const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal)
      return code <= 0x10ffff ? String.fromCodePoint(code) : all
    },
  )
}
