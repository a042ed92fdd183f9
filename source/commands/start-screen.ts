import { problemLines } from '../problem.js'
import { type ListedSession, listSessions } from '../sessions/session-summaries.js'
import { writtenByAnother } from '../sessions/strangers.js'
import type { StartData, Ui } from '../ui/ui.js'
import type { Candidate } from '../workflows/workflow.js'
import { type Chosen, chooseInput, type LoadedWorkflow } from './choose-input.js'

/** What was chosen, with its session if it was one. */
export type ChosenOnScreen = Chosen & { session?: ListedSession }

/** The start screen, until something is chosen that can be worked on; undefined when it was left. */
export async function chooseOnScreen(
  loaded: readonly LoadedWorkflow[],
  project: { root: string; cwd: string },
  ui: Ui,
): Promise<ChosenOnScreen | 'demo' | undefined> {
  const { root, cwd } = project
  ui.busy('Looking for sessions and specs')
  let notices: string[] = []
  for (;;) {
    const [sessions, offered] = await Promise.all([
      listSessions(
        root,
        loaded.map(({ entry }) => entry),
      ),
      candidatesOf(loaded, root),
    ])
    const choice = await ui.choose({
      project: root,
      sessions: sessions.map(sessionRow),
      candidates: withoutSessions(offered, sessions),
      notices,
      lookedFor: loaded.flatMap(({ entry }) => entry.looksFor ?? []),
    })
    if (choice.kind === 'quit') return undefined
    if (choice.kind === 'demo') return 'demo'
    try {
      if (choice.kind === 'session') {
        const session = sessions.find((one) => keyOf(one) === choice.key)
        const owner = loaded.find(({ entry }) => entry.name === session?.workflow)
        if (session && owner) return { ...owner, subject: session.subject, session }
        if (session) throw writtenByAnother(session.workflow)
      } else {
        const candidate = offered.find(
          (one) => one.subject === choice.path && one.workflow === choice.workflow,
        )
        const owner = loaded.find(({ entry }) => entry.name === candidate?.workflow)
        if (candidate && owner) return { ...owner, subject: candidate.subject }
        return await chooseInput(loaded, root, choice.path, cwd)
      }
    } catch (error) {
      notices = problemLines(error)
    }
  }
}

/** What sessions could be begun for in a project, as the workflows see it. */
export async function candidatesOf(loaded: readonly LoadedWorkflow[], root: string): Promise<Candidate[]> {
  return (await Promise.all(loaded.map(({ workflow }) => workflow.candidates(root)))).flat()
}

/** What has a session already is listed as that, and not a second time. */
function withoutSessions(offered: readonly Candidate[], sessions: readonly ListedSession[]): Candidate[] {
  return offered.filter(
    ({ workflow, subject }) =>
      !sessions.some((session) => session.workflow === workflow && session.subject === subject),
  )
}

/** Slugs are unique in a workflow only. */
function keyOf({ workflow, session }: ListedSession): string {
  return `${workflow}/${session}`
}

function sessionRow(session: ListedSession): StartData['sessions'][number] {
  return { ...session, key: keyOf(session), lastActive: ago(session.lastActive) }
}

function ago(iso: string): string {
  const minutes = Math.floor((Date.now() - Date.parse(iso)) / 60_000)
  if (!Number.isFinite(minutes)) return ''
  if (minutes < 1) return 'just now'
  if (minutes < 60) return `${minutes} min ago`
  if (minutes < 48 * 60) return `${Math.floor(minutes / 60)} h ago`
  return `${Math.floor(minutes / (24 * 60))} days ago`
}
