import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeDirectoryNow } from '../make-directory.js'
import { userConfigDir } from '../project/paths.js'
import { createTextRedactor, secretValues } from '../secrets/redact.js'
import { inSourceLines } from './source-lines.js'

/** Watches for faults that nobody caught: the screen is left, the fault is kept in a file, and the program ends. */
export function watchCrashes(leave: (lines: string[]) => Promise<void>): () => void {
  const onFault = (error: unknown) => {
    const file = keep(error)
    const lines = [
      `autopilot hit a fault of its own: ${error instanceof Error ? error.message : String(error)}`,
      'Everything up to the last step is saved; agents that still worked are being ended.',
      file ? `Start it again to go on. The details are in ${file}.` : 'Start it again to go on.',
    ]
    void leave(lines)
      .catch(() => undefined)
      .then(() => process.exit(1))
  }
  process.on('uncaughtException', onFault)
  process.on('unhandledRejection', onFault)
  return () => {
    process.off('uncaughtException', onFault)
    process.off('unhandledRejection', onFault)
  }
}

function keep(error: unknown): string | undefined {
  const file = join(userConfigDir(), `crash-${new Date().toISOString().replaceAll(':', '-')}.log`)
  try {
    makeDirectoryNow(userConfigDir())
    const trace = error instanceof Error ? (error.stack ?? error.message) : String(error)
    const hide = createTextRedactor(secretValues(process.env, {}))
    writeFileSync(file, `${hide(inSourceLines(trace))}\n`, { mode: 0o600 })
    return file
  } catch {
    return undefined
  }
}
