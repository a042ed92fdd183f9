import { expect, test } from 'vitest'
import { shareTree } from '../../../source/workflows/evidence/shared-tree.js'

const looks = () => {
  const log: string[] = []
  const around = (name: string) => ({
    before: async () => void log.push(`before ${name}`),
    after: async () => {
      log.push(`after ${name}`)
      return { noted: [], asked: [] }
    },
  })
  return { log, around }
}

test('checks that share a tree are compared once, when the last has ended, and all are named', async () => {
  const session = {}
  const { log, around } = looks()
  const use = (title: string) =>
    shareTree({ session, tree: '/tree', title, writes: false, around: around(title) })
  const [one, other] = [use('one'), use('other')]
  await one.before()
  await other.before()
  expect(await other.after(undefined)).toEqual({ noted: [], asked: [] })
  expect(await one.after(undefined)).toEqual({ noted: [], asked: [], beside: ['other'] })
  expect(log).toEqual(['before one', 'after one'])
})

test('who writes has its tree alone, and another session is another matter', async () => {
  const session = {}
  const { around } = looks()
  const use = (title: string, writes: boolean, of: object = session) =>
    shareTree({ session: of, tree: '/tree', title, writes, around: around(title) })
  const writer = use('writer', true)
  await writer.before()
  await expect(use('check', false).before()).rejects.toThrow('check would work in one tree with writer')
  await use('of another', true, {}).before()
  await writer.after(undefined)
  await use('check', false).before()
  await expect(use('writer', true).before()).rejects.toThrow('one tree with check')
})
