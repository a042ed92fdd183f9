import { execFile } from 'node:child_process'
import { access, mkdir, readFile, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

// The real agent programs, in versions that the transcripts were recorded with, in a scratch folder of their own.
// npm does not run their install scripts, which would only copy the native files that are used here directly.

const run = promisify(execFile)

export type ProgramName = 'claude' | 'codex' | 'gemini' | 'opencode'

interface Package {
  name: string
  version: string
}

const packages: Record<ProgramName, Package> = {
  claude: { name: '@anthropic-ai/claude-code', version: '2.1.332' },
  codex: { name: '@openai/codex', version: '0.171.0' },
  gemini: { name: '@google/gemini-cli', version: '0.61.0' },
  opencode: { name: 'opencode-ai', version: '1.18.33' },
}

export interface Program {
  name: ProgramName
  version: string
  /** What to run, and what of its own it needs before all other arguments. */
  argv: [file: string, ...before: string[]]
}

/**
 * Kept between runs: the programs take more than a gigabyte. Not in the directory for temporary files, which a confined agent
 * has for itself.
 */
export const scratch = join(homedir(), '.cache', 'spec-autopilot-clis')

/** Installs what is not there in the right version, and finds the file of each program. */
export async function installPrograms(names: readonly ProgramName[]): Promise<Program[]> {
  await mkdir(scratch, { recursive: true })
  const missing = []
  for (const name of names) {
    if ((await installedVersion(packages[name])) !== packages[name].version || !(await isThere(fileOf(name))))
      missing.push(`${packages[name].name}@${packages[name].version}`)
  }
  if (missing.length > 0) {
    const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--save-exact', '--engine-strict=false']
    await run('npm', ['install', '--prefix', scratch, ...options, ...missing], {
      cwd: scratch,
      maxBuffer: 16 * 1024 * 1024,
    })
  }
  return names.map((name) => {
    const file = fileOf(name)
    const argv: Program['argv'] = file.endsWith('.js') ? [process.execPath, file] : [file]
    return { name, version: packages[name].version, argv }
  })
}

async function installedVersion({ name }: Package): Promise<string | undefined> {
  const text = await readFile(join(scratch, 'node_modules', name, 'package.json'), 'utf8').catch(() => '{}')
  const { version } = JSON.parse(text) as { version?: string }
  return version
}

const isThere = (file: string) =>
  access(file).then(
    () => true,
    () => false,
  )

/** `linux-x64`, as the packages of the native files are named. */
const platform = `${process.platform}-${process.arch}`

function fileOf(name: ProgramName): string {
  const modules = join(scratch, 'node_modules')
  switch (name) {
    case 'claude':
      return join(modules, `@anthropic-ai/claude-code-${platform}`, 'claude')
    case 'codex':
      return join(modules, `@openai/codex-${platform}`, 'vendor', targetTriple(), 'bin', 'codex')
    case 'gemini':
      return join(modules, '@google/gemini-cli/bundle/gemini.js')
    case 'opencode':
      return join(modules, `opencode-${platform}`, 'bin', 'opencode')
  }
}

function targetTriple(): string {
  const machine = process.arch === 'arm64' ? 'aarch64' : 'x86_64'
  return process.platform === 'darwin' ? `${machine}-apple-darwin` : `${machine}-unknown-linux-musl`
}

/** The folder with the programs under the names that people type, for a search path. */
export async function programFolder(programs: readonly Program[], folder: string): Promise<string> {
  await mkdir(folder, { recursive: true })
  for (const { name, argv } of programs) {
    const words = argv.map((word) => `'${word}'`).join(' ')
    await writeFile(join(folder, name), `#!/bin/sh\nexec ${words} "$@"\n`, { mode: 0o755 })
  }
  return folder
}
