import type { SessionStore } from '../ledger/session-store.js'
import type { Typed } from '../workflows/workflow.js'
import { archive } from './archive.js'
import type { AskFirst } from './open-session.js'
import type { SessionAt } from './session.js'
import { asked } from './session-questions.js'

/**
 * A run is under way, and what was typed is about another one: a person says whether it is gone on with. One that is
 * given up goes to the archive as it is (`anew`), and its store is closed, as it is after `stop`.
 */
export async function settleOtherRun<State extends object>(
  { session, store, typed }: { session: SessionAt<State>; store: SessionStore<State>; typed: Typed },
  ask: AskFirst,
): Promise<'go on' | 'anew' | 'stop'> {
  const { state } = store
  const { root, workflow, place } = session
  const draft = state && (await workflow.archives?.another?.(root, state, typed))
  if (draft === undefined) return 'go on'
  const answer = await ask(asked(draft), place.slug)
  if (answer !== 'quit' && answer.value === 'resume') return 'go on'
  await store.close()
  if (answer === 'quit' || answer.value !== 'new') return 'stop'
  await archive(session, state)
  return 'anew'
}
