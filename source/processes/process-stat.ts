import { closeSync, openSync, readdirSync, readSync } from 'node:fs'
import { readdir } from 'node:fs/promises'

// What Linux tells about a process in /proc (docs/durability.md, "Processes"): the one place that reads it.

export const onLinux = process.platform === 'linux'

export interface ProcessStat {
  /** One letter; see `hasEnded`. */
  state: string
  parent: number
  group: number
  /** Clock ticks since boot; the same pid with another one is another process. */
  startTime: string
}

/** Undefined when there is no such process, or no /proc. No pause in which the process could become another one. */
export function readProcessStat(pid: number): ProcessStat | undefined {
  try {
    return parseProcessStat(readNow(`/proc/${pid}/stat`).toString('latin1'))
  } catch {
    return undefined
  }
}

/** A program may call itself `a) R 1 (b`, so fields are counted after the last parenthesis. */
export function parseProcessStat(text: string): ProcessStat | undefined {
  const fields = text
    .slice(text.lastIndexOf(')') + 1)
    .trim()
    .split(' ')
  const [state, parent, group] = fields
  const startTime = fields[19]
  if (state === undefined || group === undefined || startTime === undefined) return undefined
  return { state, parent: Number(parent), group: Number(group), startTime }
}

/** It has ended and only waits to be collected, which in a container may be never. */
export function hasEnded(stat: ProcessStat): boolean {
  return stat.state === 'Z' || stat.state === 'X'
}

export async function listPids(): Promise<number[]> {
  return pidsAmong(await readdir('/proc').catch((): string[] => []))
}

export function listPidsNow(): number[] {
  return pidsAmong(readdirSync('/proc'))
}

/** `text` holds entries `NAME=value`, each with a NUL behind it, as bytes: one character each. */
export type ProcessEnvironment = { kind: 'read'; text: string } | { kind: 'gone' } | { kind: 'closed' }

/** `gone` with the process, `closed` for one of another user. */
export function readProcessEnvironment(pid: number): ProcessEnvironment {
  try {
    return { kind: 'read', text: readNow(`/proc/${pid}/environ`).toString('latin1') }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    return { kind: code === 'ENOENT' || code === 'ESRCH' ? 'gone' : 'closed' }
  }
}

/** What it was started as, word by word; empty where the system does not say. */
export function readCommandLine(pid: number): string[] {
  try {
    return readNow(`/proc/${pid}/cmdline`).toString('utf8').split('\0')
  } catch {
    return []
  }
}

/** Files of /proc tell no size, so a reader of files would set 64 KB aside for each of them: this room serves all. */
let room = Buffer.allocUnsafe(16 * 1024)

/** A file of /proc as it is now; what is given back holds until the next call. */
function readNow(path: string): Buffer {
  const file = openSync(path, 'r')
  try {
    for (let length = 0; ; ) {
      if (length === room.length) room = Buffer.concat([room], 4 * length)
      const read = readSync(file, room, length, room.length - length, null)
      if (read === 0) return room.subarray(0, length)
      length += read
    }
  } finally {
    closeSync(file)
  }
}

function pidsAmong(names: string[]): number[] {
  return names.filter((name) => /^\d+$/.test(name)).map(Number)
}
