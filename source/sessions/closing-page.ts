import { shellWord } from '../project/shell-word.js'
import { formatTokens } from '../ui/format.js'
import type { Usage } from '../view/usage.js'
import type { FindingView, WorkflowView } from '../view/view.js'
import { isOfSitting } from './changes-of-sitting.js'

// What a finished run came to, as a page and as a Markdown file of the session.

/** What the page is made of. */
export interface Closing {
  title: string
  /** What the workflow itself says. */
  reports: readonly string[]
  view: WorkflowView
  usage: Usage
  /** How long it took, in words. */
  times: string
  /** The commit since which everything of the run changed. */
  since?: string | undefined
  /** Since then, oldest first. */
  commits: readonly { sha: string; subject: string }[]
  /** Repo-relative directory of the session. */
  sessionDir: string
  /** The project, for whoever has started autopilot somewhere else: what is named and typed is meant there. */
  folder?: string | undefined
}

/** A heading and what stands below it. */
interface Section {
  title: string
  lines: string[]
}

export const closingFile = 'closing.md'

const mostCommits = 40

function findingLine({ severity, file, line, title, fate }: FindingView): string {
  const where = [file, line].filter((part) => part !== undefined && part !== '').join(':')
  return `${severity}  ${where}  ${title}${fate === undefined ? '' : ` (${fate})`}`
}

/** Findings that nobody had to settle, and that are there still as far as anybody knows. */
function openFindings({ findings = [] }: WorkflowView): string[] {
  const open = findings.filter(({ tone, fate }) => tone !== 'plain' && fate === undefined)
  // The review of the whole tells again what that of a phase has told.
  return [...new Set(open.map(findingLine))]
}

/** Words of decisions that let something pass. */
const letPass = /overrid|overrul|skip|accept/i

/** What a person let pass, with the reason that was given: findings, and everything else that was decided so. */
function passedLines({ findings = [], decisions = [] }: WorkflowView): string[] {
  const passed = decisions.filter(({ text }) => letPass.test(text))
  return [
    ...findings.filter(({ fate }) => fate !== undefined).map(findingLine),
    ...passed.map(({ text, why }) => (why === undefined ? text : `${text}: ${why}`)),
  ]
}

function commitLines(commits: Closing['commits']): string[] {
  const shown = commits.slice(-mostCommits)
  const rest = commits.length - shown.length
  return [
    ...(rest > 0 ? [`(${rest} earlier ones)`] : []),
    ...shown.map(({ sha, subject }) => `${sha.slice(0, 8)}  ${subject}`),
  ]
}

function costLine({ inputTokens, outputTokens, usd }: Usage): string {
  const cost = usd === undefined ? '' : `, $${usd.toFixed(2)}`
  if (inputTokens + outputTokens === 0) return `the agents told no tokens${cost}`
  return `${formatTokens(inputTokens)} tokens in, ${formatTokens(outputTokens)} out${cost}`
}

/** The commit since which everything of the session changed, as far as the workflow knows it. */
export function beginningOf({ documents = [] }: WorkflowView): string | undefined {
  const compared = documents.filter((one) => one.since !== undefined && !isOfSitting(one))
  return (compared.find(({ whole }) => whole) ?? compared.at(-1))?.since
}

function sections(closing: Closing): Section[] {
  const { view, commits, usage, times, sessionDir, folder } = closing
  const since = closing.since?.slice(0, 8)
  const skipped = view.phases
    .filter(({ status }) => status === 'skipped')
    .map(({ label, id, name }) => `${label ?? id} ${name}`)
  return [
    { title: 'Open warnings', lines: openFindings(view) },
    { title: 'Overridden and accepted', lines: passedLines(view) },
    { title: 'Skipped', lines: skipped },
    { title: 'Commits', lines: commitLines(commits) },
    { title: 'Cost', lines: [costLine(usage), `Time: ${times}`] },
    {
      title: 'Where it is',
      lines: [
        ...(folder === undefined ? [] : [`The project: ${folder}`]),
        `This page: ${sessionDir}/${closingFile}`,
        `Logs and journal: ${sessionDir}`,
      ],
    },
    {
      title: 'What comes next',
      lines: [
        ...(folder === undefined ? [] : [`Go there first: cd ${shellWord(folder)}`]),
        ...(since === undefined ? [] : [`Read what changed: git diff ${since}`]),
        'Push the branch, or open a pull request, when you are content.',
        'autopilot shows what else could be worked on.',
      ],
    },
  ].filter(({ lines }) => lines.length > 0)
}

/** The page, line by line: what the workflow says, then what is open, committed, spent, and where to go on. */
export function closingLines(closing: Closing): string[] {
  return [
    ...closing.reports,
    ...sections(closing).flatMap(({ title, lines }) => [
      '',
      `${title}:`,
      ...lines.map((text) => `  ${text}`),
    ]),
  ]
}

function inOneLine(text: string): string {
  const lines = text.split('\n').map((line) => line.trim())
  return lines.filter((line) => line !== '').join(' ')
}

/** The same as Markdown. */
export function closingMarkdown(closing: Closing): string {
  const list = (lines: readonly string[]) => lines.map((text) => `- ${inOneLine(text)}`)
  const reports = closing.reports.flatMap((text) => text.split('\n'))
  return [
    `# ${closing.title}`,
    '',
    ...list(reports),
    ...sections(closing).flatMap(({ title, lines }) => ['', `## ${title}`, '', ...list(lines)]),
    '',
  ].join('\n')
}
