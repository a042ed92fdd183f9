// Which files and texts a task runner takes what it starts from.

/** Package managers that start scripts of package.json. */
export const packageRunners = new Set(['npm', 'pnpm', 'yarn', 'bun'])
/** Programs that start a program of a package by its name. */
export const directRunners = new Set(['npx', 'bunx', 'pnpx'])
/** Files that give a package manager another shell or programs to load. */
export const runnerFiles = ['.npmrc', '.yarnrc', '.yarnrc.yml', '.pnpmfile.cjs', 'bunfig.toml']
/** Files that a runner reads its tasks from, by its name. */
export const makers: Record<string, string[]> = {
  make: ['GNUmakefile', 'makefile', 'Makefile'],
  gmake: ['GNUmakefile', 'makefile', 'Makefile'],
  just: ['justfile', 'Justfile', '.justfile'],
  task: ['Taskfile.yml', 'Taskfile.yaml'],
}

const startsScripts =
  /\b(?:npm|pnpm|yarn|bun|npm-run-all2?|run-[sp]|concurrently|turbo|wireit|ultra)\b|\bnode (?:\S{1,40} )?--run\b/

/** Scripts of package.json under these names, with those before, after and in them, each once. */
export function startedScripts(
  scripts: Record<string, unknown>,
  names: readonly string[],
): Map<string, string> {
  const found = new Map<string, string>()
  // `npm t` is `npm test`.
  const open = names.map((each) => (each === 't' ? 'test' : each))
  for (let word = open.shift(); word !== undefined; word = open.shift()) {
    for (const name of [`pre${word}`, word, `post${word}`]) {
      const script = scripts[name]
      if (typeof script !== 'string' || found.has(name)) continue
      found.set(name, script)
      if (startsScripts.test(script)) open.push(...scriptsNamedIn(script, scripts))
    }
  }
  return found
}

/** `npm run unit`, `run-s unit lint`, `run-p "test:*"`, `concurrently npm:unit`. */
function scriptsNamedIn(script: string, scripts: Record<string, unknown>): string[] {
  return script.split(/[\s;&|"'\\]+/).flatMap((each) => {
    const word = each.replace(/^npm:/, '').replace(/^--run=/, '')
    if (typeof scripts[word] === 'string') return [word]
    if (word === 't') return ['test']
    const start = /^([\w:-]{1,100}:)\*{1,2}$/.exec(word)?.[1]
    return start === undefined ? [] : Object.keys(scripts).filter((name) => name.startsWith(start))
  })
}
