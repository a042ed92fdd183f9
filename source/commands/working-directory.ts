import { homedir } from 'node:os'
import { isAbsolute } from 'node:path'
import { Problem } from '../problem.js'

/**
 * Where the command was typed, absolute. Throws a Problem ('usage') where that directory is there no more, and where HOME would
 * lie in it: settings, keys and trust are never part of a project.
 */
export function workingDirectory(): string {
  if (!isAbsolute(homedir()))
    throw new Problem({
      code: 'usage',
      what: `HOME is ${JSON.stringify(homedir())}, which is no absolute path.`,
      why: 'Your settings, keys and what you trust lie below it, and would come to lie in whatever directory you start in.',
      todo: 'Set HOME to an absolute path, then try again.',
    })
  try {
    return process.cwd()
  } catch (error) {
    throw new Problem({
      code: 'usage',
      what: 'The directory that this was started in is not there any more.',
      why: 'It says which project is meant, and every path is read from it.',
      todo: 'Change to a directory that exists (`cd "$PWD"` where it was made anew), then try again.',
      cause: error,
    })
  }
}
