import { listPidsNow, onLinux, readProcessStat } from '../process-stat.js'

/** Pids, as they are outside. */
export interface ConfinedPids {
  /** The tool, and the first process of the confinement, which collects the others. */
  holders: number[]
  /** The program itself; undefined as long as it is not started. */
  program?: number
}

/**
 * Who is who of a confined process, whose tool is `outer`. Where the tool becomes the program (macOS), nobody holds it.
 */
export function confinedPids(outer: number): ConfinedPids {
  if (!onLinux) return { holders: [], program: outer }
  const children = childrenOf(outer)
  const [first] = children
  if (first === undefined) return { holders: [outer] }
  // Orphans of the confinement become its children too; the program was there before them.
  const [program] = childrenOf(first)
  return program === undefined ? { holders: [outer, first] } : { holders: [outer, first], program }
}

/** Oldest first. */
function childrenOf(parent: number): number[] {
  return listPidsNow()
    .flatMap((pid) => {
      const stat = readProcessStat(pid)
      return stat?.parent === parent ? [{ pid, start: BigInt(stat.startTime) }] : []
    })
    .sort((a, b) => (a.start < b.start ? -1 : a.start > b.start ? 1 : a.pid - b.pid))
    .map(({ pid }) => pid)
}
