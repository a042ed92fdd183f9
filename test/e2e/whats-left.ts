import { readFile } from 'node:fs/promises'
import { expect } from 'vitest'
import { findMarked } from '../../source/processes/process-marker.js'

// Processes that carry the marker of a run (docs/durability.md, "Processes").

/** Within this time nothing of an ended run may be alive. */
const graceMs = 5_000

/** Fails with the command lines of what is still alive when the time has passed. */
export async function expectNothingLeft(runIds: readonly string[]): Promise<void> {
  expect(runIds.length).toBeGreaterThan(0)
  const deadline = performance.now() + graceMs
  for (;;) {
    const late = performance.now() > deadline
    const left = (await Promise.all(runIds.map((runId) => findMarked(runId)))).flat()
    if (left.length === 0) return
    if (late) expect(await Promise.all(left.map(commandLine))).toEqual([])
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

async function commandLine(pid: number): Promise<string> {
  const text = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
  return `${pid} ${text.replaceAll('\0', ' ').trim()}`
}
