import { durationText } from '../../durations.js'
import { sanitizeLine } from '../../terminal/sanitize.js'
import { cutText } from '../../terminal/width.js'
import { forecastOfRun } from '../../view/forecast-of-run.js'
import { isWorking } from '../../view/panes.js'
import type { Times } from '../../view/times.js'
import type { RunSnapshot } from '../../view/view.js'
import { formatCost, formatTokens } from '../format.js'
import type { FrameData } from '../frame-store.js'
import { type Line, runLook, type Span, type Theme } from '../theme.js'
import { budgetSpans } from './budget-rows.js'
import { factSpan } from './facts.js'
import { timeLeftText } from './forecast-rows.js'
import { fitLine, line, lineWidth, spread } from './line.js'

/** Spans with a separator between them, as many as fit into `width`. */
function joined(parts: Span[], width: number, theme: Theme): Line {
  const out: Span[] = []
  for (const part of parts) {
    const next: Span[] = out.length === 0 ? [part] : [...out, { text: ` ${theme.dot} `, tone: 'quiet' }, part]
    if (lineWidth(next) > width && out.length > 0) continue
    out.splice(0, out.length, ...next)
  }
  return fitLine(out, width, theme)
}

function usageParts(snapshot: RunSnapshot): string[] {
  const { inputTokens, outputTokens, usd } = snapshot.usage
  const parts: string[] = []
  if (inputTokens + outputTokens > 0) parts.push(`${formatTokens(inputTokens + outputTokens)} tokens`)
  if (usd !== undefined) parts.push(formatCost(usd))
  return parts
}

/** With the time since the last record: at work, or waiting for the person, who may have held it. */
function timesNow({ times, timesAt, status, question, panes }: RunSnapshot, now: number): Times {
  const since = Math.max(0, now - timesAt)
  const works = panes.some(isWorking)
  const held = status === 'held' || status === 'suspended'
  if (held || (question && !works)) return { ...times, waitingMs: times.waitingMs + since }
  return { ...times, workMs: times.workMs + since }
}

/** Shorter times are nothing that somebody wants to tell apart. */
const tellMs = 60_000

/** `toldMs`: how long the open question waits, which stands beside its word already. */
function timeParts({ waitingMs, awayMs }: Times, toldMs: number): string[] {
  const waited = waitingMs - toldMs
  return [
    ...(waited >= tellMs ? [`waited ${durationText(waited)}${toldMs > 0 ? ' before' : ''}`] : []),
    ...(awayMs >= tellMs ? [`away ${durationText(awayMs)}`] : []),
  ]
}

/** What is still to come, where that is known. */
function leftParts(snapshot: RunSnapshot, now: number): string[] {
  const text = timeLeftText(forecastOfRun(snapshot, now))
  return text === undefined ? [] : [text]
}

interface HeadStatus extends ReturnType<typeof runLook> {
  /** How long that which the word says has been so; undefined where it is not known. */
  ms: number | undefined
  /** It waits for the person, as long as that. */
  waits: boolean
}

/** Cells of a command in the head. */
const mostCommand = 30

/** A run that goes on by itself except for an open question waits for the person, as long as the question is open. */
function statusLook(snapshot: RunSnapshot, { workMs }: Times, now: number): HeadStatus {
  const { status, question, doing, panes } = snapshot
  const works = status === 'running' || status === 'starting'
  if (!question || !(works || status === 'holding')) {
    const look = runLook(status)
    // While no agent works, something else has to be seen to go on.
    if (status !== 'running' || doing === undefined || panes.some(isWorking))
      return { ...look, ms: works ? workMs : undefined, waits: false }
    const word = `runs ${cutText(sanitizeLine(doing.text), mostCommand, '...')}`
    return { ...look, word, ms: Math.max(0, now - doing.since), waits: false }
  }
  const word = status === 'holding' ? 'waits for you, then holds' : 'waits for you'
  const ms = now - Date.parse(question.askedAt)
  return { word, tone: 'accent', ms: Number.isFinite(ms) ? ms : undefined, waits: true }
}

/** The head of the run screen, of one or two lines. */
export function headerLines({ snapshot, now }: FrameData, width: number, rows: 1 | 2, theme: Theme): Line[] {
  const { view } = snapshot
  const times = timesNow(snapshot, now)
  const look = statusLook(snapshot, times, now)
  const title: Span[] = [
    { text: 'autopilot', strong: true, tone: 'accent' },
    { text: `  ${sanitizeLine(view.title)}`, strong: true },
  ]
  const status: Span[] = [
    { text: look.word, tone: look.tone, strong: true },
    ...(look.ms === undefined ? [] : [{ text: `  ${durationText(look.ms)}` }]),
  ]
  const first = spread(fitLine(title, width - lineWidth(status) - 1, theme), status, width, theme)
  if (rows === 1) return [first]
  const facts: Span[] = [
    { text: sanitizeLine(view.session) },
    ...view.facts.map((fact) => factSpan(fact, theme)),
    ...timeParts(times, look.waits ? (look.ms ?? 0) : 0).map((text): Span => ({ text })),
    ...budgetSpans(snapshot, now),
    ...usageParts(snapshot).map((text): Span => ({ text })),
    ...leftParts(snapshot, now).map((text): Span => ({ text })),
    ...(snapshot.branch === undefined
      ? []
      : [{ text: sanitizeLine(snapshot.branch), tone: 'info' as const }]),
    ...(look.ms === times.workMs ? [] : [{ text: `worked ${durationText(times.workMs)}` }]),
    { text: sanitizeLine(view.subject) },
    ...(snapshot.agent === undefined ? [] : [{ text: sanitizeLine(snapshot.agent) }]),
  ]
  const known = facts.filter(({ text }) => text.trim() !== '')
  return [first, joined(known, width, theme)]
}

/** The line under the head for what needs the person's eye. */
export function bannerLine(banner: string, width: number, theme: Theme): Line {
  return fitLine([...line('! ', 'warn', true), { text: sanitizeLine(banner), tone: 'warn' }], width, theme)
}
