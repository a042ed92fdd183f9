import { type Confinement, isDirectory, type Mount } from './confinement.js'

/** Who agents are inside when we are root: as root they would keep every capability. */
const insideId = '1000'

export interface ConfinedCommand {
  /** Absolute. */
  file: string
  args: readonly string[]
  cwd: string
}

/** The command line that runs a command in bubblewrap (docs/evidence.md, "Confinement"). */
export function bubblewrapArgv({ tool, mounts }: Confinement, command: ConfinedCommand): string[] {
  return [
    tool.program,
    ...identity(),
    '--unshare-pid',
    '--die-with-parent',
    '--ro-bind',
    '/',
    '/',
    '--dev',
    '/dev',
    '--proc',
    '/proc',
    ...mounts.flatMap(mountArguments),
    '--chdir',
    command.cwd,
    '--',
    command.file,
    ...command.args,
  ]
}

/** A user namespace always, so that nobody inside has capabilities outside of it. */
export function identity(): string[] {
  const isRoot = process.getuid?.() === 0
  return ['--unshare-user', ...(isRoot ? ['--uid', insideId, '--gid', insideId] : [])]
}

function mountArguments(mount: Mount): string[] {
  const { path } = mount
  switch (mount.kind) {
    case 'read':
      return ['--ro-bind', mount.source ?? path, path]
    case 'write':
      return ['--bind', path, path]
    case 'own':
      return ['--tmpfs', path]
    case 'bind':
      return ['--bind', mount.source, path]
    case 'hide':
      return isDirectory(path) ? ['--tmpfs', path, '--remount-ro', path] : ['--ro-bind', '/dev/null', path]
  }
}
