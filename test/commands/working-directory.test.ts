import { spawnSync } from 'node:child_process'
import { mkdir, readdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { inTemporary } from '../support/temporary.js'

const program = resolve('bin/autopilot.js')

test.each([['status'], ['sessions', '--json'], ['docs/spec.md'], []])(
  'a directory that is there no more is told in three parts: %j',
  async (...words) => {
    await inTemporary('gone', async (root) => {
      const gone = join(root, 'gone')
      await mkdir(gone)
      const line = `rmdir '${gone}' && "${process.execPath}" "${program}" ${words.join(' ')}`
      const { status, stderr } = spawnSync('sh', ['-c', line], { cwd: gone, encoding: 'utf8' })
      expect(stderr).toMatch(/not there any more\.\n.*every path\b.*\nChange to a directory/)
      expect(status).toBe(2)
    })
  },
)

test('a HOME that is no absolute path is refused, and nothing is made in the project', async () => {
  await inTemporary('home', async (root) => {
    for (const words of [['doctor'], ['status'], ['docs/spec.md', '--agent', 'command:true']]) {
      const env = { PATH: process.env.PATH, HOME: 'relative' }
      const { status, stderr } = spawnSync(process.execPath, [program, ...words], {
        cwd: root,
        env,
        encoding: 'utf8',
      })
      expect([status, stderr]).toEqual([2, expect.stringContaining('HOME is "relative"')])
    }
    expect(await readdir(root)).toEqual([])
  })
})
