import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { detectProject } from '../../source/project/project-commands.js'
import { inTemporary } from '../support/temporary.js'

const detected = async (files: Record<string, string>) => {
  let found: Awaited<ReturnType<typeof detectProject>> | undefined
  await inTemporary('project-commands', async (root) => {
    for (const [name, text] of Object.entries(files)) await writeFile(join(root, name), text)
    found = await detectProject(root)
  })
  return found
}
const pack = (value: object) => ({ 'package.json': JSON.stringify(value) })

test('package.json: scripts, and the compiler where it is a dependency', async () => {
  expect(await detected(pack({ scripts: { typecheck: 'tsc', test: 'vitest', lint: 'eslint .' } }))).toEqual({
    type: 'nodejs',
    manifest: 'package.json',
    commands: { compile: 'npm run typecheck', test: 'npm test', lint: 'npm run lint', build: null },
  })
  const placeholder = { test: 'echo "Error: no test specified" && exit 1', build: 'tsc' }
  expect(await detected(pack({ scripts: placeholder, devDependencies: { typescript: '5' } }))).toMatchObject({
    commands: { compile: 'npx tsc --noEmit', test: null, build: 'npm run build' },
  })
})

test('pyproject.toml: pytest and ruff where they are declared', async () => {
  expect(
    await detected({ 'pyproject.toml': '[build-system]\n[project]\ndependencies = ["pytest", "ruff"]\n' }),
  ).toMatchObject({
    type: 'python',
    commands: { compile: null, test: 'pytest', lint: 'ruff check .', build: 'python -m build' },
  })
  expect(await detected({ 'pyproject.toml': '[project]\nname = "a"\n' })).toMatchObject({
    commands: { test: 'python -m unittest discover', lint: null, build: null },
  })
})

test('Cargo.toml and Makefile', async () => {
  expect(await detected({ 'Cargo.toml': '[package]\n' })).toMatchObject({
    type: 'rust',
    commands: { compile: 'cargo check', test: 'cargo test', lint: 'cargo clippy', build: 'cargo build' },
  })
  expect(await detected({ Makefile: 'all: x\nlint:\n\ttrue\ntest :\n\ttrue\n' })).toMatchObject({
    type: 'makefile',
    commands: { compile: null, test: 'make test', lint: 'make lint', build: 'make all' },
  })
})

test('the first manifest decides, and without one nothing is known', async () => {
  expect(await detected({ ...pack({}), Makefile: 'test:\n' })).toMatchObject({
    type: 'nodejs',
    commands: { test: null },
  })
  expect(await detected({})).toEqual({
    type: 'unknown',
    manifest: null,
    commands: { compile: null, test: null, lint: null, build: null },
  })
})
