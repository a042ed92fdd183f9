import type { Line } from '../theme.js'

/** Rows that are made when somebody looks at them; a list of rows is one too. */
export interface RowSource {
  readonly length: number
  /** Rows `from` (inclusive) to `to` (exclusive). */
  slice(from: number, to: number): readonly Line[]
}
