import { rm } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import type { HarnessTools } from '../tools.js'
import { sessionFiles } from './files.js'

// {sessionDir}/scratchpad/<phase>/ (docs/harness.md, "Scratchpad").

/** Directory name of a phase: safe characters only, at most 60. */
export function scratchpadName(phase: number, name: string): string {
  const safe = `phase-${phase}-${name}`.replace(/[^A-Za-z0-9._-]+/g, '-').replace(/-{2,}/g, '-')
  return safe.slice(0, 60).replace(/^[-.]+|[-.]+$/g, '')
}

export function scratchpadDir(tools: HarnessTools, phase: number, name: string): string {
  return `${sessionFiles(tools.sessionDir).scratchpad}/${scratchpadName(phase, name)}`
}

/** Removes the scratchpad of one phase, also one that an agent named after the raw phase name. */
export async function clearScratchpad(tools: HarnessTools, phase: number, name: string): Promise<void> {
  const base = join(tools.root, sessionFiles(tools.sessionDir).scratchpad)
  for (const segment of [scratchpadName(phase, name), name]) {
    const target = join(base, segment)
    const inside = relative(base, target)
    if (inside === '' || inside.startsWith('..') || inside.includes(sep)) continue
    await rm(target, { recursive: true, force: true })
  }
}
