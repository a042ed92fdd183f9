import type { z } from 'zod'
import { parseState, serialiseState } from './json-text.js'
import type { StateCodec } from './state-codec.js'

/**
 * A state as one JSON object, checked by a schema. The schema may transform, so that older formats are migrated while
 * reading; it must take its own output unchanged. A Problem thrown in it, such as `newer-version`, is thrown by `read`.
 */
export function jsonCodec<State>(schema: z.ZodType<State>): StateCodec<State> {
  return {
    read(bytes) {
      const reading = parseState(bytes)
      if (reading.kind === 'unreadable') return reading
      const checked = schema.safeParse(reading.value)
      if (checked.success) return { kind: 'ok', state: checked.data, warnings: [] }
      const issue = checked.error.issues[0]
      const place = issue && issue.path.length > 0 ? ` at ${issue.path.join('.')}` : ''
      return {
        kind: 'unreadable',
        reason: `it does not fit its format${place}: ${issue?.message ?? 'unknown'}`,
      }
    },
    write: serialiseState,
  }
}
