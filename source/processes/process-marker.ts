import { setImmediate } from 'node:timers/promises'
import { hasEnded, listPids, onLinux, readProcessEnvironment, readProcessStat } from './process-stat.js'
import { systemOutput } from './system-tool.js'

// Finding the processes of a run again by a marker in their environment (docs/durability.md, "Processes").

export interface Search {
  /** The mark was made by this process: whoever is older cannot carry it and is not looked into. */
  ownMark?: boolean
}

/**
 * Ids of all processes whose environment holds `<name>=<value>`, this one excepted. Processes of other users cannot
 * be looked into and are not found.
 */
export async function findMarked(
  value: string,
  name = 'AUTOPILOT_RUN_ID',
  { ownMark = false }: Search = {},
): Promise<number[]> {
  const marker = `${name}=${value}`
  if (value === '' || marker.includes('\0')) return []
  const found = onLinux ? await scanProc(marker, ownMark) : await scanPs(marker)
  return found.filter((pid) => pid !== process.pid).sort((a, b) => a - b)
}

async function scanProc(marker: string, ownMark: boolean): Promise<number[]> {
  // Environments are bytes: both sides are compared byte by byte.
  const wanted = Buffer.from(marker, 'utf8').toString('latin1')
  const since = ownMark ? startOf(process.pid) : 0
  let looks = 0
  return await findAmong(listPids, async (pid) => {
    looks += 1
    if (looks % looksAtOnce === 0) await setImmediate()
    return startOf(pid) < since ? 'other' : lookInto(pid, wanted)
  })
}

/** Then keys and agents have their turn. */
const looksAtOnce = 64

/** Clock ticks since boot; of a process that is gone, none that is too early. */
function startOf(pid: number): number {
  return Number(readProcessStat(pid)?.startTime ?? Number.POSITIVE_INFINITY)
}

/** What one look at a process says. `gone`: it ended since it was listed, or shows no environment for this moment. */
export type Look = 'marked' | 'other' | 'ended' | 'gone'

const mostPasses = 20

/**
 * Ids of the marked processes. One that ended between the list and the look may have started another one, and one that is
 * becoming another program shows no environment for a moment: then "nobody" is no answer yet, and whoever is new is looked at.
 */
export async function findAmong(
  list: () => Promise<number[]>,
  look: (pid: number) => Promise<Look>,
): Promise<number[]> {
  const known = new Set<number>()
  for (let pass = 1; ; pass += 1) {
    const left = (await list()).filter((pid) => !known.has(pid))
    const looks: [number, Look][] = []
    for (const pid of left) looks.push([pid, await look(pid)])
    const marked = looks.flatMap(([pid, seen]) => (seen === 'marked' ? [pid] : []))
    if (marked.length > 0 || pass === mostPasses) return marked
    if (looks.every(([, seen]) => seen === 'other')) return []
    for (const [pid, seen] of looks) if (seen !== 'gone') known.add(pid)
  }
}

function lookInto(pid: number, wanted: string): Look {
  const environment = readProcessEnvironment(pid)
  if (environment.kind === 'gone') return 'gone'
  if (environment.kind === 'closed') return 'other'
  const { text } = environment
  if (`\0${text}\0`.includes(`\0${wanted}\0`)) return 'marked'
  if (/[^\0]/.test(text)) return 'other'
  const stat = readProcessStat(pid)
  if (stat === undefined) return 'gone'
  if (hasEnded(stat)) return 'ended'
  const isOfKernel = stat.parent === 2 || pid === 2
  return isOfKernel ? 'other' : 'gone'
}

async function scanPs(marker: string): Promise<number[]> {
  const listed = (await systemOutput(['ps', 'eww', '-ax', '-o', 'pid=,command='])) ?? ''
  return listed
    .split('\n')
    .filter((line) => ` ${line} `.includes(` ${marker} `))
    .map((line) => Number.parseInt(line, 10))
    .filter((pid) => pid > 1)
}
