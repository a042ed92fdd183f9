import { readdirSync, readFileSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'

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

/** Undefined when there is no such process, or no /proc. */
export async function readProcessStat(pid: number): Promise<ProcessStat | undefined> {
  const text = await readFile(statPath(pid), 'latin1').catch(() => undefined)
  return text === undefined ? undefined : parseProcessStat(text)
}

/** The same without a pause in which the process could become another one. */
export function readProcessStatNow(pid: number): ProcessStat | undefined {
  try {
    return parseProcessStat(readFileSync(statPath(pid), 'latin1'))
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

/** Entries `NAME=value` as bytes, one character each; `gone` with the process, `closed` for one of another user. */
export async function readProcessEnvironment(pid: number): Promise<string[] | 'gone' | 'closed'> {
  try {
    return (await readFile(`/proc/${pid}/environ`)).toString('latin1').split('\0')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    return code === 'ENOENT' || code === 'ESRCH' ? 'gone' : 'closed'
  }
}

/** What it was started as, word by word; empty where the system does not say. */
export async function readCommandLine(pid: number): Promise<string[]> {
  const text = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
  return text.split('\0')
}

function statPath(pid: number): string {
  return `/proc/${pid}/stat`
}

function pidsAmong(names: string[]): number[] {
  return names.filter((name) => /^\d+$/.test(name)).map(Number)
}
