import { decideTerminal } from '../terminal/capabilities.js'

/** What the terminal of this process can do: the full screen, or nothing but lines, and why. */
export function terminalMode(): ReturnType<typeof decideTerminal> {
  return decideTerminal(process.env, process.stdin, process.stdout)
}
