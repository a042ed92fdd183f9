import { expect, test } from 'vitest'
import type { MergeResult } from '../../../../source/project/git.js'
import {
  type MergeAnswer,
  type PartResult,
  type SplitPorts,
  workParts,
} from '../../../../source/workflows/playbook/split/work-parts.js'

const part = (id: string) => ({ id, tasks: [id], files: [] })
const done: PartResult = { status: 'completed', alignment_score: 9, issues: [] }
const merged: MergeResult = { done: true, sha: 'abc' }
const conflict: MergeResult = { done: 'failed', kind: 'conflict', paths: ['a.ts'], output: 'CONFLICT' }

/** Ports that write down what is asked of them. Merges and answers are given in turn. */
function script({
  results = {},
  merges = [],
  answers = [],
}: {
  results?: Record<string, PartResult>
  merges?: MergeResult[]
  answers?: MergeAnswer[]
} = {}) {
  const log: string[] = []
  let [now, most] = [0, 0]
  const ports: SplitPorts<ReturnType<typeof part>> = {
    open: async ({ id }) => void log.push(`open ${id}`),
    work: async ({ id }) => {
      now += 1
      most = Math.max(most, now)
      // The first one takes longest.
      for (let turn = 0; turn < (id === '2a' ? 20 : 2); turn += 1) await Promise.resolve()
      now -= 1
      return results[id] ?? done
    },
    merge: async ({ id }, round) => {
      log.push(`merge ${id} ${round}`)
      return merges.shift() ?? merged
    },
    ask: async ({ id }, { kind }) => {
      log.push(`ask ${id} ${kind}`)
      return answers.shift() ?? 'drop'
    },
    mend: async ({ id }) => void log.push(`mend ${id}`),
    close: async ({ id }) => void log.push(`close ${id}`),
  }
  return { ports, log, most: () => most }
}

test('three are worked on at once, and all are merged in their order', async () => {
  const { ports, log, most } = script()
  const run = await workParts(['2a', '2b', '2c', '2d'].map(part), ports)
  expect(most()).toBe(3)
  expect(log.filter((line) => line.startsWith('merge'))).toEqual([
    'merge 2a 1',
    'merge 2b 1',
    'merge 2c 1',
    'merge 2d 1',
  ])
  expect(run).toMatchObject({ completed: true, score: 9 })
  expect(log.filter((line) => line.startsWith('close'))).toHaveLength(4)
})

test('a part that failed is not merged, and the phase is not completed', async () => {
  const failed: PartResult = { status: 'failed', alignment_score: null, issues: ['red'] }
  const { ports, log } = script({ results: { '2b': failed } })
  const run = await workParts(['2a', '2b'].map(part), ports)
  expect(run).toMatchObject({ completed: false, score: null })
  expect(run.parts[1]).toMatchObject({ part: '2b', merged: false, issues: ['red'] })
  expect(log).not.toContain('merge 2b 1')
})

test('a conflict is asked about: an agent mends it and it is merged again', async () => {
  const { ports, log } = script({ merges: [conflict, merged], answers: ['debugger'] })
  const run = await workParts([part('2a')], ports)
  expect(log.slice(1)).toEqual(['merge 2a 1', 'ask 2a conflict', 'mend 2a', 'merge 2a 2', 'close 2a'])
  expect(run.completed).toBe(true)
})

test('a part that is dropped is not done', async () => {
  const { ports } = script({ merges: [conflict], answers: ['drop'] })
  expect(await workParts([part('2a')], ports)).toMatchObject({
    completed: false,
    parts: [{ status: 'failed', merged: false }],
  })
})

test('files that are lost are asked about, though the merge is made', async () => {
  const { ports, log } = script({ merges: [{ ...merged, lost: ['a.ts'] }], answers: ['resolved'] })
  expect((await workParts([part('2a')], ports)).completed).toBe(true)
  expect(log).toEqual(['open 2a', 'merge 2a 1', 'ask 2a lost', 'close 2a'])
})
