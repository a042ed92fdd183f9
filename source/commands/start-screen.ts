import { agoText } from '../durations.js'
import { Problem, problemLines } from '../problem.js'
import type { ListedSession } from '../sessions/session-summaries.js'
import { writtenByAnother } from '../sessions/strangers.js'
import type { StartData, Ui } from '../ui/ui.js'
import type { Candidate, Registry } from '../workflows/workflow.js'
import { type Chosen, chooseInput } from './choose-input.js'

/** What there is to go on with, and to begin. Throws a Problem where nobody can say. */
export async function offersOf(root: string, entries: Registry) {
  const offers = await (await import('../offers.js')).offersOf(root, entries)
  if ('failed' in offers) throw new Problem(offers.failed)
  return offers
}

/** What was chosen, with its session if it was one. */
export type ChosenOnScreen = Chosen & { session?: ListedSession }

/**
 * The start screen, until something is chosen that can be worked on; undefined when it was left. `onShown` is called whenever
 * there is something to choose from.
 */
export async function chooseOnScreen(
  { root, entries }: { root: string; entries: Registry },
  { cwd, ui, onShown }: { cwd: string; ui: Ui; onShown: () => void },
): Promise<ChosenOnScreen | 'demo' | undefined> {
  ui.busy('Looking for sessions and specs')
  let notices: string[] = []
  for (;;) {
    const { sessions, candidates: offered } = await offersOf(root, entries)
    const choosing = ui.choose({
      project: root,
      sessions: sessions.map(sessionRow),
      candidates: withoutSessions(offered, sessions),
      notices,
      lookedFor: entries.flatMap((entry) => entry.looksFor ?? []),
    })
    onShown()
    const choice = await choosing
    if (choice.kind === 'quit') return undefined
    if (choice.kind === 'demo') return 'demo'
    try {
      if (choice.kind === 'session') {
        const session = sessions.find((one) => keyOf(one) === choice.key)
        const entry = entries.find(({ name }) => name === session?.workflow)
        if (session && entry) return { entry, subject: session.subject, session }
        if (session) throw writtenByAnother(session.workflow)
      } else {
        const candidate = offered.find(
          (one) => one.subject === choice.path && one.workflow === choice.workflow,
        )
        const entry = entries.find(({ name }) => name === candidate?.workflow)
        if (candidate && entry) return { entry, subject: candidate.subject }
        return await chooseInput(entries, root, { typed: choice.path, cwd, isBesideList: true })
      }
    } catch (error) {
      notices = problemLines(error)
    }
  }
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
  return { ...session, key: keyOf(session), lastActive: agoText(session.lastActive, Date.now()) }
}
