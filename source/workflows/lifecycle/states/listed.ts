import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { isObject, parseJson } from '../../../documents/json.js'
import { readText, writeText } from '../../../project/text-files.js'
import { rewrittenTests } from '../../evidence/claims/rewritten-tests.js'
import { readBegun } from '../opening/pending-commit.js'
import type { LifecycleTools } from '../tools.js'
import type { StepWork } from '../work.js'

// What tests are held to and is another since a step began: honest work does so as well, so nobody is asked about it, and it
// stands at the next gates until somebody has answered one (docs/lifecycle.md, "Tests").

const listedPath = ({ place }: Pick<LifecycleTools, 'place'>) => `${place.sessionDir}/listed.json`

/** Looks for it when a step is reported complete, and keeps it for the gates. `key` is unique in the visit. */
export async function listRewritten(work: StepWork, key: string): Promise<void> {
  const { run, step, tools } = work
  const lines = await run.step(`${key}-rewritten`, async () => {
    const found = await rewrittenSince(work)
    if (found.length > 0) await keepListed(tools, step.name, found)
    return found
  })
  if (lines.length === 0) return
  const text = `${step.name}: tests rewritten with the code: ${lines.join('; ')}`
  await run.note(`${key}-rewritten`, text, 'warning')
}

async function rewrittenSince(work: StepWork): Promise<string[]> {
  const { tools } = work
  const begun = await readBegun(work)
  const start = begun?.start
  if (!begun || !start || !(await tools.git.exists(start))) return []
  const before = begun.dirty.filter(({ path }) => begun.decided[path] !== 'include')
  const lines = await rewrittenTests(tools.git, { start, read: (path) => readText(tools, path) })
  return lines.filter((line) => !before.some(({ path }) => line.startsWith(`${path}: `)))
}

/** Of one step what was found last counts. */
async function keepListed(tools: LifecycleTools, step: string, lines: readonly string[]): Promise<void> {
  const others = (await readListed(tools)).filter((line) => !line.startsWith(`${step}: `))
  const all = [...others, ...lines.map((line) => `${step}: ${line}`)]
  await writeText(tools, listedPath(tools), `${JSON.stringify({ lines: all })}\n`)
}

async function readListed(tools: LifecycleTools): Promise<string[]> {
  const parsed = parseJson((await readText(tools, listedPath(tools))) ?? '')
  const value = parsed !== undefined && 'value' in parsed ? parsed.value : undefined
  return isObject(value) && Array.isArray(value.lines) ? value.lines.map(String) : []
}

/** What a gate of a step shows of it. */
export function listedAt({ run, tools }: Pick<StepWork, 'run' | 'tools'>, key: string): Promise<string[]> {
  return run.step(`${key}-listed`, () => readListed(tools))
}

/** Somebody has seen it at a gate between two steps, and has answered. */
export async function listedSeen(
  { run, tools }: Pick<StepWork, 'run' | 'tools'>,
  key: string,
): Promise<void> {
  await run.step(`${key}-seen`, async () => {
    await rm(join(tools.root, listedPath(tools)), { force: true })
    return null
  })
}
