import { chmod, mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { runCommand } from '../../source/processes/commands.js'
import { onPath } from '../../source/processes/find-program.js'
import { programPath } from '../../source/processes/program-path.js'

let folder: string
let project: string
beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'autopilot-test-')))
  project = join(folder, 'project')
  await mkdir(join(project, '.git'), { recursive: true })
  await mkdir(join(project, 'node_modules/.bin'), { recursive: true })
  await mkdir(join(project, 'deep'))
})
afterEach(async () => await rm(folder, { recursive: true, force: true }))

async function tool(directory: string): Promise<void> {
  await mkdir(directory, { recursive: true })
  await writeFile(join(directory, 'tool'), '#!/bin/sh\necho "$0 $PATH"\n')
  await chmod(join(directory, 'tool'), 0o755)
}

test('directories of the project never count, from whichever directory of it and by whichever link', async () => {
  await symlink(join(project, 'deep'), join(folder, 'link'))
  const entries = [
    '.',
    '',
    'node_modules/.bin',
    join(project, 'node_modules/.bin'),
    project,
    join(folder, 'link'),
    `${folder}/other/../project/deep`,
    '/usr/bin',
    join(folder, 'project-tools'),
  ]
  for (const cwd of [project, join(project, 'deep')])
    expect(programPath(entries.join(':'), cwd)).toBe(`/usr/bin:${join(folder, 'project-tools')}`)
})

test('outside of a repository the working directory and its programs do not count', () => {
  const path = [folder, join(folder, 'node_modules/.bin'), join(folder, 'tools'), '/bin'].join(':')
  expect(programPath(path, folder)).toBe(`${join(folder, 'tools')}:/bin`)
})

test('a program planted in the project is neither found nor handed on to children', async () => {
  const planted = join(project, 'node_modules/.bin')
  const own = join(folder, 'tools')
  await tool(planted)
  const env = { PATH: `${planted}:${own}:/usr/bin:/bin` }
  const limits = { cwd: project, env, timeoutMs: 10_000, outputCap: 1000 }
  expect(await runCommand(['tool'], limits)).toMatchObject({ missing: true })
  expect(onPath('tool', env.PATH, project)).toBeUndefined()
  await tool(own)
  const { stdout } = await runCommand(['tool'], limits)
  expect(stdout).toBe(`${join(own, 'tool')} ${own}:/usr/bin:/bin\n`)
})

test('what is guarded starts only when the guard lets it, and looks again each time', async () => {
  let looks = 0
  const guard = async () => {
    looks += 1
    if (looks > 1) throw new Error('not any more')
  }
  const limits = { cwd: project, timeoutMs: 10_000, outputCap: 1000, guard }
  expect((await runCommand(['sh', '-c', 'echo one > ran'], limits)).code).toBe(0)
  await rm(join(project, 'ran'))
  await expect(runCommand(['sh', '-c', 'echo two > ran'], limits)).rejects.toThrow('not any more')
  expect((await runCommand(['ls'], { ...limits, guard: undefined })).stdout).not.toContain('ran')
})
