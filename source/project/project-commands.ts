import { testCommand } from './test-command.js'
import { readText } from './text-files.js'

// What a project is and by which commands it is compiled, tested, linted and built, as its first manifest says
// (docs/playbook.md, "Project commands"). Plain reads; nothing is executed.

export type ProjectType = 'nodejs' | 'python' | 'rust' | 'makefile' | 'unknown'

export interface DetectedProject {
  type: ProjectType
  /** Its name; null where none is there. */
  manifest: string | null
  /** Null: there is no such command, and what it would check counts as not applicable. */
  commands: { compile: string | null; test: string | null; lint: string | null; build: string | null }
}

type Commands = Omit<DetectedProject['commands'], 'test'>

const manifests: readonly { file: string; type: ProjectType; commands: (text: string) => Commands }[] = [
  { file: 'package.json', type: 'nodejs', commands: ofPackage },
  { file: 'pyproject.toml', type: 'python', commands: ofPython },
  {
    file: 'Cargo.toml',
    type: 'rust',
    commands: () => ({ compile: 'cargo check', lint: 'cargo clippy', build: 'cargo build' }),
  },
  { file: 'Makefile', type: 'makefile', commands: ofMakefile },
]

/** The first manifest that is there decides. */
export async function detectProject(root: string): Promise<DetectedProject> {
  for (const { file, type, commands } of manifests) {
    const text = await readText({ root }, file).catch(() => undefined)
    if (text === undefined) continue
    const test = await testCommand(root, {})
    return { type, manifest: file, commands: { ...commands(text), test: test?.join(' ') ?? null } }
  }
  return {
    type: 'unknown',
    manifest: null,
    commands: { compile: null, test: null, lint: null, build: null },
  }
}

function ofPackage(text: string): Commands {
  const { scripts, dependencies, devDependencies } = objectOf(text)
  const script = (name: string) => {
    const said = isRecord(scripts) ? scripts[name] : undefined
    return typeof said === 'string' && said.trim() !== '' ? `npm run ${name}` : undefined
  }
  const hasTypes = [dependencies, devDependencies].some((all) => isRecord(all) && 'typescript' in all)
  return {
    compile: script('compile') ?? script('typecheck') ?? (hasTypes ? 'npx tsc --noEmit' : null),
    lint: script('lint') ?? null,
    build: script('build') ?? null,
  }
}

function ofPython(text: string): Commands {
  const lint = /\bruff\b/.test(text) ? 'ruff check .' : /\bflake8\b/.test(text) ? 'flake8' : null
  return { compile: null, lint, build: /^\[build-system\]/m.test(text) ? 'python -m build' : null }
}

function ofMakefile(text: string): Commands {
  const target = (...names: string[]) => {
    const found = names.find((name) => new RegExp(`^${name}[ \\t]{0,20}:(?!=)`, 'm').test(text))
    return found === undefined ? null : `make ${found}`
  }
  return { compile: target('check', 'compile'), lint: target('lint'), build: target('build', 'all') }
}

function objectOf(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    return isRecord(value) ? value : {}
  } catch {
    return {}
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
