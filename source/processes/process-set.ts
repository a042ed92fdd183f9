import { findMarked, type Search } from './process-marker.js'
import { hasEnded, listPidsNow, onLinux, readProcessStat } from './process-stat.js'
import { signalProcess } from './signals.js'
import type { Mark } from './start-process.js'

// Which processes belong to a run or a dispatch, and signals that reach only them (docs/durability.md, "Processes").

export const runMarker = 'AUTOPILOT_RUN_ID'
/** Its value is unique beyond the run: see `dispatchMark`. */
export const dispatchMarker = 'AUTOPILOT_ATTEMPT_ID'

export function dispatchMark(runId: string, dispatchId: string): string {
  return `${runId}/${dispatchId}`
}

/** One process, told apart from a later one with the same pid by its start time where the system tells it. */
export interface Member {
  pid: number
  parent?: number
  start?: string
}

/** Processes that carry the marker of a run, whoever started it. */
export async function membersOf(runId: string): Promise<Member[]> {
  return await membersMarked({ name: runMarker, value: runId })
}

/**
 * Processes of one dispatch that this process has started. Children that dropped their environment are found below `root` as
 * long as that process lives.
 */
export async function membersOfDispatch(runId: string, dispatchId: string, root?: number): Promise<Member[]> {
  const found = new Map<number, Member>()
  const mark = { name: dispatchMarker, value: dispatchMark(runId, dispatchId) }
  const marked = await membersMarked(mark, { ownMark: true })
  for (const member of marked) found.set(member.pid, member)
  if (root !== undefined) for (const member of descendants(root)) found.set(member.pid, member)
  return [...found.values()]
}

/** The marks of a process that works for one dispatch of a run. */
export function dispatchMarks(runId: string, dispatchId: string): Mark[] {
  return [
    { name: runMarker, value: runId },
    { name: dispatchMarker, value: dispatchMark(runId, dispatchId) },
  ]
}

/** Processes that carry a mark, this one excepted. */
export async function membersMarked(mark: Mark, search?: Search): Promise<Member[]> {
  return await livingAmong(
    () => findMarked(mark.value, mark.name, search),
    (pid) => (pid > 1 ? readMember(pid) : undefined),
  )
}

const mostLooks = 20

/**
 * Those of the found that still live. Where all of them have ended meanwhile, they may have started others: only a search
 * that finds nobody says that nobody is left.
 */
export async function livingAmong(
  find: () => Promise<number[]>,
  read: (pid: number) => Member | undefined,
): Promise<Member[]> {
  for (let look = 1; ; look += 1) {
    const found = await find()
    const members = found.flatMap((pid) => read(pid) ?? [])
    if (members.length > 0 || found.length === 0 || look === mostLooks) return members
  }
}

/**
 * A scan that remembers: a process without marker is found below its root once, and is still a member after the root
 * is gone and nothing else ties it to the run.
 */
export function remembering(scan: () => Promise<Member[]>): () => Promise<Member[]> {
  const known = new Map<number, Member>()
  return async () => {
    const found = await scan()
    if (!onLinux) return found
    for (const member of found) known.set(member.pid, member)
    for (const member of known.values()) if (!isSame(member)) known.delete(member.pid)
    return [...known.values()]
  }
}

/** Sends a signal to each member that is still the same process. */
export function signalMembers(members: Member[], signal: NodeJS.Signals): void {
  for (const member of members) {
    if (isSame(member)) signalProcess(member.pid, signal)
  }
}

/** Members that no other member started: the agents themselves, not their tools. */
export function rootsOf(members: Member[]): Member[] {
  const pids = new Set(members.map((member) => member.pid))
  return members.filter((member) => member.parent === undefined || !pids.has(member.parent))
}

/** Checked right before a signal, as a pid may have been given to another process. */
function isSame(member: Member): boolean {
  if (!onLinux) return true
  const now = readMember(member.pid)
  return now !== undefined && now.start === member.start
}

/** Undefined when the process is gone or only waits to be collected. */
function readMember(pid: number): Member | undefined {
  if (!onLinux) return { pid }
  const stat = readProcessStat(pid)
  if (stat === undefined || hasEnded(stat)) return undefined
  return { pid, parent: stat.parent, start: stat.startTime }
}

function descendants(root: number): Member[] {
  if (!onLinux) return []
  const all = listPidsNow().flatMap((pid) => readMember(pid) ?? [])
  const children = byParent(all)
  const out = all.filter((member) => member.pid === root)
  for (const member of out) out.push(...(children.get(member.pid) ?? []))
  return out
}

function byParent(members: Member[]): Map<number, Member[]> {
  const out = new Map<number, Member[]>()
  for (const member of members) {
    const siblings = out.get(member.parent ?? 0)
    if (siblings) siblings.push(member)
    else out.set(member.parent ?? 0, [member])
  }
  return out
}
