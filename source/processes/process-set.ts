import { readdirSync, readFileSync } from 'node:fs'
import { findMarked } from './process-marker.js'

// Which processes belong to a run or a dispatch, and signals that reach only them (agents.md section 6).

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

const onLinux = process.platform === 'linux'

/**
 * Processes that carry the marker of a run, and of one dispatch of it if that is named. Children that dropped their
 * environment are found below `root` as long as that process lives.
 */
export async function membersOf(runId: string, dispatchId?: string, root?: number): Promise<Member[]> {
  const found = new Map<number, Member>()
  const marked =
    dispatchId === undefined
      ? await membersMarked(runId, runMarker)
      : await membersMarked(dispatchMark(runId, dispatchId), dispatchMarker)
  for (const member of marked) found.set(member.pid, member)
  if (root !== undefined) for (const member of descendants(root)) found.set(member.pid, member)
  return [...found.values()]
}

/** Processes whose environment holds `<name>=<value>`, this one excepted. */
export async function membersMarked(value: string, name: string): Promise<Member[]> {
  const marked = await findMarked(value, name)
  return marked.flatMap((pid) => (pid > 1 ? (readMember(pid) ?? []) : []))
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
    if (member.pid <= 1 || member.pid === process.pid) continue
    if (!isSame(member)) continue
    send(member.pid, signal)
  }
}

/** Signals the group that a living child of ours leads; a group is never ours, and never that of pid 1. */
export function signalGroup(leader: number, signal: NodeJS.Signals): void {
  if (!Number.isInteger(leader) || leader <= 1 || leader === process.pid) return
  send(-leader, signal)
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

function send(target: number, signal: NodeJS.Signals): void {
  try {
    process.kill(target, signal)
  } catch {
    // Already gone, or not ours to signal: the next scan tells.
  }
}

/** Undefined when the process is gone or only a zombie. Fields counted after the last `)`, as names may hold one. */
function readMember(pid: number): Member | undefined {
  if (!onLinux) return { pid }
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    if (fields[0] === 'Z' || fields[0] === 'X') return undefined
    return { pid, parent: Number(fields[1]), start: fields[19] }
  } catch {
    return undefined
  }
}

function descendants(root: number): Member[] {
  if (!onLinux) return []
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => readMember(Number(name)) ?? [])
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
