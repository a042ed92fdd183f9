import { fenced } from '../../../agents/quote.js'
import { inOneLine } from '../../../documents/edit.js'
import {
  bullets,
  contextFirst,
  facts,
  groundRules,
  handoffRule,
  interruptedNotice,
  opening,
  type PhaseFields,
  page,
  personNote,
  phaseLine,
  resultRule,
  type SessionFields,
  scratchpadRule,
} from './shared.js'

/** One earlier try at a task: what went wrong, and what was done about it. */
export interface EarlierAttempt {
  error: string
  /** Before the first one: what the agent had tried by itself. */
  tried?: string
  fix: string
}

/** Order to try one failed task again. What is shown grows with the attempt (docs/harness.md, "Execution"). */
export interface RetryOrder {
  /** Task id, as `2` or `Task 2`. */
  task: string
  /** 1-based. */
  attempt: number
  maxAttempts: number
  earlier: readonly EarlierAttempt[]
  errorOutput: string
  /** From attempt 2. */
  relatedFiles?: readonly string[]
  similarLearnings?: readonly string[]
  /** From attempt 3. */
  testOutput?: string | undefined
  imports?: readonly string[] | undefined
  /** The task's text in the plan, to be searched for what can be read in two ways. */
  planText?: string | undefined
}

export interface FixFinding {
  severity?: string
  file?: string
  /** 1-based line or range. */
  line?: number | readonly [number, number] | null
  title: string
  rationale?: string
}

/** What harness-task-executor is told (docs/harness.md, "Prompts"). */
export interface ExecutorFields extends PhaseFields {
  planPath: string
  /** What was doubted of the dispatch before. */
  doubts?: readonly string[]
  /** The task state that it keeps: `{sessionDir}/state.json`. */
  statePath: string
  /** All tasks of the plan. An id is `1` or `Task 1`; the key in the task state is `Task 1` for both. */
  tasks: readonly { id: string; title: string; status: string }[]
  /** Id of the task to begin with; absent: the first open one. */
  startTask?: string
  scratchpadDir?: string
  checkpointAnswer?: { type: string; task: string; answer: string; note?: string }
  retry?: RetryOrder
  /** Gaps of a verification, findings of a review, or the note of a rejected checkpoint, to be mended now. */
  fixes?: { source: 'verification' | 'review' | 'checkpoint' | 'tests'; findings: readonly FixFinding[] }
}

/** The one name of a task, also its key in the task state: `Task 1`, for `1` as for `Task 1`. */
function taskName(id: string): string {
  const name = id.trim().replace(/^task(?![a-z])[\s:#-]*/i, 'Task ')
  return /\btask\b/i.test(name) ? name.trim() : `Task ${name}`
}

/** Prompt that has the open tasks of a plan carried out, one task tried again, or findings mended. */
export function taskExecutorPrompt(fields: ExecutorFields): string {
  const { phase } = fields
  return page(
    opening('harness-task-executor', 'harness-execution', `carry out phase ${phase.label}: ${phase.name}`),
    facts(fields, [phaseLine(fields), ['Plan', fields.planPath], ['Task state', fields.statePath]]),
    contextFirst(fields, 'harness-execution'),
    interruptedNotice(fields),
    order(fields),
    doubted(fields.doubts),
    answered(fields),
    personNote(fields),
    method(fields.planPath),
    checkpoints(),
    taskState(fields),
    scratchpadRule(fields.rigor, fields.scratchpadDir, 'task-{N}-<topic>.md'),
    groundRules(),
    handoffRule(fields.sessionDir, {
      fromSkill: 'harness-execution',
      phase: 'EXECUTE',
      extra: ['"learnings": ["<what the next one should know>"]'],
    }),
    executionResult(),
  )
}

function order(fields: ExecutorFields): string {
  if (fields.retry) return retryOrder(fields.retry)
  if (fields.fixes) return fixOrder(fields.fixes)
  const tasks = fields.tasks.map((task) => `${taskName(task.id)}: ${task.title} (${task.status})`)
  const start =
    fields.startTask === undefined ? 'the first task that is not complete' : taskName(fields.startTask)
  return `## The work

Carry out the plan's open tasks in order, beginning with ${start}. Tasks that are complete stay as they are.

${bullets(tasks)}`
}

function retryOrder(retry: RetryOrder): string {
  const name = taskName(retry.task)
  const earlier = retry.earlier.map(
    ({ error, tried, fix }, index) =>
      `${index + 1}. Error: ${oneLine(error).replace(/^(?:error: ?)+/i, '')}${tried ? `, after: ${oneLine(tried)}` : ''}. Tried: ${oneLine(fix) || 'this is the attempt'}`,
  )
  const sections = [
    `## The work: ${name}, attempt ${retry.attempt} of ${retry.maxAttempts}

${name} failed. Mend and finish this one task; leave all later tasks alone. ${advice(retry.attempt)}`,
    `The error:\n\n${fenced(retry.errorOutput.trim() === '' ? '(no output was kept)' : retry.errorOutput.trim(), 'text')}`,
    earlier.length > 0
      ? `What was tried before, none of it enough:\n\n${earlier.join('\n')}\n\nDo not repeat a fix that failed.`
      : undefined,
    retry.attempt >= 2 ? whole('Files that have to do with it; read them:', retry.relatedFiles) : undefined,
    retry.attempt >= 2 ? list('Learnings from similar failures:', retry.similarLearnings) : undefined,
    retry.attempt >= 3 && retry.testOutput
      ? `Test output:\n\n${fenced(retry.testOutput.trim(), 'text')}`
      : undefined,
    retry.attempt >= 3 ? list('Imports of these files:', retry.imports) : undefined,
    retry.attempt >= 3 && retry.planText
      ? `The task as the plan has it. Where it can be read in two ways, the way taken so far may be the wrong one:\n\n${fenced(retry.planText.trim(), 'markdown')}`
      : undefined,
    `In \`failure.fixAttempted\`, or in your last message when it worked, say in one sentence what you changed and why.`,
  ]
  return sections.filter((section) => section !== undefined).join('\n\n')
}

function advice(attempt: number): string {
  if (attempt <= 1) return 'Read the error first and make the fix that it asks for.'
  if (attempt === 2) {
    return 'The obvious fix did not do. Read the files around it and the learnings, find the cause, and say what it is before you change anything.'
  }
  return 'This is the last attempt, so start from the beginning: take no earlier assumption for granted, run the tests yourself, follow the imports, and read the plan for what it leaves open. If the task cannot be done as written, report `failed` and say exactly why.'
}

function fixOrder(fixes: NonNullable<ExecutorFields['fixes']>): string {
  const from = {
    verification: 'The verification of this phase found gaps.',
    review: 'The review of this phase found problems that block it.',
    checkpoint: 'The person looked at the result of the last checkpoint and did not accept it.',
    tests: 'The tests of the project were run after your work, and they are not as they have to be.',
  }[fixes.source]
  return `## The work: mend what was found

${from} Mend each point below, nothing else: one commit per point, with a message that names it. Where a point is mistaken, leave the code and say why in your last message. All tasks of the plan stay marked as they are.

${findingList(fixes.findings)}`
}

function doubted(doubts: readonly string[] | undefined): string | undefined {
  if (doubts === undefined || doubts.length === 0) return undefined
  return `## What was doubted

You, or one before you, reported this as done; the files and git do not show it:

${bullets(doubts)}

Look at each point first. Do what is missing, or, if it is done and only cannot be seen, say in your last message where it is.`
}

function answered(fields: ExecutorFields): string | undefined {
  const given = fields.checkpointAnswer
  if (!given) return undefined
  const note =
    given.note === undefined || given.note === '' ? '' : `\n\nNote:\n\n${fenced(given.note, 'text')}`
  const next = {
    decision: 'Carry out what was chosen.',
    'human-action': 'The person did what you asked for; check that it took effect before you rely on it.',
  }[given.type]
  return `## The checkpoint was answered

You stopped in ${taskName(given.task)} at a \`${given.type}\` checkpoint. The answer:

${fenced(given.answer, 'text')}${note}

${given.answer === 'reject' ? rejectedNext : `${next ?? 'Go on behind the checkpoint.'} ${settledNext}`}`
}

const settledNext =
  'This checkpoint is settled: do not report it again. What you left uncommitted at it may have been committed meanwhile.'
const rejectedNext =
  'Mend what the note says and stop at the same checkpoint again: the person looks at what has changed.'

function method(planPath: string): string {
  return `## How to work

${bullets([
  `Read \`${planPath}\` whole before the first change. Follow each task's steps in their order and as they are written; the plan was approved, your improvements were not.`,
  'Make the commit that a task ends in, with the message from the plan, before you begin the next one: exactly one commit per task, containing the files of that task only. Hooks run; do not bypass them.',
  'A task is complete when its steps are done, its checks pass and its commit is made. Never weaken or skip a test to get there.',
  'If a task fails and you cannot mend it within reason, stop there. Do not go on to later tasks and do not undo earlier ones: leave the files as they are and report `failed`.',
  'If something outside the tasks keeps you from going on, such as a missing tool, access or a contradiction between plan and code, stop and report `blocked`.',
])}`
}

function checkpoints(): string {
  return `## Checkpoints

When you come to a marker \`[checkpoint:...]\` in the plan, stop right there and report it; do nothing of what comes after it. Do not answer it yourself, even if the answer seems clear.

${bullets([
  '`human-verify`: do everything up to the marker, so that there is something to look at, then report. The prompt says what to look at and what should be seen. An unknown or bare marker is one of these.',
  '`decision`: report before you do anything that depends on it, with the choices as `options`.',
  '`human-action`: report what exactly the person has to do.',
  '`commit`: only commit and go on, without a report.',
])}`
}

function taskState(fields: ExecutorFields): string {
  return `## Task state

Keep \`${fields.statePath}\` up to date: set a task to \`in_progress\` when you begin it and to \`complete\` after its commit, at that moment, not at the end. A person watches it. Keep all other content of the file.

    { "schemaVersion": 1, "position": { "phase": "execute", "task": "Task 2" },
      "progress": { "Task 1": "complete", "Task 2": "in_progress", "Task 3": "pending" } }

The keys name the tasks of the plan, each with the word \`Task\` and its id: ${fields.tasks.map((task) => `\`${taskName(task.id)}\``).join(', ') || '`Task 1`, `Task 2` and so on'}.`
}

function executionResult(): string {
  const shape = `{
  "status": "complete" | "checkpoint" | "failed" | "blocked",
  "completed": ["Task 1", "Task 2"],
  "checkpoint": { "type": "human-verify" | "decision" | "human-action", "task": "Task 3",
                  "prompt": "<what the person has to look at, choose or do>", "options": ["<choice>"] },
  "failure": { "task": "Task 3", "error": "<the error, with its output>", "fixAttempted": "<what you tried>" }
}`
  return resultRule(shape, [
    '`status`: `complete` only if every task you were given is complete; else what stopped you.',
    '`completed`: all tasks of the plan that are now complete, earlier ones too, named by their keys in the task state.',
    '`checkpoint`: only with status `checkpoint`, and then required; `options` only for a decision.',
    '`failure`: with status `failed` required; with `blocked` it says what is in the way.',
  ])
}

/** Fixes after the final review (docs/harness.md, "Questions"). */
export interface FinalFixFields extends SessionFields {
  statePath: string
  findings: readonly FixFinding[]
  /** 1-based. */
  cycle: number
  maxCycles: number
  /** What was doubted of the dispatch before. */
  doubts?: readonly string[]
}

/** Prompt that has the blocking findings of the final review mended: one task and one commit each. */
export function finalFixPrompt(fields: FinalFixFields): string {
  const count = fields.findings.length
  const ids = fields.findings.map((_, index) => `Task ${index + 1}`)
  return page(
    opening('harness-task-executor', 'harness-execution', 'mend what the final review found'),
    facts(fields, [
      ['Fix cycle', `${fields.cycle} of ${fields.maxCycles}`],
      ['Task state', fields.statePath],
    ]),
    contextFirst(fields, 'harness-execution'),
    interruptedNotice(fields),
    `## The work

All phases of the spec are built. The final review found ${count === 1 ? 'one problem that blocks' : `${count} problems that block`} it. Take each as one task, in this order, and end each with one commit of its own whose message names the problem.

${findingList(fields.findings)}

Read the code around a finding before you change it; the same mistake may be in more than one place. Change only what a finding asks for. Run the project's tests after each one. Where a finding is mistaken, leave the code, count it as completed and say why in your last message.${fields.cycle > 1 ? ' Earlier cycles did not settle these: look for the cause behind them, not for the next patch.' : ''}`,
    doubted(fields.doubts),
    personNote(fields),
    `## Task state

Keep \`${fields.statePath}\` up to date with one key per finding, in the order above (${ids.map((id) => `\`${id}\``).join(', ')}): \`in_progress\` when you begin it, \`complete\` after its commit.`,
    groundRules(),
    handoffRule(fields.sessionDir, { fromSkill: 'harness-execution', phase: 'EXECUTE' }),
    executionResult(),
  )
}

function findingList(findings: readonly FixFinding[]): string {
  return findings
    .map((finding, index) => {
      const place = finding.file ? ` (${finding.file}${lineText(finding.line)})` : ''
      const why = finding.rationale ? `\n   ${oneLine(finding.rationale)}` : ''
      return `${index + 1}. ${oneLine(finding.title)}${place}${why}`
    })
    .join('\n')
}

function lineText(line: FixFinding['line']): string {
  if (line === undefined || line === null) return ''
  return typeof line === 'number' ? `:${line}` : `:${line[0]}-${line[1]}`
}

/** Texts of several lines, which keep them. */
function whole(title: string, texts: readonly string[] | undefined): string | undefined {
  return texts && texts.length > 0 ? `${title}\n\n${texts.join('\n\n')}` : undefined
}

function list(title: string, items: readonly string[] | undefined): string | undefined {
  return items && items.length > 0 ? `${title}\n\n${bullets(items)}` : undefined
}

function oneLine(text: string): string {
  return inOneLine(text.trim())
}
