import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { bubblewrapArgv, type ConfinedCommand } from './bubblewrap.js'
import { type Confinement, isBelow, isDirectory, type Mount, orderMounts } from './confinement.js'
import { sandboxExecArgv } from './sandbox-exec.js'

/** The command line that runs a command as confined as it is to be, by whichever tool. */
export function confinedArgv(confinement: Confinement, command: ConfinedCommand): string[] {
  const mounts = orderMounts([...confinement.mounts, ...namedFiles(confinement.mounts, command)])
  const whole = { ...confinement, mounts }
  return confinement.tool.kind === 'bubblewrap'
    ? bubblewrapArgv(whole, command)
    : sandboxExecArgv(whole, command)
}

/**
 * Files that the command line names and that would be missing, as they lie in a directory that is another one inside
 * (such as a script in /tmp): visible with what lies beside them, which they may load, but read-only. What is hidden
 * stays so.
 */
function namedFiles(mounts: readonly Mount[], { file, args }: ConfinedCommand): Mount[] {
  const owned = mounts.filter(({ kind }) => kind === 'own').map(({ path }) => path)
  const covered = mounts.filter(({ kind }) => kind !== 'own').map(({ path }) => path)
  const paths = [file, ...args.flatMap((word) => [word, word.slice(word.indexOf('=') + 1)])]
  return [...new Set(paths)]
    .filter((path) => path.startsWith('/') && !path.includes('\0') && path.length < 4096)
    .filter((path) => owned.some((each) => each !== path && isBelow(each, path)))
    .filter((path) => !covered.some((each) => isBelow(each, path)))
    .filter((path) => existsSync(path))
    .map((path) => (owned.includes(dirname(path)) || isDirectory(path) ? path : dirname(path)))
    .map((path) => ({ kind: 'read', path }))
}
