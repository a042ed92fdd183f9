import { counted } from '../../../counted.js'
import type { PlaybookFlags } from '../flags.js'
import { mapPath } from '../records/talks.js'
import type { PlaybookState } from './schema.js'

// Phases that people are to be asked about before any of them begins. Pure.

/** Lists of `_meta`, there only where a flag asks for them. */
export type TalkList = 'to_map' | 'to_discuss'

type TalkFlags = Pick<PlaybookFlags, 'map' | 'discuss'>

/** What a new run has to ask about, as keys of its `_meta`. */
export function talksOf(
  { map, discuss }: TalkFlags,
  queue: readonly string[],
): Partial<Record<TalkList, string[]>> {
  return { ...(map ? { to_map: [...queue] } : {}), ...(discuss ? { to_discuss: [...queue] } : {}) }
}

export function toAskOf({ _meta }: PlaybookState, list: TalkList): string[] {
  const ids = _meta[list]
  return Array.isArray(ids) ? ids.map(String) : []
}

/** The state once this phase was asked about. */
export function withAsked(state: PlaybookState, list: TalkList, id: string): PlaybookState {
  const left = toAskOf(state, list).filter((one) => one !== id)
  return { ...state, _meta: { ...state._meta, current_phase: null, [list]: left } }
}

/** `--map` alone looks and asks, and runs nothing; a flag that begins work goes on with it. */
export function isTalkOnly({ _meta: { flags } }: PlaybookState): boolean {
  return (
    flags.map === true && !['complete', 'quality', 'gaps', 'discuss'].some((name) => flags[name] === true)
  )
}

/** What came of a run that only asked, phase by phase. */
export function mapLines(state: PlaybookState): string[] {
  const told = state.event_log.filter(({ event }) => event === 'context_mapping_completed')
  const lines = told.map(({ phase, details }) => {
    const lacks = Array.isArray(details.lacks) ? details.lacks.map(String) : []
    const missing = lacks.length === 0 ? '' : `; it has ${lacks.join(', ')}`
    return `Phase ${phase}: ${String(details.answered)} of ${counted(Number(details.questions), 'question')} answered${missing}.`
  })
  return [...lines, `Answers: ${mapPath}. No phase was run.`]
}
