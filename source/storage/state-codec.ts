/** What a codec makes of the bytes of a state file. Nothing is mended or defaulted silently: `warnings` say what was. */
export type CodecReading<State> =
  | { kind: 'ok'; state: State; warnings: string[] }
  | { kind: 'unreadable'; reason: string }
  /** Written by a newer program: it is left alone. */
  | { kind: 'newer'; reason: string }

/**
 * Bytes to state and back, in exactly the format of a workflow (docs/durability.md). A state is plain JSON data, since
 * the journal holds it; what the format keeps beside it (comments, unknown parts) has to be in the state too. The same
 * state gives the same bytes, and `read` takes what `write` made.
 */
export interface StateCodec<State> {
  read(bytes: Buffer): CodecReading<State>
  /** Problem for a state that could not be read again. */
  write(state: State): Buffer
  /**
   * What `write`, `read` of that and `write` of what was read give together, for a format that can tell it with less work:
   * every save does it. `bytes` are undefined where the reading is not `ok`. `before` is what it, or `read`, gave last: what
   * is as it was there may be shared with it.
   */
  prepare?(state: State, before?: State): { reading: CodecReading<State>; bytes: Buffer | undefined }
}
