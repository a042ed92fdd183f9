import { decideTerminal, type TerminalMode } from '../terminal/capabilities.js'

/** What the terminal of this process can do: the full screen, or lines, and why. `plain`: lines are wanted anyway. */
export function terminalMode(plain = false): TerminalMode {
  const mode = decideTerminal(process.env, process.stdin, process.stdout)
  return plain && mode.kind === 'screen'
    ? { kind: 'plain', reason: '--plain was given', input: 'keys' }
    : mode
}
