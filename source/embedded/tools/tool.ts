import type { ToolKind } from '../../agents/agent.js'
import type { OutputRecord } from '../output-record.js'
import type { Wish } from '../permissions.js'

/** A call that failed in a way that the model is told about. */
export class ToolFailure extends Error {}

export interface ToolRun {
  signal: AbortSignal
  /** Takes what the tool puts out. */
  output: OutputRecord
}

/** One thing that the model can do in the project. */
export interface Tool {
  name: string
  kind: ToolKind
  description: string
  inputSchema: { type: 'object'; [key: string]: unknown }
  /** A few words for the pane: the path, the command. */
  title(input: unknown): string
  /** What to ask about first; undefined where nothing is changed. Throws for an input that is refused anyway. */
  wish?(input: unknown): Promise<Wish>
  /** Throws where the call failed; what was put out until then is told too. */
  run(input: unknown, run: ToolRun): Promise<void>
}
