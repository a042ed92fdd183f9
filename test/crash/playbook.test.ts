import { execFile } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { JournalRecord } from '../../source/ledger/journal.js'
import { makeTemporary } from '../support/temporary.js'
import { doubled, openWorkshop, records, start, type Workshop } from './crash-run.js'
import { killedAfterEveryLine, killedInEveryLine } from './kills.js'

// A roadmap of two phases: one that needs a debugger and a cycle of mending, one that is split into work trees, killed at
// lines of its journal. AUTOPILOT_CRASH_EVERY: kills.ts.

const run = promisify(execFile)
const roles = fileURLToPath(new URL('../fixtures/fake-agents/playbook-roles.mjs', import.meta.url))

const files: Record<string, string> = {
  'readme.md': 'A garden\n',
  '.gitignore': '.autopilot/\n',
  '.planning/REQUIREMENTS.md': '# Requirements\n',
  '.planning/config.json': JSON.stringify({ verification_min_seconds: 0 }),
  '.planning/ROADMAP.md': `# Roadmap

- [ ] **Phase 1: Box** - a box
- [ ] **Phase 2: Beds** - two beds

### Phase 1: Box

**Goal**: A box is there
**Depends on**: Nothing
**Success Criteria**:
1. The box is there -- verified by: \`test -f work/box.txt\`

### Phase 2: Beds

**Goal**: Two beds are there
**Depends on**: Phase 1
**Success Criteria**:
1. The beds are there -- verified by: \`test -f work/bed-2-6.txt\`
`,
}

let root = ''
let workshop: Workshop
let expected: Record<string, unknown>

beforeAll(async () => {
  root = await makeTemporary('playbook')
  workshop = {
    ...(await openWorkshop(root)),
    input: '.planning',
    agent: roles,
    answers: [
      { gate: 'Q-PICK', answer: { value: 'all' } },
      // A part is broken off by kills at lines of the part beside it too.
      { gate: 'Q-BROKEN-STEP', answer: { value: 'again' } },
    ],
  }
  const dir = join(root, 'undisturbed')
  await create(dir)
  const ended = await start(workshop, dir)
  if (ended.code !== 0) throw new Error(`the undisturbed run ended with ${ended.code}: ${ended.stderr}`)
  expected = await outcome(dir)
}, 240_000)

afterAll(() => rm(root, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 }))

const gitIn = async (dir: string, ...args: string[]) =>
  (await run('git', args, { cwd: dir, env: workshop.env })).stdout.trimEnd()

async function create(dir: string): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(dir, path)), { recursive: true })
    await writeFile(join(dir, path), text)
  }
  await gitIn(dir, 'init', '-q', '-b', 'main')
  await gitIn(dir, 'config', 'user.name', 'Test Person')
  await gitIn(dir, 'config', 'user.email', 'person@example.invalid')
  await gitIn(dir, 'add', '-A')
  await gitIn(dir, 'commit', '-q', '-m', 'A garden')
}

/** Directory of the run: its place as long as it is not over, else the one archive. */
function runDir(dir: string): string {
  const live = join(dir, '.autopilot')
  if (existsSync(join(live, 'journal.jsonl'))) return live
  const archive = join(live, 'archive')
  const found = existsSync(archive) ? readdirSync(archive).filter((name) => name.startsWith('run-')) : []
  if (found.length > 1) throw new Error(`one run, and ${found.length} archives: ${found.join(', ')}`)
  return join(archive, found[0] ?? 'none')
}

const journal = (dir: string) => join(runDir(dir), 'journal.jsonl')

const timeless = (text: string) =>
  text
    .replace(/run-\d{4}-\d\d-\d\d-\d{6}/g, 'RUN')
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
    .replace(/\b[0-9a-f]{40}\b/g, 'SHA')
    .replace(/"(\w*duration_minutes|worked_from)": ?[\d.]+/g, '"$1":0')

/** Parts of a phase work beside each other: whose event comes first is chance. */
function inOneOrder(state: { event_log: unknown[] }): unknown {
  const sorted = { ...state, event_log: state.event_log.map((event) => JSON.stringify(event)).sort() }
  return JSON.parse(JSON.stringify(sorted), (_key, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
      : value,
  )
}

/** What a run comes to, without times and the hashes that hang on them. */
async function outcome(dir: string): Promise<Record<string, unknown>> {
  const read = async (path: string) => timeless(await readFile(path, 'utf8').catch(() => 'missing'))
  return {
    state: inOneOrder(JSON.parse(await read(join(runDir(dir), 'state.json')))),
    commits: (await gitIn(dir, 'log', '--topo-order', '--reverse', '--name-status', '--format=%s')).split(
      '\n',
    ),
    uncommitted: await gitIn(dir, 'status', '--porcelain', '--untracked-files=all'),
    // A branch whose merge was begun again keeps what was made first as well.
    refs: [
      ...new Set(
        (await gitIn(dir, 'for-each-ref', '--format=%(refname)'))
          .split('\n')
          .map((name) => name.replace(/[0-9a-f]{12}$/, 'SHA')),
      ),
    ],
    trees: (await gitIn(dir, 'worktree', 'list', '--porcelain'))
      .split('\n')
      .filter((line) => /^branch/.test(line)),
    box: await read(join(dir, 'work/box.txt')),
    metrics: await read(join(dir, '.autopilot/archive/metrics.json')),
  }
}

const gates = (all: readonly JournalRecord[]) =>
  all.flatMap((record) => (record.type === 'asked' ? [(record.question as { gate: string }).gate] : []))

/** No gate but the first, and that one once; no dispatch that had ended is done again (`doubled`). */
function wrongIn(all: readonly JournalRecord[]): string[] {
  const asked = gates(all)
    .filter((gate) => gate !== 'Q-BROKEN-STEP')
    .join(', ')
  return asked === 'Q-PICK' ? [] : [`asked: ${asked}`]
}

test('the undisturbed run holds everything that the kills are to meet', async () => {
  const dir = join(root, 'undisturbed')
  const all = await records(dir, journal(dir))
  expect([...doubled(all), ...wrongIn(all)]).toEqual([])
  expect(expected.state).toMatchObject({
    _meta: { status: 'completed' },
    phases: {
      phase_1: { status: 'completed', alignment_score: 9.4, debug_attempts: 1, remediation_cycles: 1 },
      phase_2: {
        status: 'completed',
        split: true,
        sub_phases: [{ status: 'completed' }, { status: 'completed' }],
      },
    },
  })
  const subjects = (await gitIn(dir, 'log', '--topo-order', '--reverse', '--format=%s')).split('\n')
  for (const subject of ['fix(1): debug 1 - smoothed', 'fix(1): R1 - done', 'feat(2): 02-02 - done'])
    expect(subjects).toContain(subject)
  expect(subjects.filter((subject) => subject.startsWith('merge: part'))).toHaveLength(2)
})

test.concurrent('killed after lines: the same end from each, nothing asked or done twice', () =>
  killedAfterEveryLine({ workshop, root, expected, create, journal, outcome, over: 'DONE', wrongIn }))

test.concurrent('killed in the middle of lines, one after the other: the same end', () =>
  killedInEveryLine({ workshop, root, expected, create, journal, outcome, over: 'DONE', wrongIn }))
