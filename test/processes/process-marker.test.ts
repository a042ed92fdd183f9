import { expect, test } from 'vitest'
import { findAmong, findMarked, type Look } from '../../source/processes/process-marker.js'
import { livingAmong } from '../../source/processes/process-set.js'
import { startProcess } from '../../source/processes/start-process.js'

// Nobody escapes a scan by being somewhere else at each moment.

/** What is listed in each pass, and what a look at a process says. */
function system(passes: number[][], looks: Record<number, Look>) {
  const looked: number[] = []
  let pass = 0
  return {
    looked,
    found: () =>
      findAmong(
        async () => passes[Math.min(pass++, passes.length - 1)] ?? [],
        async (pid) => {
          looked.push(pid)
          return looks[pid] ?? 'other'
        },
      ),
  }
}

test('one that has started another and ended meanwhile leads to it', async () => {
  const one = system(
    [
      [1, 7, 20],
      [1, 7, 21],
      [1, 7, 22],
    ],
    { 20: 'gone', 21: 'gone', 22: 'marked' },
  )
  expect(await one.found()).toEqual([22])
  // Those that were looked at are not looked at again.
  expect(one.looked).toEqual([1, 7, 20, 21, 22])
})

test('one that ended and waits to be collected may have started another, once', async () => {
  expect(
    await system(
      [
        [1, 20],
        [1, 20, 21],
      ],
      { 20: 'ended', 21: 'marked' },
    ).found(),
  ).toEqual([21])
  expect(await system([[1, 20]], { 20: 'ended' }).found()).toEqual([])
})

test('where everybody is somebody else, one pass is enough; and a scan comes to an end', async () => {
  const calm = system([[1, 7]], {})
  expect(await calm.found()).toEqual([])
  expect(calm.looked).toEqual([1, 7])
  expect(await system([[9]], { 9: 'gone' }).found()).toEqual([])
})

test.skipIf(process.platform !== 'linux')('a marked process is found as long as it lives', async () => {
  const mark = { name: 'AUTOPILOT_TEST_SCAN', value: `scan-${process.pid}` }
  const child = startProcess({
    argv: ['/bin/sh', '-c', 'read line'],
    cwd: '/',
    env: { PATH: '/usr/bin:/bin' },
    marks: [mark],
  })
  await expect.poll(() => findMarked(mark.value, mark.name), { timeout: 30_000 }).toEqual([child.pid])
  expect(await findMarked(mark.value, mark.name, { ownMark: true })).toEqual([child.pid])
  child.stdin?.end()
  await child.exited
  expect(await findMarked(mark.value, mark.name)).toEqual([])
})

test('who was found and has ended meanwhile may have started another one', async () => {
  const searches = [[7], [8], []]
  const members = await livingAmong(
    async () => searches.shift() ?? [],
    (pid) => (pid === 7 ? undefined : { pid }),
  )
  expect(members).toEqual([{ pid: 8 }])
  expect(
    await livingAmong(
      async () => [],
      () => ({ pid: 1 }),
    ),
  ).toEqual([])
  expect(
    await livingAmong(
      async () => [7],
      () => undefined,
    ),
  ).toEqual([])
})
