import { Problem } from '../problem.js'
import type { Ui } from './contract.js'

export type { QuitKind, StartChoice, StartData, StartSession, StartSpec, Ui } from './contract.js'

export interface UiOptions {
  /** Output of others while the screen is open, which must not reach the terminal. */
  onStray?: (stream: 'stdout' | 'stderr', text: string) => void
}

/** Opens the screen; the caller has checked that stdin and stdout are terminals (terminal/capabilities.ts). */
export async function openUi(_options: UiOptions = {}): Promise<Ui> {
  throw new Problem({
    code: 'usage',
    what: 'The screen is not part of this build.',
    why: 'A run needs it to ask its questions.',
    todo: 'Use a newer build.',
  })
}
