import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from './config.js'

// The command that runs the tests of a project: the one of the settings, else the one that its first manifest names
// (docs/evidence.md, "Tests"). Plain reads; nothing is executed.

const largestManifest = 1024 * 1024

/** Arguments of the test command; undefined where the project has none, or the settings say that there is none. */
export async function testCommand(
  root: string,
  config: Pick<Config, 'test'>,
): Promise<readonly string[] | undefined> {
  if (config.test === null) return undefined
  if (config.test !== undefined) return config.test
  for (const { file, command } of manifests) {
    const text = await readManifest(join(root, file))
    if (text !== undefined) return command(text)
  }
  return undefined
}

/** The first that is there decides, also when it names no tests. */
const manifests: readonly { file: string; command: (text: string) => readonly string[] | undefined }[] = [
  { file: 'package.json', command: ofPackage },
  { file: 'pyproject.toml', command: ofPython },
  { file: 'Cargo.toml', command: () => ['cargo', 'test'] },
  { file: 'Makefile', command: (text) => (/^test\s{0,20}:(?!=)/m.test(text) ? ['make', 'test'] : undefined) },
]

/** What npm writes into a new package.json in place of tests. */
const placeholder = /no test specified/

function ofPackage(text: string): readonly string[] | undefined {
  try {
    const manifest = JSON.parse(text) as { scripts?: { test?: unknown } } | null
    const script = manifest?.scripts?.test
    if (typeof script !== 'string' || script.trim() === '' || placeholder.test(script)) return undefined
    return ['npm', 'test']
  } catch {
    return undefined
  }
}

function ofPython(text: string): readonly string[] {
  return /\bpytest\b/.test(text) ? ['pytest'] : ['python', '-m', 'unittest', 'discover']
}

async function readManifest(path: string): Promise<string | undefined> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(
    () => undefined,
  )
  if (!file) return undefined
  try {
    const stats = await file.stat()
    if (!stats.isFile() || stats.size > largestManifest) return undefined
    return await file.readFile('utf8')
  } finally {
    await file.close()
  }
}
