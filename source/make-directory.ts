import { mkdirSync, statSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'

// `mkdir` of Node with `recursive` never ends where the system says that a directory is missing although its parent is
// there, as below /proc: it makes the parent and tries again for ever. Here each directory is tried once.

const codeOf = (error: unknown) => (error as NodeJS.ErrnoException | undefined)?.code

const isDirectory = (path: string) => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true

/**
 * The directory and those above it that are missing, for the user alone. Throws what the system says where one cannot be
 * made, and EEXIST only where the last one is something else.
 */
export async function makeDirectory(path: string, mode = 0o700): Promise<void> {
  const make = () =>
    mkdir(path, { mode }).then(
      () => undefined,
      (error: unknown) => error,
    )
  let error = await make()
  if (codeOf(error) === 'ENOENT' && dirname(path) !== path) {
    await makeDirectory(dirname(path), mode)
    error = await make()
  }
  if (error !== undefined && !(codeOf(error) === 'EEXIST' && isDirectory(path))) throw error
}

/** The same while nothing else may go on, as in a crash. */
export function makeDirectoryNow(path: string, mode = 0o700): void {
  const make = () => {
    try {
      mkdirSync(path, { mode })
      return undefined
    } catch (error) {
      return error
    }
  }
  let error = make()
  if (codeOf(error) === 'ENOENT' && dirname(path) !== path) {
    makeDirectoryNow(dirname(path), mode)
    error = make()
  }
  if (error !== undefined && !(codeOf(error) === 'EEXIST' && isDirectory(path))) throw error
}
