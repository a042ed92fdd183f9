import { isTyped } from '../../terminal/key-names.js'
import type { Key } from '../../terminal/key-pump.js'
import { sanitizeLine } from '../../terminal/sanitize.js'
import type { Interlude } from '../../view/view.js'
import { actionOf, keyOf, shownKey } from '../keymap.js'

// What is said of keys that do nothing, or nothing yet.

/** Said of a key that means something elsewhere. */
export function nothingHere({ name }: Pick<Key, 'name'>): string {
  return `${shownKey(name)} means nothing here; ${keyOf('help')} shows the keys.`
}

/** Said of a key that does nothing, so that nobody waits for it. */
export function unknownKey(key: Key, asks: boolean): string {
  const { name } = key
  const known = actionOf('agent', name) !== undefined && asks
  if (known) return `${shownKey(name)} does nothing while a question is open.`
  return isMeant(key) ? nothingHere(key) : ''
}

/** The same where there is no help to point to: the hints show all there is. */
export function unknownBeforeRun(key: Pick<Key, 'name' | 'sequence'>): string {
  return isMeant(key) ? `${shownKey(key.name)} means nothing here.` : ''
}

/** A key that somebody pressed on purpose, and no sequence that a terminal sends by itself: those are no known key. */
const isMeant = ({ name, sequence }: Pick<Key, 'name' | 'sequence'>) =>
  isTyped(sequence) || (name !== 'unknown' && !name.startsWith('wheel-'))

/** Said of Tab where neither a text nor an agent stands beside the question. */
export const nothingToRead = 'There is nothing more to read here: no agent has been started yet.'

/** Where a search would have something to look through. */
export function nothingToSearch(hasPanes: boolean): string {
  return hasPanes
    ? `A search looks through what has the screen: ${keyOf('agents')} shows the agent.`
    : 'No agent has been started yet: there is nothing to search.'
}

/** When something that was asked for comes. */
export function interludeText({ label }: Interlude, asks: boolean): string {
  return `${sanitizeLine(label)}: asked ${asks ? 'after this question, at' : 'at'} the next safe point.`
}
