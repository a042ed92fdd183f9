import { copyFile, mkdir, mkdtemp, rm, stat } from 'node:fs/promises'
import { request } from 'node:http'
import { request as secureRequest } from 'node:https'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { findProgram } from '../../../processes/find-program.js'
import { ensureDir } from '../../../storage/contained-path.js'
import type { SessionTools } from '../../tools.js'
import { findBrowser } from './browser.js'
import type { VisualPorts } from './visual-checks.js'

// The ports of the visual checks on a real machine. Program and browser run as confined as an executor, whose temporary
// files and whose view of the session's directory are not ours: a browser leaves its pictures in a cache.

const day = 24 * 60 * 60_000
const outputCap = 64 * 1024
const answerMs = 5_000

type VisualTools = Pick<SessionTools, 'root' | 'command' | 'environment' | 'confinement' | 'now'>

/** The ports, and how what they made for themselves is cleared away. */
export async function machinePorts(
  tools: VisualTools,
): Promise<{ ports: VisualPorts; clear(): Promise<void> }> {
  const { root, command, environment, confinement } = tools
  const cache = join(environment.HOME ?? homedir(), '.cache')
  await mkdir(cache, { recursive: true })
  const scratch = await mkdtemp(join(cache, 'autopilot-visual-'))
  let folders = 0
  const ports: VisualPorts = {
    browser: findBrowser((name) => findProgram(name, root, environment.PATH)),
    launch: (line) => {
      const ending = new AbortController()
      const limits = { timeoutMs: day, outputCap, signal: ending.signal, isOfProject: true }
      const ended = command(['bash', '-c', line], limits).then(
        ({ code, signal }) => (code === null ? `signal ${signal ?? 'unknown'}` : `exit ${code}`),
        (error: unknown) => String(error),
      )
      return {
        ended,
        stop: async () => {
          ending.abort()
          await ended
        },
      }
    },
    status: statusOf,
    run: async (argv, timeoutMs) => {
      const { code, timedOut } = await command(argv, { timeoutMs, outputCap, isOfProject: true })
      return { code, timedOut }
    },
    pictures: scratch,
    keep: async (name, folder) => {
      const made = join(scratch, name)
      if (((await stat(made).catch(() => undefined))?.size ?? 0) === 0) return false
      await ensureDir(join(root, folder), root)
      await copyFile(made, join(root, folder, name))
      return true
    },
    wait: async (ms) => {
      await sleep(ms)
    },
    scratch: async () => {
      folders += 1
      const folder = join(scratch, String(folders))
      await mkdir(folder)
      return folder
    },
    stamp: tools
      .now()
      .toISOString()
      .replace(/[-:]|\.\d+/g, ''),
    withoutSandbox: confinement !== undefined || process.getuid?.() === 0,
  }
  return { ports, clear: async () => await rm(scratch, { recursive: true, force: true }) }
}

/** The status that an address answers with; undefined where nobody does in time. */
export async function statusOf(url: string): Promise<number | undefined> {
  return await new Promise((resolve) => {
    const send = url.startsWith('https:') ? secureRequest : request
    const asked = send(url, { method: 'GET', timeout: answerMs }, (answer) => {
      answer.resume()
      resolve(answer.statusCode)
    })
    asked.on('timeout', () => asked.destroy())
    asked.on('error', () => resolve(undefined))
    asked.end()
  })
}
