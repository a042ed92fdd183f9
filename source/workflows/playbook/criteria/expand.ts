import type { ProjectCommands } from '../orders/fields.js'

/** A command as it will be run, or why it is none. */
export type Expanded =
  | { kind: 'command'; command: string; note?: string }
  /** The project has no such command, which is no failure. */
  | { kind: 'n/a'; name: string }
  | { kind: 'unknown'; name: string }

const placeholder = /\{project\.commands\.([A-Za-z_]+)\}/g

/** Puts the commands of the project in their places. Pure. */
export function expandCommand(command: string, commands: ProjectCommands): Expanded {
  const known: Readonly<Record<string, string | null>> = { ...commands }
  for (const [, name = ''] of command.matchAll(placeholder)) {
    if (!(name in known)) return { kind: 'unknown', name }
    if (known[name] === null) return { kind: 'n/a', name }
  }
  return { kind: 'command', command: command.replace(placeholder, (_, name: string) => known[name] ?? '') }
}

/**
 * Where a line begins with `cd /somewhere &&` and that place is not here, it was written on another machine: the rest
 * runs at the root. `elsewhere` are other roots of the same project, such as that of which this is a work tree.
 */
export function atRoot(
  command: string,
  exists: (path: string) => boolean,
  elsewhere: readonly string[] = [],
): { command: string; note?: string } {
  const match = /^\s*cd\s+(?:"(\/[^"]*)"|'(\/[^']*)'|(\/[^\s;&|]*))\s*&&\s*/.exec(command)
  if (!match) return { command }
  const path = (match[1] ?? match[2] ?? match[3] ?? '').replace(/\/{1,20}$/, '')
  if (exists(path) && !elsewhere.includes(path)) return { command }
  return {
    command: command.slice(match[0].length),
    note: `${path} is not here; it runs at the root of the project`,
  }
}
