import { join } from 'node:path'
import { findOnPath } from '../../processes/find-program.js'
import { testCommand } from '../../project/test-command.js'
import type { SessionTools } from '../tools.js'
import { harnessFlags } from './flags.js'
import type { HarnessTools } from './tools.js'
import { runValidation } from './validate.js'

/** The tools of a session, with what the states of this workflow need beside them. */
export async function openHarnessTools(session: SessionTools): Promise<HarnessTools> {
  const { root, config } = session
  const gh = await findOnPath('gh')
  return {
    ...session,
    specPath: session.subject,
    slug: session.place.slug,
    sessionDir: session.place.sessionDir,
    flags: harnessFlags(session.flags, config.rigor),
    testCommand: () => testCommand(root, config),
    validate: (signal) => runValidation(root, config.validate, { signal, command: session.command }),
    ...(gh
      ? {
          openPullRequest: (title: string, bodyFile: string) => openPullRequest(session, gh, title, bodyFile),
        }
      : {}),
  }
}

async function openPullRequest(session: SessionTools, gh: string, title: string, bodyFile: string) {
  const argv = [gh, 'pr', 'create', '--title', title, '--body-file', join(session.root, bodyFile)]
  const result = await session.command(argv, { timeoutMs: 120_000, outputCap: 16_000 })
  return { ok: result.code === 0, output: `${result.stdout}${result.stderr}` }
}
