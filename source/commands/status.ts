import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { counted } from '../counted.js'
import { agoText } from '../durations.js'
import { findProjectRoot } from '../project/paths.js'
import { type ListedSession, listSessions, ownerText } from '../sessions/session-summaries.js'
import { sanitizeLine } from '../terminal/sanitize.js'
import { phaseInWork } from '../view/summary.js'
import type { Registry } from '../workflows/workflow.js'
import { type CommandOutput, printableJson } from './command-output.js'

/** `autopilot status [--json]`: every session of the project, from its files; nothing is changed. */
export async function status(
  registry: Registry,
  cwd: string,
  options: { json: boolean },
): Promise<CommandOutput> {
  const sessions = await listSessions(await projectOf(cwd), registry)
  if (options.json) return { exitCode: 0, output: printableJson({ sessions: sessions.map(jsonOf) }) }
  if (sessions.length === 0) return { exitCode: 0, output: await nothing(registry, cwd) }
  return {
    exitCode: 0,
    output: sessions.map((one) => sessionLines(one).map(sanitizeLine).join('\n')).join('\n\n'),
  }
}

/** `spec` is the older name of `subject`, which others rely on. */
function jsonOf({ place: _, session, workflow, ...rest }: ListedSession): object {
  return { session, workflow, spec: rest.subject, ...rest }
}

/** What there is of phases and tasks; before they are read there is nothing to count. */
function progressText({ progress, phaseWord = 'phase' }: ListedSession): string | undefined {
  const { phasesComplete, phasesTotal, tasksComplete, tasksTotal } = progress
  const parts = [
    ...(phasesTotal > 0 ? [`${phasesComplete}/${counted(phasesTotal, phaseWord)}`] : []),
    ...(tasksTotal > 0 ? [`${tasksComplete}/${counted(tasksTotal, 'task')}`] : []),
  ]
  return parts.length === 0 ? undefined : parts.join(', ')
}

function sessionLines(session: ListedSession): string[] {
  const { phase, phaseWord = 'phase', question, owner } = session
  const row = (label: string, text: string) => `  ${label.padEnd(8)}  ${text}`
  const progress = progressText(session)
  return [
    session.session,
    row('about', `${session.subject} (${session.workflow})`.trimStart()),
    row('state', session.problem === undefined ? stateText(session) : `cannot be read: ${session.problem}`),
    ...(phase ? [row(phaseWord, phaseInWork(phase))] : []),
    ...(progress === undefined ? [] : [row('progress', progress)]),
    ...(question
      ? [row('question', `${question.title} (${question.options.map((option) => option.label).join(' / ')})`)]
      : []),
    ...(session.journal === undefined ? [] : [row('journal', session.journal)]),
    row('open in', session.live && owner ? ownerText(owner) : 'no process'),
    ...(session.report ?? []).map((line) => `  ${line}`),
  ]
}

function stateText(session: ListedSession): string {
  return session.finished ? `${session.state} (finished)` : String(session.state)
}

/** `autopilot sessions [--json]`: by title with what waits, newest first. */
export async function sessions(
  registry: Registry,
  cwd: string,
  options: { json: boolean },
): Promise<CommandOutput> {
  const all = await listSessions(await projectOf(cwd), registry)
  if (options.json) return { exitCode: 0, output: printableJson({ sessions: all.map(rowOf) }) }
  if (all.length === 0) return { exitCode: 0, output: await nothing(registry, cwd) }
  return { exitCode: 0, output: all.flatMap(listLines).map(sanitizeLine).join('\n') }
}

/** One session of the list: its title, and indented what is known of it. */
function listLines(session: ListedSession): string[] {
  const { title, session: slug, subject, workflow, question, problem } = session
  return [
    title ?? slug,
    ...(question ? [`  Open question: ${question.title}`] : []),
    `  ${factsOf(session).join(', ')}`,
    ...(problem === undefined ? [] : [`  It cannot be read: ${problem}`]),
    `  ${[subject, `(${workflow})`].filter((text) => text !== '').join(' ')}`,
  ]
}

function factsOf({ live, owner, finished, state, phase, progress, lastActive }: ListedSession): string[] {
  const standing = live ? `open in pid ${owner?.pid ?? '?'}` : finished ? 'finished' : 'resumable'
  return [
    standing,
    ...(state === null ? [] : [state]),
    ...(phase ? [`${phase.number}/${phase.total} ${phase.name}`] : []),
    ...(progress.tasksTotal > 0 ? [`${progress.tasksComplete}/${counted(progress.tasksTotal, 'task')}`] : []),
    agoText(lastActive, Date.now()),
  ].filter((fact) => fact !== '')
}

/** What `sessions` says of one, as data. */
function rowOf(listed: ListedSession) {
  const { session, workflow, title = session, subject, state, phase, live, finished, lastActive } = listed
  const question = listed.question ? { gate: listed.question.gate, title: listed.question.title } : null
  return { session, workflow, title, subject, state, phase, live, finished, lastActive, question }
}

/** The project that a directory belongs to; without a repository the directory itself is looked at. */
async function projectOf(cwd: string): Promise<string> {
  return (await findProjectRoot(cwd)) ?? cwd
}

async function nothing(registry: Registry, cwd: string): Promise<string> {
  const root = await findProjectRoot(cwd)
  if (root === undefined) return `${cwd} is not inside a git repository, so it has no sessions.`
  const archives = await filledArchives(registry, root)
  return archives.length === 0
    ? 'No sessions in this project.'
    : `No open sessions in this project. What was finished is in ${archives.join(' and ')}.`
}

/** Directories of finished sessions with something in them. */
async function filledArchives(registry: Registry, root: string): Promise<string[]> {
  const all = [...new Set(registry.map(({ archiveDir }) => archiveDir))]
  const filled = await Promise.all(all.map((dir) => readdir(join(root, dir)).catch(() => [])))
  return all.filter((_, index) => (filled[index]?.length ?? 0) > 0)
}
