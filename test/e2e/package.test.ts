import { execFileSync } from 'node:child_process'
import { existsSync, lstatSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { createProject } from '../support/project.js'
import { inTemporary } from '../support/temporary.js'
import { openTerminal } from '../support/terminal.js'
import { demoAnswers, finished } from './demo-answers.js'
import { play } from './journey.js'

// What a person installs: the packed file in an empty place, and a clone that nothing was ever installed in.

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..')
/** Other versions of Node come from the package registry, and a clone fetches its bundler: not for every test run. */
const withRegistry = process.env.AUTOPILOT_TEST_REGISTRY !== undefined
const mostBytes = 15 * 1024 * 1024

/** npm as from a shell: nothing of the npm that runs these tests. */
function npm(args: string[], cwd: string): string {
  const env = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^npm_(?!config_(registry|cafile|cache)$)/i.test(name)),
  )
  return execFileSync('npm', args, { cwd, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
}

function bytesBelow(path: string): number {
  const at = lstatSync(path)
  if (!at.isDirectory()) return at.size
  return readdirSync(path).reduce((sum, name) => sum + bytesBelow(join(path, name)), at.size)
}

/** The packed file, made of what is built now. */
function pack(dir: string): string {
  const [made] = JSON.parse(npm(['pack', '--json', '--ignore-scripts', '--pack-destination', dir, root], dir))
  return join(dir, made.filename)
}

function install(what: string, dir: string): { program: string; folder: string } {
  const prefix = join(dir, 'prefix')
  npm(['install', '--global', '--prefix', prefix, what], dir)
  return { program: join(prefix, 'bin/autopilot'), folder: join(prefix, 'lib/node_modules/spec-autopilot') }
}

async function demoFinishes(program: string, node = process.execPath): Promise<void> {
  const project = await createProject({ git: false })
  const path = [dirname(node), project.env.PATH ?? process.env.PATH ?? ''].join(delimiter)
  const terminal = openTerminal({
    command: [node, program, 'demo', 'windowsill'],
    cwd: project.dir,
    env: { ...project.env, PATH: path, AUTOPILOT_REHEARSAL_PACE: '0' },
    cols: 120,
    rows: 40,
  })
  await play(terminal, demoAnswers, finished, 240_000)
  await terminal.press('enter')
  expect(await terminal.exit).toEqual({ code: 0, signal: 0 })
}

describe('the packed file in an empty prefix', () => {
  test('is small, needs nothing beside it, carries its licences, and plays the demo', async () => {
    await inTemporary('package', async (dir) => {
      const packed = pack(dir)
      const { program, folder } = install(packed, dir)
      expect(statSync(packed).size + bytesBelow(join(dir, 'prefix'))).toBeLessThanOrEqual(mostBytes)
      expect(existsSync(join(folder, 'node_modules'))).toBe(false)
      const notices = readFileSync(join(folder, 'dist/third-party-notices.txt'), 'utf8')
      for (const name of ['ink', 'react', 'zod', 'simple-git'])
        expect(notices).toMatch(new RegExp(`^${name} \\d`, 'm'))
      await demoFinishes(program)
    })
  })

  test.skipIf(!withRegistry).each(['22', '24'])('plays the demo on Node %s', async (version) => {
    await inTemporary('package', async (dir) => {
      const { program } = install(pack(dir), dir)
      // The package that `node` would fetch by its install script.
      const name = `node-${process.platform}-${process.arch}`
      npm(['install', '--prefix', dir, '--no-save', '--ignore-scripts', `${name}@${version}`], dir)
      const node = join(dir, 'node_modules', name, 'bin/node')
      expect(execFileSync(node, ['--version'], { encoding: 'utf8' })).toMatch(new RegExp(`^v${version}\\.`))
      await demoFinishes(program, node)
    })
  })
})

test.skipIf(!withRegistry)('a fresh clone installs with one command', async () => {
  await inTemporary('package', async (dir) => {
    const clone = join(dir, 'clone')
    execFileSync('git', ['clone', '--quiet', root, clone])
    // The clone is linked, so it has to stay as long as the program is used.
    npm(['install', '--global', '--prefix', join(dir, 'prefix'), '.'], clone)
    expect(execFileSync(join(dir, 'prefix/bin/autopilot'), ['--version'], { encoding: 'utf8' })).toMatch(
      /^\d+\.\d+/,
    )
    await demoFinishes(join(dir, 'prefix/bin/autopilot'))
  })
})
