import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { type BuildOptions, build, type Plugin } from 'esbuild'
import type { TestProject } from 'vitest/node'
import { type Detected, detectConfinement } from '../../source/processes/confine/detect.js'
import { allCases } from './cases/all.js'
import { listedNames } from './cases/listed.js'
import { environmentOf } from './environment.js'
import { lifeCases } from './lifecycle/cases.js'
import { onePhase, sampleFiles, specPath, specText } from './sample.js'

// Once for all tests: the program with a channel in place of its screen, the agent, and a project to copy.

const run = promisify(execFile)
const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))

export interface Workshop {
  /** Holds everything of this run of the tests. */
  dir: string
  /** Something confines on this machine. */
  confines: boolean
  program: string
  /** The same for one run after the other; see warm.ts. */
  warm: string
  /** The same with its screen. */
  onScreen: string
  agent: string
  /** A folder with `project` and `home`. */
  template: string
}

declare module 'vitest' {
  export interface ProvidedContext {
    workshop: Workshop
  }
}

const withoutScreen: Plugin = {
  name: 'without-screen',
  setup(bundler) {
    bundler.onResolve({ filter: /\/ui\/ui\.js$/ }, () => ({ path: here('./headless-ui.ts') }))
  },
}

/** Ink loads its tools for developers where they are installed. */
const withoutDevtools: Plugin = {
  name: 'without-devtools',
  setup(bundler) {
    bundler.onResolve({ filter: /^\.\/devtools\.js$/ }, () => ({ path: 'none', namespace: 'without' }))
    bundler.onLoad({ filter: /.*/, namespace: 'without' }, () => ({ contents: '' }))
  },
}

const banner = {
  js: "import{createRequire as __createRequire}from'node:module';const require=__createRequire(import.meta.url);",
}
const common = { bundle: true, format: 'esm', platform: 'node', target: 'node20', logLevel: 'error' } as const

/** What decideTerminal asks for is there, though nobody looks at it. */
const pretendTerminal = 'process.stdin.isTTY=true;process.stdout.isTTY=true;'

const programs = {
  cli: here('../../source/cli.ts'),
  guard: here('../../source/processes/guard.ts'),
  embedded: here('../../source/embedded/main.ts'),
}

async function openWorkshop(confines: boolean): Promise<Workshop> {
  // Not below /tmp, which a confined agent has for itself.
  const base = existsSync('/var/tmp') ? '/var/tmp' : tmpdir()
  const dir = await mkdtemp(join(base, 'autopilot-liars-'))
  await Promise.all([
    buildProgram(join(dir, 'program'), {
      entryPoints: { ...programs, warm: here('./warm.ts') },
      banner: { js: banner.js + pretendTerminal },
      plugins: [withoutScreen],
    }),
    buildProgram(join(dir, 'on-screen'), { entryPoints: programs, banner, plugins: [withoutDevtools] }),
  ])
  // It starts nine times in a run: the loader of modules would be a third of each start.
  const agent = join(dir, 'agent.cjs')
  await build({ ...common, format: 'cjs', entryPoints: [here('./agent/agent.ts')], outfile: agent })
  const template = join(dir, 'template')
  await makeTemplate(template)
  return {
    dir,
    confines,
    program: join(dir, 'program/cli.js'),
    warm: join(dir, 'program/warm.js'),
    onScreen: join(dir, 'on-screen/cli.js'),
    agent,
    template,
  }
}

async function buildProgram(
  outdir: string,
  options: Pick<BuildOptions, 'entryPoints' | 'banner' | 'plugins'>,
): Promise<void> {
  await build({
    ...common,
    ...options,
    outdir,
    splitting: true,
    jsx: 'automatic',
    define: { 'process.env.NODE_ENV': '"production"', 'process.env.DEV': '"false"' },
  } as BuildOptions)
  await writeFile(join(outdir, 'package.json'), '{"type":"module"}\n')
}

async function makeTemplate(folder: string): Promise<void> {
  const project = join(folder, 'project')
  for (const name of ['project', 'home/.config/autopilot', 'tmp'])
    await mkdir(join(folder, name), { recursive: true, mode: 0o700 })
  await writeFile(
    join(folder, 'home/.gitconfig'),
    '[init]\n\tdefaultBranch = main\n[user]\n\tname = Test Person\n\temail = person@example.invalid\n[gc]\n\tauto = 0\n',
  )
  const git = (...args: string[]) => run('git', args, { cwd: project, env: environmentOf(folder) })
  for (const [name, text] of Object.entries({ ...sampleFiles, [specPath]: specText(onePhase) })) {
    await mkdir(dirname(join(project, name)), { recursive: true })
    await writeFile(join(project, name), text)
  }
  // Without the samples that git brings, a dozen files for each copy.
  await mkdir(join(folder, 'git/hooks'), { recursive: true })
  await mkdir(join(folder, 'git/info'))
  await writeFile(join(folder, 'git/info/exclude'), '')
  await git('init', '-q', '--template', join(folder, 'git'))
  await rm(join(folder, 'git'), { recursive: true })
  await git('add', '.')
  await git('commit', '-q', '-m', 'A converter of temperatures')
  await git('tag', 'v1.0')
  await git('branch', 'side')
  await git('repack', '-q', '-a', '-d')
}

/** What the lines that follow were found with. */
function confinementLine(found: Detected): string {
  if (process.env.LIARS_CONFINE === 'off') return 'Not confined, as LIARS_CONFINE says.'
  if (!found.works)
    return `Confined: skipped, since ${found.reason}. What follows was run without confinement.`
  return `Confined: by ${found.tool.kind}${process.env.LIARS_CONFINE === 'auto' ? '' : '; and each once more without'}.`
}

/** Of vitest: before and after all tests of the project. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const names = new Set([...allCases, ...lifeCases].map(({ name }) => name))
  const unknown = [...listedNames].filter((name) => !names.has(name))
  if (unknown.length > 0) throw new Error(`listed, but no case: ${unknown.join(', ')}`)
  const found = await detectConfinement()
  const workshop = await openWorkshop(found.works)
  process.stdout.write(`${confinementLine(found)}\n\n`)
  project.provide('workshop', workshop)
  if (process.env.LIARS_KEEP) return async () => undefined
  return () => rm(workshop.dir, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
}
