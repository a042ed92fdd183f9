import type { z } from 'zod'
import { notAnObject, parseState, serialiseState } from './json-text.js'
import { asParsed, sameInOrder } from './plain-json.js'
import { bytesOfPlain } from './state-bytes.js'
import type { CodecReading, StateCodec } from './state-codec.js'

/**
 * A state as one JSON object, checked by a schema. The schema may transform, so that older formats are migrated while
 * reading; it must take its own output unchanged. A Problem thrown in it, such as `newer-version`, is thrown by `read`.
 */
export function jsonCodec<State extends object>(schema: z.ZodType<State>): StateCodec<State> {
  function check(value: unknown): CodecReading<State> {
    const checked = schema.safeParse(value)
    if (checked.success) return { kind: 'ok', state: checked.data, warnings: [] }
    const issue = checked.error.issues[0]
    const place = issue && issue.path.length > 0 ? ` at ${issue.path.join('.')}` : ''
    return {
      kind: 'unreadable',
      reason: `it does not fit its format${place}: ${issue?.message ?? 'unknown'}`,
    }
  }

  return {
    read(bytes) {
      const reading = parseState(bytes)
      if (reading.kind === 'unreadable') return reading
      return check(reading.value)
    },
    write: serialiseState,
    prepare(state, before) {
      const value = asParsed(state, before)
      if (Array.isArray(value)) return { reading: notAnObject, bytes: undefined }
      const reading = check(value)
      if (reading.kind !== 'ok') return { reading, bytes: undefined }
      if (!sameInOrder(value, reading.state)) return { reading, bytes: serialiseState(reading.state) }
      // The same, but its parts are those of the state before.
      return { reading: { ...reading, state: value as State }, bytes: bytesOfPlain(value) }
    },
  }
}
