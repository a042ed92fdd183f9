import { fenced } from '../../../agents/quote.js'
import { inOneLine } from '../../../documents/edit.js'
import type { OrderCriterion, OrderTask } from '../orders/fields.js'
import type { Order } from '../orders/order.js'
import { traceStep } from '../orders/traces.js'
import { responseBudgets } from '../response-budget.js'
import type { Expects } from '../results.js'
import { categories, meanings } from '../taxonomy.js'
import { shapes } from './shapes.js'

// What the prompts of all personas have in common. Paths, never the contents of files.

/** How a conversation begins. */
export interface Begin {
  /** It was begun before and broken off, and cannot be continued. */
  interrupted: boolean
  /** A word of the person for this dispatch. */
  note?: string
}

/** What one persona is to know, in the words of its own file. */
export interface PageWords {
  /** Who it is and what it is there for, in the second person. */
  role: string
  /** Lines of facts beside those that everybody gets. */
  where: readonly (readonly [string, string])[]
  /** Sections of its own, with their headings, before the rules. */
  sections?: readonly (string | undefined)[]
  must: readonly string[]
  should: readonly string[]
  may: readonly string[]
  /** Where its product goes, in words. */
  output: string
}

/** The whole prompt of one dispatch. */
export function page<Kind extends Expects>(
  order: Order<Kind> & { expects: Expects },
  begin: Begin,
  words: PageWords,
): string {
  const sections = [
    words.role,
    whereYouAre(order, words.where),
    enforcement(order),
    begin.interrupted ? interrupted : undefined,
    ...(words.sections ?? []),
    note(begin),
    rules('You must', [...words.must]),
    rules('You should', words.should),
    rules('You may', words.may),
    always,
    output(order, words.output),
    result(order.expects),
  ]
  return `${sections.filter((section) => section !== undefined).join('\n\n')}\n`
}

function whereYouAre(
  order: Pick<Order<Expects>, 'phase' | 'phaseDir' | 'phaseType' | 'specPath' | 'roadmapPath' | 'commands'>,
  more: readonly (readonly [string, string])[],
): string {
  const { phase, commands } = order
  const rows: (readonly [string, string])[] = [
    ['Phase', `${phase.id}: ${phase.name} (${phase.number} of ${phase.total} in this run)`],
    ['Goal', phase.goal.trim() === '' ? 'not written down; take it from name and criteria' : phase.goal],
    ['Kind of phase', order.phaseType],
    ['Directory of the phase', `\`${order.phaseDir}\``],
    ['Spec', `\`${order.specPath}\``],
    ['Roadmap', `\`${order.roadmapPath}\``],
    ...(['compile', 'lint', 'build', 'test'] as const).map(
      (name) =>
        [`Command to ${name}`, commands[name] === null ? 'none; skip it' : `\`${commands[name]}\``] as const,
    ),
    ...more,
  ]
  const lines = rows.map(([name, value]) => `- ${name}: ${inOneLine(value)}`)
  return `## Where you are\n\n${lines.join('\n')}\n\nPaths are relative to the directory that you start in. Read what you need from the files.`
}

function enforcement({
  enforcement: why,
}: {
  enforcement?: { check: string; reason: string }
}): string | undefined {
  if (why === undefined) return undefined
  return `## Why you are asked once more\n\nWhat was handed in before did not hold (${inOneLine(why.check)}):\n\n${fenced(why.reason, 'text')}\n\nDo the work anew, so that this cannot be said again.`
}

const interrupted = `## You are not the first

This work was begun before and was broken off. Files may be half written and commits may be there already. Look at \`git log\` and \`git status\` first; keep what is good and do not repeat what is finished.`

function note({ note: text }: Begin): string | undefined {
  if (text === undefined || text.trim() === '') return undefined
  return `## A note from the person in charge\n\n${fenced(text.trim(), 'text')}\n\nIt takes precedence.`
}

export function rules(heading: string, lines: readonly string[]): string | undefined {
  if (lines.length === 0) return undefined
  return `## ${heading}\n\n${lines.map((line, at) => `${at + 1}. ${line}`).join('\n')}`
}

const always = `## Rules that hold throughout

- Ask nothing and wait for nothing: nobody answers. Where you must choose, choose what spec and plan support best, and say so.
- Do the work of this role and no other; start no other agent.
- Never push, amend, rebase, reset, stash or change the branch. Leave changes that are not yours as they are.
- Install nothing globally, and write nothing outside of this directory.
- Do not touch what the program keeps: \`.autopilot/\`, the log of the phase, reports that are not yours.
- Report only what you did and saw. What you claim is checked by commands; a failure told plainly is worth more than a success that is not one.
- Leave no process running when you end.`

function output(order: Pick<Order<Expects>, 'tracePath' | 'expects' | 'phase'>, words: string): string {
  return `## What you leave behind

${words}

Append what you do to \`${order.tracePath}\`, one JSON object a line, summaries of at most 200 characters:

    {"timestamp": "<ISO 8601>", "phase_id": "${order.phase.id}", "step": "${traceStep(order.expects)}", "action": "file_read" | "file_write" | "command_run" | "tool_call" | "decision", "input_summary": "...", "output_summary": "...", "duration_ms": 0, "status": "success" | "failure" | "skipped"}

If you cannot write it, go on without.`
}

function result(expects: Expects): string {
  const { response, summary } = responseBudgets[expects]
  return `## Result

Your last message must end with one fenced block marked \`json\` and nothing after it. The exact shape:

${shapes[expects].replace(/^/gm, '    ')}

Lists may be empty. Budget: at most ${response} lines in that message, at most ${summary} of them beside the result. Add \`"issues_detected": ["..."]\` for what somebody should know and no field holds.`
}

/** Criteria by their ids, with what shows them. */
export function criteriaSection(heading: string, criteria: readonly OrderCriterion[]): string {
  if (criteria.length === 0) return `## ${heading}\n\nNone is written down; go by the goal of the phase.`
  return `## ${heading}\n\n${criteria.map(criterionLine).join('\n')}\n\nName a criterion by its id.`
}

function criterionLine(criterion: OrderCriterion): string {
  const { id, text, commands, kind, expectation, expectations } = criterion
  const own = (at: number) => (expectations?.[at] ? ` (${expectationText(expectations[at])})` : '')
  const shown =
    commands.length > 0
      ? commands.map((command, at) => `${codeSpan(command)}${own(at)}`).join(' and ')
      : kind === 'behavioral'
        ? 'trace it through the code'
        : 'no command shows it'
  const expected =
    expectation === null || expectations !== undefined ? '' : `, ${expectationText(expectation)}`
  return `- ${id} (${kind}): ${inOneLine(text)}; ${shown}${expected}`
}

function codeSpan(command: string): string {
  return command.includes('`') ? inOneLine(command) : `\`${inOneLine(command)}\``
}

function expectationText(expectation: NonNullable<OrderCriterion['expectation']>): string {
  switch (expectation.op) {
    case 'equals':
      return `the value is ${expectation.value}`
    case 'atLeast':
      return expectation.and === undefined
        ? `the value is at least ${expectation.value}`
        : `the value is between ${expectation.value} and ${expectation.and.value}`
    case 'atMost':
      return `the value is at most ${expectation.value}`
    case 'exit':
      return `it exits with ${expectation.value}`
    case 'exitNot':
      return `it does not exit with ${expectation.value}`
    case 'match':
      return 'it prints something'
    case 'noMatch':
      return 'it prints nothing'
    case 'contains':
      return `it prints ${JSON.stringify(expectation.value)}`
  }
}

/** One task as a heading with what has to be true of it. */
export function taskSection(task: OrderTask): string {
  const { id, title, type, complexity, files } = task
  const lines = [
    `- Type: ${type}, complexity: ${complexity}`,
    `- Files: ${files.length === 0 ? 'none named' : files.map((file) => `\`${file}\``).join(', ')}`,
  ]
  return `${criteriaSection(`Task ${id}: ${inOneLine(title)}`, task.criteria).replace('\n\n', `\n\n${lines.join('\n')}\n`)}`
}

/** What commands of the program came to. */
export function reportsSection(
  heading: string,
  reports: readonly { command: string; exitCode: number | null; output: string; assessment: string }[],
): string | undefined {
  if (reports.length === 0) return undefined
  const lines = reports.map(
    ({ command, exitCode, output: text, assessment }) =>
      `$ ${inOneLine(command)}\n# ${assessment}, exit ${exitCode ?? 'none'}\n${text.trimEnd()}`,
  )
  return `## ${heading}\n\n${fenced(lines.join('\n\n'), 'text')}`
}

/** A list under its heading; left out where it is empty. */
export function listSection(heading: string, items: readonly string[], info?: string): string | undefined {
  if (items.length === 0) return undefined
  const text = items.map((item) => `- ${inOneLine(item)}`).join('\n')
  return `## ${heading}\n\n${info === undefined ? text : `${info}\n\n${text}`}`
}

export function pathsText(paths: readonly string[]): string {
  return paths.length === 0 ? 'none' : paths.map((path) => `\`${path}\``).join(', ')
}

/** The ten words for a failure. */
export function taxonomySection(): string {
  return `## Words for failures\n\n${categories.map((word) => `- \`${word}\`: ${meanings[word]}`).join('\n')}`
}
