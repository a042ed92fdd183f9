import { readdir, readFile } from 'node:fs/promises'

// What Linux tells about a process in /proc/<pid>/stat (reliability.md section 4, startTime).

export interface ProcessStat {
  /** One letter; `Z` is a process that has ended and waits for its parent. */
  state: string
  group: number
  /** Clock ticks since boot; the same pid with another one is another process. */
  startTime: string
}

/** Undefined when there is no such process, or no /proc. */
export async function readProcessStat(pid: number): Promise<ProcessStat | undefined> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined)
  return text === undefined ? undefined : parseProcessStat(text)
}

/** A program may call itself `a) R 1 (b`, so fields are counted after the last parenthesis. */
export function parseProcessStat(text: string): ProcessStat | undefined {
  const fields = text
    .slice(text.lastIndexOf(')') + 1)
    .trim()
    .split(' ')
  const [state, , group] = fields
  const startTime = fields[19]
  if (state === undefined || group === undefined || startTime === undefined) return undefined
  return { state, group: Number(group), startTime }
}

export async function listPids(): Promise<number[]> {
  const names = await readdir('/proc').catch((): string[] => [])
  return names.filter((name) => /^\d+$/.test(name)).map(Number)
}
