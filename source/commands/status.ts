import { findProjectRoot } from '../project/paths.js'
import { type SessionAccount, sessionAccounts } from '../sessions/session-summaries.js'
import { sanitizeLine } from '../terminal/sanitize.js'
import type { CommandOutput } from './inspect.js'

/** `autopilot status [--json]`: every session of the project, from its files; nothing is changed. */
export async function status(cwd: string, options: { json: boolean }): Promise<CommandOutput> {
  const sessions = await sessionAccounts(await projectOf(cwd))
  if (options.json) return { exitCode: 0, output: JSON.stringify({ sessions }, null, 2) }
  if (sessions.length === 0) return { exitCode: 0, output: await nothing(cwd) }
  return {
    exitCode: 0,
    output: sessions.map((one) => accountLines(one).map(sanitizeLine).join('\n')).join('\n\n'),
  }
}

function accountLines(account: SessionAccount): string[] {
  const { phase, progress, question, owner } = account
  return [
    account.session,
    `  spec      ${account.spec} (${account.workflow})`,
    account.problem === undefined
      ? `  state     ${stateText(account)}`
      : `  state     cannot be read: ${account.problem}`,
    ...(phase ? [`  phase     ${phase.number} of ${phase.total}: ${phase.name}`] : []),
    `  progress  ${progress.phasesComplete}/${progress.phasesTotal} phases, ${progress.tasksComplete}/${progress.tasksTotal} tasks`,
    ...(question
      ? [`  question  ${question.title} (${question.options.map((option) => option.label).join(' / ')})`]
      : []),
    account.live && owner
      ? `  open in   pid ${owner.pid}${owner.tty ? ` on ${owner.tty}` : ''} since ${owner.since}`
      : `  open in   no process`,
  ]
}

function stateText(account: SessionAccount): string {
  return account.finished ? `${account.state} (finished)` : String(account.state)
}

/** `autopilot sessions`: one line each, newest first. */
export async function sessions(cwd: string): Promise<CommandOutput> {
  const accounts = await sessionAccounts(await projectOf(cwd))
  if (accounts.length === 0) return { exitCode: 0, output: await nothing(cwd) }
  const lines = accounts.map((account) => {
    const where = account.phase ? `phase ${account.phase.number}/${account.phase.total}` : 'no phase'
    const live = account.live
      ? `open in pid ${account.owner?.pid ?? '?'}`
      : account.finished
        ? 'finished'
        : 'resumable'
    return `${account.session}  ${account.state ?? 'unreadable'}, ${where}, ${live}, ${account.lastActive}  ${account.spec}`
  })
  return { exitCode: 0, output: lines.map(sanitizeLine).join('\n') }
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
