import type { Line, Theme } from '../theme.js'
import { fitLine, line, lineWidth, spread } from './line.js'

// The last row of a question: what keys do now, and where one is.

export interface CueState {
  armed: boolean
  /** Keys came before it was armed. */
  dropped?: boolean
  /** Index of the evidence that Enter opens; undefined while an option is lit. */
  evidence?: number
}

/** What Enter does now, longest first: the first one that has room is shown. `where`: which option is lit, what else waits. */
export function cuesOf(state: CueState, where: readonly string[]): Line[] {
  const { armed, dropped = false, evidence } = state
  const told = [cueText(state), briefCue(state)]
  const isPlain = armed && !dropped && evidence === undefined
  // That Enter decides is what a lit option says by itself.
  const texts = [...told.map((text) => [text, ...where]), ...(isPlain && where.length > 0 ? [where] : [])]
  return texts.map((parts) => line(`  ${parts.join('; ')}`, armed ? 'good' : 'warn'))
}

/** The same in few words, where something else needs the row as well. */
function briefCue({ evidence, armed, dropped = false }: CueState): string {
  if (evidence !== undefined) return 'Enter opens it'
  if (!armed) return dropped ? 'Keys did nothing; wait a moment' : 'Read: keys count in a moment'
  return dropped ? 'Keys typed before did nothing' : 'Enter or a number decides'
}

/** What Enter does now, and that keys which came too early did nothing: whoever typed them would wait for it. */
function cueText({ evidence, armed, dropped = false }: CueState): string {
  if (evidence !== undefined) return 'Enter opens it; Up and Down go back to the options'
  if (!armed)
    return dropped ? 'Keys typed so far did nothing; wait a moment' : 'Read first: keys count in a moment'
  return dropped
    ? 'Keys typed before did nothing; Enter or a number decides'
    : 'Enter, a number or a letter decides'
}

/** The first cue that has room beside where the text is scrolled to, which is told whatever goes. */
export function besidePlace(cues: readonly Line[], where: Line, width: number, theme: Theme): Line {
  const room = width - lineWidth(where) - 1
  const cue = cues.find((one) => lineWidth(one) <= room) ?? fitLine(cues.at(-1) ?? [], room, theme)
  return spread(cue, where, width, theme)
}
