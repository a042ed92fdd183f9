import { isAbsolute, join } from 'node:path/posix'
import { programWords, simpleCommands } from './shell-commands.js'

const interpreters =
  /^(?:(?:ba|da|z|k)?sh|node|deno|bun|tsx|ts-node|python[\d.]{0,5}|ruby|perl|php|Rscript|pwsh)$/

/**
 * Files of the project that a command executes, as repo-relative paths: by their path, or by an interpreter; behind
 * `cd DIR` those of that directory. Pure.
 */
export function executedFiles(command: string): string[] {
  let dir = '.'
  return simpleCommands(command).flatMap(({ words }) => {
    const [name = '', ...rest] = programWords(words)
    // An absolute place is the project, as it is where a criterion is run.
    if (name === 'cd') dir = isAbsolute(rest[0] ?? '/') ? '.' : join(dir, rest[0] ?? '.')
    const program = words[words.length - rest.length - 1] ?? ''
    const own = program.includes('/') ? [program] : []
    const isText = rest.some((word) => /^-(?:[a-z]*[cep]|-eval|-print)$/.test(word))
    const script = interpreters.test(name) && !isText ? rest.find((word) => !word.startsWith('-')) : undefined
    return [...own, ...(script === undefined ? [] : [script])]
      .filter((path) => !isAbsolute(path))
      .map((path) => join(dir, path))
      .filter((path) => !path.startsWith('..'))
  })
}
