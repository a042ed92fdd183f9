import { aboutText } from '../durations.js'
import { runCommand } from '../processes/commands.js'
import { childEnvironment } from '../processes/environment.js'
import type { Alert } from './alerts.js'

/** What a notify command is told beside the alert. */
export interface NotifyAbout {
  session: string
  workflow: string
  subject: string
  /** Absolute. */
  project: string
}

const timeoutMs = 10_000

/**
 * Starts the notify command of the user's settings with the event as JSON on its stdin. One that hangs is ended; what
 * goes wrong is told once.
 */
export function notifier(
  argv: readonly string[],
  about: NotifyAbout,
  tell: (text: string) => void,
): (alert: Alert) => Promise<void> {
  let told = false
  return async (alert) => {
    const input = `${JSON.stringify({ ...alert, ...about })}\n`
    const result = await runCommand([...argv], {
      cwd: about.project,
      env: childEnvironment(),
      input,
      timeoutMs,
      outputCap: 1000,
    }).catch(() => undefined)
    const why = result === undefined ? 'it could not be started' : failureOf(result)
    if (why === undefined || told) return
    told = true
    tell(`The notify command ${argv[0]} failed: ${why}. It is tried again, and not spoken of again.`)
  }
}

function failureOf(result: { missing: boolean; timedOut: boolean; code: number | null }): string | undefined {
  if (result.missing) return 'it was not found'
  if (result.timedOut) return `it took longer than ${aboutText(timeoutMs)} and was ended`
  return result.code === 0 ? undefined : `it ended with ${result.code ?? 'a signal'}`
}
