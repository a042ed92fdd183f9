import { counted } from '../../counted.js'
import { sanitizeLine } from '../../terminal/sanitize.js'
import { cutText, indentedRows, padText, wrapText } from '../../terminal/width.js'
import type { StartCandidate, StartData, StartSession } from '../contract.js'
import type { Line, Theme } from '../theme.js'
import { fitLine, line, rule } from './line.js'

/** One line of the start screen that can be chosen. */
export interface StartItem {
  value: string
  label: string
}

export const typePath = 'type'
export const leave = 'quit'
export const demo = 'demo'
const sessionPrefix = 'session:'
const candidatePrefix = 'candidate:'

function sessionFacts({ state, phase, progress, lastActive, live }: StartSession): string[] {
  const facts = [
    state ?? 'unreadable',
    phase ? `${phase.number}/${phase.total} ${phase.name}` : '',
    progress.tasksTotal > 0 ? `${progress.tasksComplete}/${counted(progress.tasksTotal, 'task')}` : '',
    lastActive,
    live ? 'open elsewhere' : '',
  ]
  return facts.map((fact) => sanitizeLine(fact).trim()).filter((fact) => fact !== '')
}

/** The name of a workflow, where there are several that it could be. */
function workflowNames({ sessions, candidates }: StartData): (workflow: string) => string {
  const present = new Set([...sessions, ...candidates].map(({ workflow }) => workflow))
  return (workflow) => (present.size > 1 ? `${sanitizeLine(workflow)}  ` : '')
}

/** Everything that can be chosen, in order: unfinished sessions, what could be begun, a typed path, finished sessions. */
export function startItems(data: StartData, theme: Theme): StartItem[] {
  const nameOf = workflowNames(data)
  const sessionItem = (session: StartSession): StartItem => ({
    value: sessionPrefix + session.key,
    label: `${session.finished ? 'finished' : 'resume'}   ${nameOf(session.workflow)}${sanitizeLine(session.title ?? session.session)}  ${sessionFacts(session).join(` ${theme.dot} `)}`,
  })
  const candidateItem = ({ workflow, subject, title, size }: StartCandidate, index: number): StartItem => ({
    value: candidatePrefix + index,
    label: `new      ${nameOf(workflow)}${sanitizeLine(title)}  ${sanitizeLine(subject)} ${theme.dot} ${sanitizeLine(size)}`,
  })
  return [
    ...data.sessions.filter((session) => !session.finished).map(sessionItem),
    ...data.candidates.map(candidateItem),
    { value: typePath, label: 'other    type a path' },
    { value: demo, label: 'demo     see a whole run in a sample project' },
    ...data.sessions.filter((session) => session.finished).map(sessionItem),
    { value: leave, label: 'quit' },
  ].map((item) => ({
    ...item,
    label: item.label.replace(/^(\w+) */, (_, word: string) => padText(word, 10)),
  }))
}

/** What a value of the list stands for; undefined for a typed path and for leaving. */
export function chosenOf(
  data: StartData,
  value: string,
): { session: StartSession } | { candidate: StartCandidate } | undefined {
  const session = data.sessions.find((one) => sessionPrefix + one.key === value)
  if (session) return { session }
  const candidate = data.candidates.find((_, index) => candidatePrefix + index === value)
  return candidate && { candidate }
}

function detailOf(value: string): string {
  if (value === typePath) return 'Any file or folder inside of this repository.'
  return value === demo
    ? 'With a scripted agent, in a folder of its own, autopilot-demo; no account is needed.'
    : 'Nothing is changed.'
}

/** What was looked for, where there is nothing to choose. */
function emptyLines({ sessions, candidates, lookedFor }: StartData, width: number): string[] {
  if (sessions.length + candidates.length > 0) return []
  return [
    'Nothing was found that could be worked on here. Looked for:',
    ...lookedFor.map((text) => `  ${text}`),
  ].flatMap((text) => indentedRows(text, width + 1))
}

/** The items that hold every word that was typed. */
export function filtered(items: readonly StartItem[], filter: string): StartItem[] {
  const words = filter
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')
  return items.filter(({ label }) => words.every((word) => label.toLowerCase().includes(word)))
}

/** What is known of a session: what waits first, and what can be long last. */
function sessionDetail(session: StartSession, theme: Theme): string[] {
  const { subject, question, session: slug } = session
  return [
    question ? `Open question: ${question.title}` : 'No question is open.',
    sessionFacts(session).join(` ${theme.dot} `),
    `About ${subject} (${slug})`,
    ...(question?.body ?? []).flatMap((text) => text.split('\n')).map((text) => `  ${text}`),
  ]
}

/** How `rows` are divided between the list and what is known of the lit row, whichever that is: nothing moves with it. */
export function startRows(items: number, rows: number): { list: number; detail: number } {
  const detail = Math.max(Math.min(leastDetail, Math.floor(rows * 0.4)), rows - items - 1)
  return { list: rows - detail, detail }
}

/** What waits, how far it is, and what it is about, which is often longer than a row. */
const leastDetail = 5

/** What is known of the line under the cursor, in at most `most` rows; of what has no room the first rows are shown. */
export function detailLines(
  data: StartData,
  value: string,
  { width, most }: { width: number; most: number },
  theme: Theme,
): Line[] {
  const chosen = chosenOf(data, value)
  const texts = !chosen
    ? [detailOf(value)]
    : 'session' in chosen
      ? sessionDetail(chosen.session, theme)
      : [`About ${chosen.candidate.subject}`, chosen.candidate.detail]
  const rows = texts.flatMap((text) => indentedRows(`  ${sanitizeLine(text)}`, width + 1))
  const shown = rows.slice(0, most)
  const last = shown.at(-1)
  if (rows.length > most && last !== undefined)
    shown[shown.length - 1] = `${cutText(last, width - 2, '')} ${theme.ellipsis}`
  return shown.map((text) => fitLine(line(text, 'quiet'), width, theme))
}

/** Head of the start screen, with at most `rows` rows of notices. `place`: which row is lit, where not all are shown. */
export function startHead(
  data: StartData,
  { width, rows, place }: { width: number; rows: number; place?: string | undefined },
  theme: Theme,
): Line[] {
  const notices = data.notices
    .flatMap((notice) => wrapText(`! ${sanitizeLine(notice)}`, width))
    .slice(0, rows)
  const project = cutText(sanitizeLine(data.project), width - 'autopilot  '.length, theme.ellipsis)
  const name: Line = [{ text: 'autopilot', strong: true, tone: 'accent' }, { text: `  ${project}` }]
  const head = [
    name,
    ...notices.map((text) => line(text, 'warn')),
    ...emptyLines(data, width)
      .slice(0, rows)
      .map((text) => line(text)),
    rule('What shall be worked on?', width, theme, { aside: place ?? 'letters look for a row' }),
  ]
  return head.map((row) => fitLine(row, width, theme))
}
