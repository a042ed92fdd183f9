import { mkdir, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { readEvidence } from '../../source/sessions/evidence-text.js'
import { readLogPart } from '../../source/sessions/log-parts.js'
import { makeTemporary } from '../support/temporary.js'

const long = Array.from({ length: 60_000 }, (_, index) => `line ${index + 1}`)

const made: string[] = []
afterEach(async () => {
  for (const root of made.splice(0)) await rm(root, { recursive: true, force: true })
})

async function project() {
  const root = await makeTemporary('evidence')
  made.push(root)
  await mkdir(join(root, 'logs'))
  await writeFile(join(root, 'plan.md'), 'one\ntwo\n')
  await writeFile(join(root, 'logs', 'long.log'), `${long.join('\n')}\n`)
  await symlink('/etc/passwd', join(root, 'link'))
  return root
}

it('reads the file that evidence names, or takes the lines that it has', async () => {
  const root = await project()
  const plan = { id: 'p', kind: 'plan' as const, title: 'Plan', path: 'plan.md' }
  expect(await readEvidence(root, plan)).toEqual(['one', 'two'])
  expect(await readEvidence(root, { ...plan, lines: ['own'] })).toEqual(['own'])
})

it('shows the end of a long log and the beginning of any other long file, in whole lines', async () => {
  const root = await project()
  const log = { id: 'l', kind: 'log' as const, title: 'Log', path: 'logs/long.log' }
  const end = await readEvidence(root, log)
  expect(end.at(-1)).toBe('line 60000')
  expect(end[0]).toContain('beginning')
  expect(end.slice(1)).toEqual(long.slice(-(end.length - 1)))
  const begin = await readEvidence(root, { ...log, kind: 'text' })
  expect(begin.at(-1)).toContain('rest')
  expect(begin.slice(0, -1)).toEqual(long.slice(0, begin.length - 1))
})

it('gives a long log in parts that leave nothing out and cut no line', async () => {
  const root = await project()
  const { parts, part, lines } = await readLogPart(root, 'logs/long.log', undefined)
  expect([parts, part, lines.at(-1)]).toEqual([2, 1, 'line 60000'])
  const first = await readLogPart(root, 'logs/long.log', 0)
  expect([...first.lines, ...lines]).toEqual(long)
  expect((await readLogPart(root, 'logs/long.log', 99)).part).toBe(1)
  await expect(readLogPart(root, 'link', 0)).rejects.toThrow()
})

it('leaves alone what is outside of the project, also behind a link', async () => {
  const root = await project()
  const text = { id: 't', kind: 'text' as const, title: 'Text' }
  await expect(readEvidence(root, { ...text, path: '../x' })).rejects.toThrow()
  await expect(readEvidence(root, { ...text, path: 'link' })).rejects.toThrow()
})
