import { findProjectRoot } from '../project/paths.js'
import { type ListedSession, listSessions } from '../sessions/session-summaries.js'
import { sanitizeLine } from '../terminal/sanitize.js'
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
  if (sessions.length === 0) return { exitCode: 0, output: await nothing(cwd) }
  return {
    exitCode: 0,
    output: sessions.map((one) => sessionLines(one).map(sanitizeLine).join('\n')).join('\n\n'),
  }
}

/** `spec` is the older name of `subject`, which others rely on. */
function jsonOf({ place: _, session, workflow, ...rest }: ListedSession): object {
  return { session, workflow, spec: rest.subject, ...rest }
}

function sessionLines(session: ListedSession): string[] {
  const { phase, progress, question, owner } = session
  return [
    session.session,
    `  spec      ${session.subject} (${session.workflow})`,
    session.problem === undefined
      ? `  state     ${stateText(session)}`
      : `  state     cannot be read: ${session.problem}`,
    ...(phase ? [`  phase     ${phase.number} of ${phase.total}: ${phase.name}`] : []),
    `  progress  ${progress.phasesComplete}/${progress.phasesTotal} phases, ${progress.tasksComplete}/${progress.tasksTotal} tasks`,
    ...(question
      ? [`  question  ${question.title} (${question.options.map((option) => option.label).join(' / ')})`]
      : []),
    ...(session.journal === undefined ? [] : [`  journal   ${session.journal}`]),
    session.live && owner
      ? `  open in   pid ${owner.pid}${owner.tty ? ` on ${owner.tty}` : ''} since ${owner.since}`
      : `  open in   no process`,
    ...(session.report ?? []).map((line) => `  ${line}`),
  ]
}

function stateText(session: ListedSession): string {
  return session.finished ? `${session.state} (finished)` : String(session.state)
}

/** `autopilot sessions [--json]`: one line each, newest first. */
export async function sessions(
  registry: Registry,
  cwd: string,
  options: { json: boolean },
): Promise<CommandOutput> {
  const all = await listSessions(await projectOf(cwd), registry)
  if (options.json) return { exitCode: 0, output: printableJson({ sessions: all.map(rowOf) }) }
  if (all.length === 0) return { exitCode: 0, output: await nothing(cwd) }
  const lines = all.map((session) => {
    const where = session.phase ? `phase ${session.phase.number}/${session.phase.total}` : 'no phase'
    const live = session.live
      ? `open in pid ${session.owner?.pid ?? '?'}`
      : session.finished
        ? 'finished'
        : 'resumable'
    return `${session.session}  ${session.state ?? 'unreadable'}, ${where}, ${live}, ${session.lastActive}  ${session.subject}`
  })
  return { exitCode: 0, output: lines.map(sanitizeLine).join('\n') }
}

/** What a line of `sessions` says, as data. */
function rowOf({
  session,
  workflow,
  subject,
  state,
  phase,
  live,
  finished,
  lastActive,
  question,
}: ListedSession) {
  const row = { session, workflow, subject, state, phase, live, finished, lastActive }
  return { ...row, question: question ? { gate: question.gate, title: question.title } : null }
}

/** The project that a directory belongs to; without a repository the directory itself is looked at. */
async function projectOf(cwd: string): Promise<string> {
  return (await findProjectRoot(cwd)) ?? cwd
}

async function nothing(cwd: string): Promise<string> {
  const root = await findProjectRoot(cwd)
  return root === undefined
    ? `${cwd} is not inside a git repository, so it has no sessions.`
    : 'No sessions in this project.'
}
