// Programs that hooks of git start, and the files in which projects tell these what to run
// (docs/evidence.md, "Order of trust").

const endings = ['.js', '.cjs', '.mjs', '.ts', '.cts', '.mts']
const dotted = (name: string) => ['', '.json', '.yaml', '.yml', ...endings].map((end) => `.${name}rc${end}`)

interface HookRunner {
  name: RegExp
  files: readonly string[]
  /** Its key in package.json. */
  key?: string
}

const runners: readonly HookRunner[] = [
  {
    name: /\blint-staged\b/,
    files: [...dotted('lintstaged'), ...endings.map((end) => `lint-staged.config${end}`)],
    key: 'lint-staged',
  },
  {
    name: /\bcommitlint\b/,
    files: [...dotted('commitlint'), ...endings.map((end) => `commitlint.config${end}`)],
    key: 'commitlint',
  },
  {
    name: /\blefthook\b/,
    files: ['yml', 'yaml', 'toml', 'json'].flatMap((end) =>
      ['lefthook', '.lefthook', 'lefthook-local', '.lefthook-local'].map((name) => `${name}.${end}`),
    ),
  },
  { name: /\bpre-commit\b|\bpre_commit\b/, files: ['.pre-commit-config.yaml'] },
  {
    name: /\bsimple-git-hooks\b/,
    files: endings.flatMap((end) => [`simple-git-hooks${end}`, `.simple-git-hooks${end}`]),
    key: 'simple-git-hooks',
  },
]

/** What the text of a hook reads of the project by the programs that it names: files, and keys of package.json. Pure. */
export function readByHook(text: string): { files: string[]; keys: string[] } {
  const named = runners.filter(({ name }) => name.test(text))
  return {
    files: named.flatMap(({ files }) => files),
    keys: named.flatMap(({ key }) => (key === undefined ? [] : [key])),
  }
}
