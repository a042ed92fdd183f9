// An agent that talks as much as it likes, as a run would dispatch it, for the benchmarks of its output.
import { join } from 'node:path'
import { z } from 'zod'
import { commandBackend } from '../source/agents/backends/command.js'
import { dispatchAgent } from '../source/agents/dispatch.js'
import { dispatchLogPath } from '../source/agents/dispatch-context.js'
import { childEnvironment } from '../source/processes/environment.js'
import type { LiveStore } from '../source/run/live-store.js'
import type { Pane } from '../source/view/panes.js'

/** What it prints at its end; `sent` are the lines that it says it has printed. */
const expects = z.looseObject({ ok: z.boolean(), sent: z.number().optional() })

/**
 * Runs a program of JavaScript as a command agent whose lines go to that pane. Throws where it fails.
 *
 * @param root the project
 * @returns what it handed back, and the path of its log
 */
export async function dispatchTalker(
  root: string,
  program: string,
  { live, pane }: { live: LiveStore; pane: Pane },
): Promise<{ result: z.infer<typeof expects>; log: string }> {
  const reply = await dispatchAgent(
    {
      persona: 'p',
      workflow: 'bench',
      title: 't',
      attempt: 1,
      prompt: 'talk',
      brief: {},
      phase: 1,
      expects,
      access: 'read',
      wallMs: 600_000,
    },
    {
      backend: commandBackend([process.execPath, '-e', program]),
      runId: `bench-${process.pid}`,
      dispatchId: pane.id,
      projectDir: root,
      sessionDir: 's',
      signal: new AbortController().signal,
      env: childEnvironment(),
      line: (shown, at) => live.writePane(pane, shown, at),
      usage: () => {},
      session: () => {},
    },
  )
  if (!reply.ok) throw new Error(reply.message)
  return { result: reply.result, log: join(root, dispatchLogPath('s', pane.id)) }
}
