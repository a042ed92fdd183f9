import type { PaneLine } from '../view/panes.js'

/** What keys can do to an agent that is working. Parts are missing until its conversation is open. */
export interface RunningAgent {
  /** Sends a message into its conversation. */
  say?(text: string): 'sent' | 'queued' | 'unsupported'
  /** Suspends or continues its processes. */
  suspend?(on: boolean): void
  /** Ends its turn; the conversation can go on later. */
  interrupt?(): void
  /** Writes a line into its pane. */
  show(line: PaneLine): void
}
