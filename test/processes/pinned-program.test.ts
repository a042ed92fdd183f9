import { chmod, mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runCommand } from '../../source/processes/commands.js'
import { onPath, pinnedOnPath } from '../../source/processes/find-program.js'
import { createProject } from '../support/project.js'

// A program is the one that this process found first: whatever is put before it on PATH meanwhile was not trusted.

async function place(folder: string, says: string): Promise<string> {
  const file = join(folder, 'helper-of-the-test')
  await mkdir(folder, { recursive: true })
  await writeFile(file, `#!/bin/sh\necho ${says}\n`)
  await chmod(file, 0o755)
  return file
}

test('one that appears before it is not run, and neither is one when the first is gone', async () => {
  const { root, dir } = await createProject()
  const [early, late] = [join(root, 'early'), join(root, 'late')]
  const path = `${early}:${late}:/usr/bin:/bin`
  const run = async () =>
    await runCommand(['helper-of-the-test'], {
      cwd: dir,
      env: { PATH: path },
      timeoutMs: 60_000,
      outputCap: 1_000,
    })
  const trusted = await place(late, 'trusted')
  expect((await run()).stdout).toBe('trusted\n')
  const planted = await place(early, 'planted')
  expect(onPath('helper-of-the-test', path, dir)).toBe(planted)
  expect(pinnedOnPath('helper-of-the-test', path, dir)).toBe(trusted)
  expect(pinnedOnPath('helper-of-the-test', path, root)).toBe(trusted)
  expect((await run()).stdout).toBe('trusted\n')
  await rm(trusted)
  expect(await run()).toMatchObject({ missing: true, stdout: '' })
})
