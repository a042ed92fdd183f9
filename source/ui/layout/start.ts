import { sanitizeLine } from '../../terminal/sanitize.js'
import { cutText, padText, wrapText } from '../../terminal/width.js'
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
const sessionPrefix = 'session:'
const subjectPrefix = 'subject:'

function sessionFacts(session: StartSession): string[] {
  const live = session.live ? ['open elsewhere'] : []
  return [
    session.state,
    ...[session.phase, session.progress, session.lastActive].filter((text) => text !== ''),
    ...live,
  ]
}

/** Everything that can be chosen, in the order of the screen: unfinished sessions, specs, a typed path, finished sessions. */
export function startItems(data: StartData, theme: Theme): StartItem[] {
  const sessionItem = (session: StartSession): StartItem => ({
    value: sessionPrefix + session.key,
    label: `${session.finished ? 'finished' : 'resume'}   ${sanitizeLine(session.slug)}  ${sessionFacts(session).map(sanitizeLine).join(` ${theme.dot} `)}`,
  })
  const candidateItem = ({ subject, title, size }: StartCandidate): StartItem => ({
    value: subjectPrefix + subject,
    label: `new      ${sanitizeLine(title)}  ${sanitizeLine(subject)} ${theme.dot} ${sanitizeLine(size)}`,
  })
  return [
    ...data.sessions.filter((session) => !session.finished).map(sessionItem),
    ...data.candidates.map(candidateItem),
    { value: typePath, label: 'other    type the path of a spec' },
    ...data.sessions.filter((session) => session.finished).map(sessionItem),
    { value: leave, label: 'quit' },
  ].map((item) => ({
    ...item,
    label: item.label.replace(/^(\w+) */, (_, word: string) => padText(word, 10)),
  }))
}

/** The key or path that a value of the list stands for. */
export function chosenOf(value: string): { kind: 'session' | 'subject'; name: string } | undefined {
  if (value.startsWith(sessionPrefix)) return { kind: 'session', name: value.slice(sessionPrefix.length) }
  if (value.startsWith(subjectPrefix)) return { kind: 'subject', name: value.slice(subjectPrefix.length) }
  return undefined
}

/** What is known of the line under the cursor. */
export function detailLines(data: StartData, value: string, width: number, theme: Theme): Line[] {
  const chosen = chosenOf(value)
  const session =
    chosen?.kind === 'session' ? data.sessions.find((one) => one.key === chosen.name) : undefined
  const candidate =
    chosen?.kind === 'subject' ? data.candidates.find((one) => one.subject === chosen.name) : undefined
  const texts: string[] = []
  if (session) {
    texts.push(`Spec: ${session.subject}`)
    texts.push(session.question === undefined ? 'No question is open.' : `Open question: ${session.question}`)
  } else if (candidate) {
    texts.push(`Spec: ${candidate.subject}`, candidate.detail)
  } else {
    texts.push(value === typePath ? 'Any spec inside of this repository.' : 'Nothing is changed.', '')
  }
  return texts.map((text) => fitLine(line(`  ${sanitizeLine(text)}`, 'quiet'), width, theme))
}

/** Head of the start screen, with at most `rows` rows of notices. */
export function startHead(data: StartData, width: number, rows: number, theme: Theme): Line[] {
  const notices = data.notices
    .flatMap((notice) => wrapText(`! ${sanitizeLine(notice)}`, width))
    .slice(0, rows)
  const project = cutText(sanitizeLine(data.project), width - 'autopilot  '.length, theme.ellipsis)
  const name: Line = [{ text: 'autopilot', strong: true, tone: 'accent' }, { text: `  ${project}` }]
  const head = [
    name,
    ...notices.map((text) => line(text, 'warn')),
    rule('What shall be worked on?', width, theme),
  ]
  return head.map((row) => fitLine(row, width, theme))
}
