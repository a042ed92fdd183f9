import type { Registry } from './workflows/workflow.js'

// argv to one command, and its exit code: 0 finished or closed, 1 failed, 2 wrong usage, 3 stopped and resumable.

const quickWords = ['status', 'sessions']

/**
 * Runs the command line `argv` (without program and script) and sets the exit code of the process. The command word is
 * looked at before anything that reads options is loaded.
 */
export async function main(registry: Registry, argv = process.argv.slice(2)): Promise<void> {
  const quick = quickWords.includes(argv[0] ?? '')
    ? await (await import('./quick.js')).quickCommand(registry, argv)
    : undefined
  process.exitCode = quick ?? (await (await import('./commands/command.js')).runCommandLine(registry, argv))
}
