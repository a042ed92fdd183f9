import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openGit } from '../../../../source/project/git.js'
import { fallenPhases } from '../../../../source/workflows/evidence/claims/earlier-phases.js'
import { makeRepository, type TestRepository } from '../../../project/repository.js'

let repository: TestRepository
let library: TestRepository

beforeEach(async () => {
  repository = await makeRepository()
  library = await makeRepository()
  repository.git('-c', 'protocol.file.allow=always', 'submodule', 'add', '-q', library.root, 'lib/scales')
  repository.commitAll('with a library')
})

afterEach(async () => {
  await repository.remove()
  await library.remove()
})

/** A phase that takes a newer library over, and a file of its own. */
async function phaseWithLibrary() {
  const startCommit = repository.git('rev-parse', 'HEAD').trim()
  repository.git('-C', 'lib/scales', 'commit', '-q', '--allow-empty', '-m', 'list')
  await repository.write('kelvin.js', '1')
  repository.commitAll('newer library')
  const endCommit = repository.git('rev-parse', 'HEAD').trim()
  return { label: 'Phase 1', startedAt: '2026-01-01T00:00:00.000Z', startCommit, endCommit }
}

const doubtsOf = async (phase: Awaited<ReturnType<typeof phaseWithLibrary>>) =>
  await fallenPhases(openGit(repository.root), [phase], {
    later: () => [],
    read: async (path) => await readFile(join(repository.root, path), 'utf8').catch(() => undefined),
  })

test('a submodule that a phase took over stands, checked out or empty', async () => {
  const phase = await phaseWithLibrary()
  expect(await doubtsOf(phase)).toEqual([])
  repository.git('submodule', 'deinit', '-q', '-f', 'lib/scales')
  expect(await doubtsOf(phase)).toEqual([])
})

test('a submodule and a file that were taken away are named', async () => {
  const phase = await phaseWithLibrary()
  await rm(join(repository.root, 'lib'), { recursive: true })
  await rm(join(repository.root, 'kelvin.js'))
  expect(await doubtsOf(phase)).toEqual([
    'Phase 1: kelvin.js is not there any more.',
    'Phase 1: lib/scales is not there any more.',
  ])
})

test('a submodule that is back at its old commit is named', async () => {
  const phase = await phaseWithLibrary()
  repository.git('-C', 'lib/scales', 'reset', '-q', '--hard', 'HEAD~1')
  repository.commitAll('older library')
  expect(await doubtsOf(phase)).toEqual(['Phase 1: lib/scales is back to what it was before.'])
})

test('a file in which nothing is left of a phase but comments is named; one that was worked on is not', async () => {
  await repository.write('box.js', 'export const box = 1\n')
  repository.commitAll('a box')
  const startCommit = repository.git('rev-parse', 'HEAD').trim()
  await repository.write('box.js', 'export const box = 2\n')
  repository.commitAll('another box')
  const endCommit = repository.git('rev-parse', 'HEAD').trim()
  const phase = { label: 'Phase 1', startedAt: '2026-01-01T00:00:00.000Z', startCommit, endCommit }
  await repository.write('box.js', '// A box.\nexport const box = 1\n')
  repository.commitAll('more')
  expect(await doubtsOf(phase)).toEqual([
    'Phase 1: box.js is back to what it was before, but for comments and layout.',
  ])
  await repository.write('box.js', '// A box.\nexport const box = 3\n')
  expect(await doubtsOf(phase)).toEqual([])
})
