import type { ConfinedCommand } from './bubblewrap.js'
import type { Confinement, Mount } from './confinement.js'

/** The command line that runs a command in sandbox-exec of macOS (docs/evidence.md, "Confinement"). */
export function sandboxExecArgv(confinement: Confinement, command: ConfinedCommand): string[] {
  return [confinement.tool.program, '-p', profileOf(confinement.mounts), command.file, ...command.args]
}

/**
 * A profile in which later rules count before earlier ones. There are no mounts: a directory in the place of another
 * is written in its own place, and an empty one of its own is the temporary directory of everybody.
 */
export function profileOf(mounts: readonly Mount[]): string {
  return [
    '(version 1)',
    '(allow default)',
    '(deny signal (target others))',
    '(deny file-write*)',
    '(allow file-write* (subpath "/dev"))',
    ...mounts.map(rule),
  ].join('\n')
}

function rule(mount: Mount): string {
  const place = `(subpath ${quoted(mount.path)})`
  switch (mount.kind) {
    case 'read':
      return `(allow file-read* ${place})\n(deny file-write* ${place})`
    case 'write':
    case 'own':
      return `(allow file-read* file-write* ${place})`
    case 'bind':
      return `(allow file-read* file-write* ${place} (subpath ${quoted(mount.source)}))`
    case 'hide':
      return `(deny file-read* file-write* ${place})`
  }
}

function quoted(path: string): string {
  return `"${path.replace(/["\\]/g, '\\$&')}"`
}
