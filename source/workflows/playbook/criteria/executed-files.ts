import { programWords, simpleCommands } from './shell-commands.js'

const interpreters =
  /^(?:(?:ba|da|z|k)?sh|node|deno|bun|tsx|ts-node|python[\d.]{0,5}|ruby|perl|php|Rscript|pwsh)$/

/** Files of the project that a command executes, as repo-relative paths: by their path, or by an interpreter. Pure. */
export function executedFiles(command: string): string[] {
  return simpleCommands(command).flatMap(({ words }) => {
    const [name = '', ...rest] = programWords(words)
    const program = words[words.length - rest.length - 1] ?? ''
    const own = program.includes('/') ? [program] : []
    const isText = rest.some((word) => /^-(?:[a-z]*[cep]|-eval|-print)$/.test(word))
    const script = interpreters.test(name) && !isText ? rest.find((word) => !word.startsWith('-')) : undefined
    return [...own, ...(script === undefined ? [] : [script])]
      .map((path) => path.replace(/^\.\//, ''))
      .filter((path) => !path.startsWith('/') && !path.startsWith('..'))
  })
}
