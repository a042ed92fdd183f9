import { execFile } from 'node:child_process'
import { chmod, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeTemporary } from '../support/temporary.js'
import {
  agentsGone,
  createSubject,
  doubled,
  openWorkshop,
  outcomeOf,
  records,
  start,
  type Workshop,
} from './crash-run.js'

// SIGKILL between the lines of a run in a repository with habits: hooks that rewrite messages and commit again, a file
// that the person has staged, a branch that is switched at a checkpoint, and a disk that is full at each record once. The
// same end, and the index as the person left it. AUTOPILOT_CRASH_EVERY=1 kills at every line.

const every = Number(process.env.AUTOPILOT_CRASH_EVERY ?? 5)
const run = promisify(execFile)

/** Takes every trailer away, and puts a ticket before the subject. */
const commitMessage = `#!/bin/sh
sed -i -e '/^Autopilot-Attempt:/d' -e '1s/^\\(\\[autopilot\\]\\)/T-1 \\1/' "$1"
`
/** Behind each commit of autopilot another one. */
const postCommit = `#!/bin/sh
git log -1 --format=%s | grep -q Checkpoint || exit 0
git log -1 --format=%s >> log.txt
git add log.txt
git commit -q --no-verify -m 'note it'
`

let root = ''
let base: Workshop

beforeAll(async () => {
  root = await makeTemporary('habits')
  base = await openWorkshop(root)
}, 120_000)

afterAll(() => rm(root, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 }))

/** The same repository each time; `name` keeps what was full apart. */
async function repository(name: string): Promise<{ workshop: Workshop; dir: string }> {
  const dir = join(root, name)
  await createSubject(base, dir)
  for (const [hook, text] of [
    ['commit-msg', commitMessage],
    ['post-commit', postCommit],
  ] as const) {
    const path = join(dir, '.git/hooks', hook)
    await writeFile(path, text)
    await chmod(path, 0o755)
  }
  await writeFile(join(dir, 'mine.txt'), 'staged by the person\n')
  await run('git', ['add', 'mine.txt'], { cwd: dir, env: base.env })
  const workshop: Workshop = {
    ...base,
    env: {
      ...base.env,
      FULL_AT: '(autopilot-state|handoff|state)\\.json',
      FULL_MARKS: join(root, `${name}.full`),
    },
    preloads: [fileURLToPath(new URL('../support/full-once.mjs', import.meta.url))],
    answers: [
      {
        gate: 'human-verify',
        before: 'git switch -q aside || git switch -q -c aside',
        answer: { value: 'confirm' },
      },
      { gate: 'Q-MOVED', answer: { value: 'go' } },
      { gate: 'Q-UNPROVEN', answer: { value: 'accept' } },
      { gate: 'Q-DISK', answer: { value: 'retry' } },
    ],
  }
  return { workshop, dir }
}

/** The person's index, and the branch. */
async function standing({ workshop, dir }: { workshop: Workshop; dir: string }): Promise<string> {
  const git = async (...args: string[]) =>
    (await run('git', args, { cwd: dir, env: workshop.env })).stdout.trim()
  return `${await git('branch', '--show-current')}\n${await git('diff', '--cached', '--name-status')}`
}

test('killed between its lines: the same end, and the index as the person left it', async () => {
  const undisturbed = await repository('undisturbed')
  const first = await start(undisturbed.workshop, undisturbed.dir)
  expect(first, first.stderr).toMatchObject({ code: 0 })
  const expected = await outcomeOf(undisturbed.workshop, undisturbed.dir)
  const subjects = (expected.commits as { subject: string }[]).map(({ subject }) => subject)
  expect(subjects).toContain('T-1 [autopilot] Checkpoint 1: label')
  expect(subjects.filter((subject) => subject === 'note it')).toHaveLength(2)
  expect(await standing(undisturbed)).toBe('aside\nA\tmine.txt')
  expect((await readFile(join(root, 'undisturbed.full'), 'utf8')).split('\n')).toContain('handoff.json')
  const asked = (await records(undisturbed.dir)).flatMap((record) =>
    record.type === 'asked' ? [(record.question as { gate: string }).gate] : [],
  )
  expect(asked).toContain('Q-MOVED')

  const killed = await repository('killed')
  const kills = { marks: join(root, 'killed.marks'), modes: 'after,half', every }
  let count = 0
  for (;;) {
    const ended = await start(killed.workshop, killed.dir, kills)
    if (ended.signal !== 'SIGKILL') {
      expect(ended, ended.stderr).toMatchObject({ code: 0 })
      break
    }
    count += 1
    await agentsGone(killed.dir)
  }
  expect(count).toBeGreaterThan(20)
  expect(doubled(await records(killed.dir))).toEqual([])
  expect(await outcomeOf(killed.workshop, killed.dir)).toEqual(expected)
  expect(await standing(killed)).toBe('aside\nA\tmine.txt')
})
