import { afterEach, describe, expect, it } from 'vitest'
import { titleText } from '../../source/ui/components/help.js'
import { createFrameStore } from '../../source/ui/frame-store.js'
import { actionOf, keymap, type Scope } from '../../source/ui/keymap.js'
import { diffRows } from '../../source/ui/layout/diff-lines.js'
import { createTheme } from '../../source/ui/theme.js'
import { filledViews } from '../../source/ui/views/table.js'
import { viewIds } from '../../source/ui/views/view-id.js'
import type { Question } from '../../source/view/question.js'
import type { RunSnapshot } from '../../source/view/view.js'
import {
  createTestStore,
  pane,
  questionOf,
  questions,
  recordControls,
  snapshotOf,
  startOfRun,
  withEvidence,
} from './fixtures.js'
import { cleanup, openStage } from './stage.js'
import { filledSnapshot, readingControls } from './view-fixtures.js'

const lastRow = (frame: string) => frame.split('\n').at(-1) ?? ''

afterEach(cleanup)

async function run(change: Partial<RunSnapshot> = {}, snapshot = filledSnapshot(change)) {
  const controls = readingControls(recordControls())
  const store = createTestStore(snapshot)
  const frames = createFrameStore(store, () => startOfRun + 725_000)
  const stage = await openStage(
    { columns: 100, rows: 30 },
    { kind: 'run', frames, controls, onStop: () => undefined },
  )
  return { stage, store, controls }
}

const right = '\u001b[C'

it('has a key in the table for every view', () => {
  for (const id of viewIds)
    expect(
      keymap.find((row) => row.id === id && row.scope === 'run'),
      id,
    ).toBeDefined()
})

it('leaves the letters of options and digits to gates', () => {
  for (const scope of ['run', 'agent', 'gate'] satisfies Scope[])
    for (const key of 'abcdef123456789') expect(actionOf(scope, key), key).toBeUndefined()
})

it('is not there for what a workflow does not fill', async () => {
  const bare = snapshotOf({ panes: [] })
  expect(filledViews(bare).map(({ id }) => id)).toEqual(['overview', 'costs', 'timeline', 'help'])
  expect(filledViews(filledSnapshot({ question: questions[5] })).map(({ id }) => id)).toEqual([...viewIds])
  const { stage } = await run({}, bare)
  await stage.type('l')
  expect(stage.frame()).toContain('Plan: there is nothing to show yet.')
  await stage.type(right)
  expect(stage.frame()).toContain('Tokens and cost')
})

it('reads documents when they are opened, and not before', async () => {
  const { stage, controls } = await run()
  expect(controls.asked).toEqual([])
  await stage.type('l')
  expect(controls.asked).toEqual(['plan'])
  expect(stage.frame()).toContain('Plan of phase 2  docs/plans/2030-04-03-mail-rules-plan.md')
  await stage.type('v')
  expect(controls.asked).toEqual(['plan', 'spec'])
  await stage.type('D')
  expect(controls.asked).toEqual(['plan', 'spec', 'diff'])
})

it('shows Markdown as it is read', async () => {
  const { stage } = await run()
  await stage.type('l')
  const frame = stage.frame()
  expect(frame).toMatch(/^Mail rules *$/m)
  expect(frame).toContain('Goal: rules are kept and applied.')
  expect(frame).toContain('✓ write the test')
  expect(frame).toContain('│ # no heading')
  expect(frame).not.toContain('```')
})

it('shows a diff by files, with what it comes to, and walks from one to the next', async () => {
  const { stage } = await run()
  await stage.type('D')
  const frame = stage.frame()
  expect(frame).toContain('2 changed files')
  expect(frame).toMatch(/src\/rules\.ts {2}\+2 -1/)
  expect(frame).toMatch(/test\/new\.test\.ts {2}\+1 -0/)
  expect(frame).not.toContain('index 1234567')
  await stage.resize(100, 15)
  await stage.type('n')
  expect(stage.frame().split('\n')[2]).toMatch(/^src\/rules\.ts/)
})

it('tells a diff of one file by the head of that file alone', () => {
  const lines = ['diff --git a/a.md b/a.md', '--- a.md', '+++ a.md', '@@ -1 +1 @@', '-old', '+new']
  const { rows, parts } = diffRows(lines, 80)
  expect(rows.map((row) => row.map(({ text }) => text).join(''))).toEqual([
    'a.md  +1 -1',
    '@@ -1 +1 @@',
    '-old',
    '+new',
  ])
  expect(parts).toEqual([0])
})

it('never loses the place in one view by going to another', async () => {
  const { stage } = await run()
  await stage.resize(100, 15)
  await stage.type('l')
  await stage.type('n')
  await stage.type('n')
  const before = stage.frame().split('\n').slice(1, -1)
  await stage.type('F')
  expect(stage.frame()).toContain('Findings')
  await stage.type('V')
  await stage.type('l')
  expect(stage.frame().split('\n').slice(1, -1)).toEqual(before)
})

it('opens each text at its own beginning, whatever was scrolled before it', async () => {
  const entry = { at: '2030-04-03T09:00:00.000Z', kind: 'note' as const, text: 'told' }
  const timeline = Array.from({ length: 40 }, (_, index) => ({ ...entry, text: `told ${index}` }))
  const { stage } = await run({ timeline })
  await stage.resize(100, 15)
  await stage.type('l')
  await stage.type('G')
  expect(stage.frame()).not.toMatch(/ 1-12 of/)
  // Another document of the same view, and another view that is drawn by the same component.
  await stage.type('v')
  expect(stage.frame().split('\n')[2]).toMatch(/^Spec *$/)
  await stage.type('D')
  expect(stage.frame().split('\n')[2]).toMatch(/^2 changed files/)
  // The timeline opens at its newest line, also from a view that stands at its first one.
  await stage.type('E')
  await stage.type('t')
  expect(stage.frame()).toMatch(/── Timeline: everything .* \d+-(\d+) of \1 ──/)
})

describe('a search in a text', () => {
  const look = async (stage: Awaited<ReturnType<typeof run>>['stage'], text: string) => {
    await stage.type('/')
    for (const key of text) await stage.type(key)
    await stage.type('\r')
  }

  it('finds from where one looks on, goes on down and up, and lights hits', async () => {
    const { stage } = await run()
    await stage.resize(100, 15)
    await stage.type('l')
    expect(lastRow(stage.frame())).toContain('/ search')
    await look(stage, 'RULES')
    expect(lastRow(stage.frame())).toBe('"RULES": n finds the next hit, N the one before')
    await stage.type('n')
    await stage.type('n')
    expect(stage.frame()).toContain('export const rules = []')
    await stage.type('n')
    expect(lastRow(stage.frame())).toBe('"RULES": nothing below')
    await stage.type('N')
    await stage.type('N')
    await stage.type('N')
    expect(lastRow(stage.frame())).toBe('"RULES": nothing above')
    expect(stage.frame()).toMatch(/^Mail rules *$/m)
  })

  it('finds words that go on in the next row', async () => {
    const { stage } = await run()
    await stage.resize(100, 15)
    await stage.type('l')
    const broken = /(\S+) *\n +(\S+) .*is started anew/.exec(stage.frame())
    const [, last = '', first = ''] = broken ?? []
    expect(last).not.toBe('')
    await look(stage, `${last} ${first}`)
    expect(lastRow(stage.frame())).toContain('finds the next hit')
  })

  it('says where there is nothing, and is over with an empty text, when n walks through the parts again', async () => {
    const { stage } = await run()
    await stage.resize(100, 15)
    await stage.type('D')
    await look(stage, 'nowhere')
    expect(lastRow(stage.frame())).toBe('"nowhere": nothing here')
    await stage.type('n')
    expect(lastRow(stage.frame())).toBe('"nowhere": nothing below')
    await look(stage, '')
    await stage.type('n')
    expect(stage.frame().split('\n')[2]).toMatch(/^src\/rules\.ts/)
    // In another text nothing was searched.
    await look(stage, 'rules')
    await stage.type('l')
    await stage.type('N')
    expect(lastRow(stage.frame())).toBe('Nothing was searched for yet: / begins a search.')
  })

  it('looks through what an open question names too', async () => {
    const { stage } = await run({ question: withEvidence })
    await stage.type('\t')
    await stage.type('\r')
    expect(lastRow(stage.frame())).toContain('/ search')
    await look(stage, 'step 90')
    expect(lastRow(stage.frame())).toBe('"step 90": n finds the next hit, N the one before')
  })
})

describe('hints of a view', () => {
  it('tell only keys that mean something there', async () => {
    const { stage } = await run()
    await stage.type('C')
    expect(lastRow(stage.frame())).toBe('Esc back  / search  Left/Right other views  ? help')
    await stage.type('D')
    // All of it is seen; in fewer rows it is not.
    expect(lastRow(stage.frame())).not.toMatch(/next file|scroll/)
    await stage.resize(100, 15)
    expect(lastRow(stage.frame())).toMatch(/n next file.*scroll/)
    cleanup()
    const single = await run()
    await single.stage.type('w')
    expect(lastRow(single.stage.frame())).not.toMatch(/follow|hit/)
    await single.stage.type('g')
    expect(lastRow(single.stage.frame())).toContain('G follow')
  })

  it('tell at 80 columns that there is another document, and the title counts it beside a long path', async () => {
    const { stage } = await run({ question: questions[5] })
    await stage.resize(80, 24)
    await stage.type('l')
    expect(lastRow(stage.frame())).toMatch(/v next document.*\? help/)
    await stage.resize(72, 24)
    expect(stage.frame()).toMatch(/── Plan of phase 2 {2}…\/\S+-plan\.md {2}\(v: 1 more\) ──/)
  })

  it('name no key of agents before there is one', async () => {
    const { stage } = await run({}, snapshotOf({ panes: [] }))
    expect(lastRow(stage.frame())).not.toMatch(/pane|whole|scroll/)
  })
})

it('goes on by a page with Space, as any pager does', async () => {
  const { stage } = await run()
  await stage.resize(80, 24)
  await stage.type('?')
  expect(stage.frame()).toMatch(/1-20 of \d+/)
  await stage.type(' ')
  expect(stage.frame()).toMatch(/20-39 of \d+/)
})

it('says of every key that does nothing here that it does nothing', async () => {
  const { stage } = await run()
  for (const [view, key, name] of [
    ['l', '\t', 'Tab'],
    ['F', 'v', 'v'],
    ['C', 'n', 'n'],
    ['D', '\r', 'Enter'],
  ] as const) {
    await stage.type(view)
    await stage.type(key)
    expect(lastRow(stage.frame()), `${view} ${name}`).toBe(`${name} means nothing here; ? shows the keys.`)
    await stage.type('V')
  }
  cleanup()
  const asked = await run({ question: questions[5] })
  await asked.stage.type('/')
  expect(lastRow(asked.stage.frame())).toBe('A search looks through what has the screen: w shows the agent.')
})

it('says of what comes between two states when it comes', async () => {
  const { stage } = await run()
  await stage.type('o')
  expect(lastRow(stage.frame())).toBe('reorder or skip open phases: asked at the next safe point.')
  cleanup()
  const asked = await run({ question: questions[5] })
  await asked.stage.type('o')
  expect(lastRow(asked.stage.frame())).toBe(
    'reorder or skip open phases: asked after this question, at the next safe point.',
  )
})

it('shows the whole log of an agent, part by part: its end first, and g goes to its oldest line', async () => {
  const { stage, controls } = await run()
  await stage.type('L')
  expect(controls.asked).toEqual(['.harness/logs/p2.log 2'])
  expect(stage.frame()).toContain('part 3 of 3')
  expect(stage.frame()).toContain('> line 200 of the log, part 2')
  await stage.type('g')
  expect(stage.frame()).toContain('part 1 of 3')
  expect(stage.frame()).toContain('> line 1 of the log, part 0')
  await stage.type('n')
  expect(stage.frame()).toContain('> line 1 of the log, part 1')
  await stage.type('G')
  expect(stage.frame()).toContain('> line 200 of the log, part 2')
})

describe('an agent that has said more than its pane keeps', () => {
  async function flood() {
    const lines = Array.from({ length: 6000 }, (_, index) => ({
      kind: 'text' as const,
      text: `said ${index}`,
    }))
    const one = pane('p2', 'Execute', 'running', lines, { logPath: '.harness/logs/p2.log' })
    return run({}, { ...filledSnapshot(), panes: [one] })
  }

  it('says above its oldest line how many are earlier in the log, and where', async () => {
    const { stage } = await flood()
    await stage.type('/')
    for (const key of 'said 1000') await stage.type(key)
    await stage.type('\r')
    expect(stage.frame()).toMatch(
      /1000 lines earlier are in the log \(g or L\):\s.*\.harness\/logs\/p2\.log/s,
    )
    expect(stage.frame()).toContain('line 1001 of 6000')
  })

  it('shows the oldest line of its log with g, from the overview and from the whole screen', async () => {
    for (const keys of ['', 'w']) {
      const { stage } = await flood()
      for (const key of [...keys, 'g']) await stage.type(key)
      expect(stage.frame()).toContain('part 1 of 3')
      expect(stage.frame()).toContain('> line 1 of the log, part 0')
      await stage.escape()
      expect(stage.frame()).toContain('said 5999')
      // The log is where it was left.
      await stage.type('L')
      expect(stage.frame()).toContain('> line 1 of the log, part 0')
      cleanup()
    }
  })
})

it('folds tools, cuts long lines and shows the text alone, each by its key', async () => {
  const { stage } = await run()
  await stage.type('W')
  expect(stage.frame()).toContain('Long lines are cut')
  expect(stage.frame()).not.toContain('then the reader.')
  await stage.type('W')
  expect(stage.frame()).toContain('then the reader.')
  await stage.type('w')
  expect(stage.frame()).not.toContain('vitest run')
  await stage.type('T')
  expect(stage.frame()).toContain(':   > vitest run'.slice(2))
  expect(stage.frame()).toContain('+export const rules = store.rules()')
  await stage.type('T')
  await stage.type('v')
  expect(stage.frame().split('\n')).toContain('Run npm test failed')
  expect(stage.frame().split('\n')).toContain('-export const rules = []')
  await stage.type('v')
  expect(stage.frame()).toContain('✗ failed, 2 lines folded')
})

it('has an inbox of the questions that wait, with their age, and goes to the next of them', async () => {
  const waiting = [
    { id: 'w1', gate: 'Q-RETRY', title: 'Another try?', askedAt: '2030-04-03T08:00:00.000Z' },
    { id: 'w2', gate: 'Q-NEXT', title: 'What next?', askedAt: '2030-04-01T06:00:00.000Z' },
  ]
  const question = { ...questionOf('Q-APPROVE'), askedAt: '2030-04-03T09:00:00.000Z' }
  const later: string[] = []
  const controls = { ...readingControls(recordControls()), askLater: (id: string) => later.push(id) > 0 }
  const frames = createFrameStore(
    createTestStore(snapshotOf({ question, waiting })),
    () => startOfRun + 725_000,
  )
  const stage = await openStage(
    { columns: 100, rows: 30 },
    { kind: 'run', frames, controls, onStop: () => undefined },
  )
  expect(stage.frame()).toContain('Q-APPROVE · waits 12m')
  expect(stage.frame()).toContain('2 more questions (Q)')
  await stage.type('Q')
  const fresh = await run({
    question: { ...question, askedAt: new Date(startOfRun + 725_000).toISOString() },
  })
  await fresh.stage.type('Q')
  expect(stage.frame()).toMatch(/asked now +12m .*Pausing for review/)
  expect(stage.frame()).toMatch(/waits +1h 12m .*Another try\? \(Q-RETRY\)/)
  expect(stage.frame()).toMatch(/waits +2d 3h .*What next\?/)
  // What is asked just now is not said twice to be so.
  expect(fresh.stage.frame()).toMatch(/asked now +\d\d:\d\d /)
  await stage.type('u')
  expect(later).toEqual([question.id])
  cleanup()
  const alone = await run({ question })
  await alone.stage.type('u')
  expect(alone.stage.frame()).toContain('No other question waits.')
})

it('says of Enter what it does while something to read is lit', async () => {
  const { stage } = await run({ question: withEvidence })
  expect(stage.frame()).toContain('Enter choose')
  await stage.type('\t')
  expect(stage.frame()).not.toContain('Enter choose')
  expect(stage.frame()).toContain('Enter open what is lit')
  await stage.wait(600)
  await stage.type('\u001b[A')
  expect(stage.frame()).toContain('Enter choose')
  await stage.type('\t')
  await stage.type('\r')
  await stage.escape()
  expect(stage.frame()).toContain('Enter choose')
})

it('a filter that finds nothing says so', async () => {
  const timeline = [{ at: '2030-04-03T10:00:00.000Z', kind: 'note' as const, text: 'Something' }]
  const stage = await openStage(
    { columns: 80, rows: 24 },
    {
      kind: 'run',
      frames: createFrameStore(createTestStore(snapshotOf({ timeline, reports: [] }))),
      controls: recordControls(),
      onStop: () => undefined,
    },
  )
  await stage.type('t')
  for (let count = 0; count < 3; count += 1) await stage.type('v')
  expect(stage.frame()).toContain('No commits so far')
  await stage.type('v')
  expect(stage.frame()).toContain('No warnings so far.')
})

it('names the tasks of phases that are over as well, as far as they were shown', async () => {
  const view = {
    ...snapshotOf({}).view,
    currentPhase: '2',
    work: [{ phase: '1', task: '1', facts: [], lines: [] }],
  }
  const taskTitles = new Map([['1', new Map([['1', 'Read one plant']])]])
  const stage = await openStage(
    { columns: 80, rows: 24 },
    {
      kind: 'run',
      frames: createFrameStore(createTestStore(snapshotOf({ view, taskTitles }))),
      controls: recordControls(),
      onStop: () => undefined,
    },
  )
  await stage.type('E')
  expect(stage.frame()).toContain('1 Read one plant')
})

it('a run that has not read its phases has nothing finished', async () => {
  const view = { ...snapshotOf({}).view, phases: [], work: [], phaseWord: 'Step' }
  const stage = await openStage(
    { columns: 60, rows: 24 },
    {
      kind: 'run',
      frames: createFrameStore(createTestStore(snapshotOf({ view }))),
      controls: recordControls(),
      onStop: () => undefined,
    },
  )
  await stage.type('M')
  expect(stage.frame()).toContain('Not known: the steps have not been read yet.')
  expect(stage.frame()).not.toContain('finished')
})

it('lists every answer among the decisions, with its question and note, also where nothing else was recorded', async () => {
  const answered = {
    chosen: 'put back',
    gate: 'Q-TOUCHED',
    title: 'It changed the spec',
    note: 'not its task',
  }
  const at = '2030-04-03T09:05:00.000Z'
  const base = filledSnapshot()
  const timeline = [
    { at, kind: 'gate' as const, text: 'asked: It changed the spec' },
    { at, kind: 'gate' as const, text: 'answered: put back - not its task', answered },
  ]
  for (const [view, count] of [
    [base.view, 3],
    [{ ...base.view, decisions: [] }, 1],
  ] as const) {
    const snapshot = { ...base, timeline, view }
    const stage = await openStage(
      { columns: 100, rows: 30 },
      {
        kind: 'run',
        frames: createFrameStore(createTestStore(snapshot)),
        controls: recordControls(),
        onStop: () => undefined,
      },
    )
    await stage.type('C')
    const rows = stage.frame().split('\n')
    const answer = rows.findIndex((row) => row.includes('Q-TOUCHED: put back'))
    expect(rows[answer + 1]).toContain('It changed the spec - not its task')
    expect(rows.filter((row) => /^\d\d:\d\d /.test(row))).toHaveLength(count)
    cleanup()
  }
})

it('filters the timeline by kind', async () => {
  const { stage } = await run()
  await stage.type('t')
  expect(stage.frame()).toContain('Timeline: everything')
  await stage.type('v')
  expect(stage.frame()).toContain('Timeline: questions and answers')
  expect(stage.frame()).toContain('Q-APPROVE answered')
  expect(stage.frame()).not.toContain('harness-planner ok')
})

it('says so where a key means nothing', async () => {
  const { stage, store } = await run()
  await stage.type('y')
  expect(stage.frame()).toContain('y means nothing here; ? shows the keys.')
  await stage.type('t')
  expect(stage.frame()).not.toContain('means nothing')
  await stage.type('t')
  store.set({ question: questions[5] })
  await stage.wait(600)
  await stage.type('s')
  expect(stage.frame()).toContain('s does nothing while a question is open.')
})

describe('at a gate', () => {
  it('everything that there is to read is one key away, and back', async () => {
    const { stage, controls } = await run({ question: questions[5] })
    expect(stage.frame()).toMatch(
      /To read: +plan of phase 2 +changes since phase 2 began +findings +evidence/,
    )
    await stage.type('\t')
    await stage.type('\r')
    expect(controls.asked).toEqual(['plan'])
    expect(stage.frame()).toContain('Goal: rules are kept')
    await stage.escape()
    expect(stage.frame()).toContain('Pausing for review')
  })

  it('the text is where it was left when something else was read', async () => {
    const body = Array.from({ length: 90 }, (_, index) => `line ${index + 1}`)
    const { stage } = await run({ question: { ...questionOf('Q-APPROVE'), body } })
    await stage.type('\u001b[6~')
    const place = /lines (\d+)-\d+ of 90/
    const [, top] = place.exec(stage.frame()) ?? []
    expect(Number(top)).toBeGreaterThan(1)
    await stage.type('\t')
    await stage.type('\r')
    expect(stage.frame()).not.toMatch(place)
    await stage.escape()
    expect(place.exec(stage.frame())?.[1]).toBe(top)
  })

  it('a plan that the question shows itself is not offered a second time', async () => {
    const path = 'docs/plans/2030-04-03-mail-rules-plan.md'
    for (const own of [
      { title: 'The plan', path },
      { title: path, path: 'approved-copy.md' },
    ]) {
      const question: Question = {
        ...questionOf('Q-APPROVE'),
        evidence: [{ id: 'own', kind: 'plan', ...own }],
      }
      const { stage } = await run({ question })
      await stage.resize(120, 40)
      expect(stage.frame()).toMatch(
        new RegExp(`To read: +${own.title} +changes since phase 2 began +findings +evidence`),
      )
      cleanup()
    }
  })

  it('what has no room beside a long name is counted, and the name is cut', async () => {
    const title = 'docs/records/2030-04-03-mail-rules-of-all-users-record.txt'
    const own = { id: 'own', kind: 'text' as const, title, path: 'copy.txt' }
    const { stage } = await run({ question: { ...questionOf('Q-APPROVE'), evidence: [own] } })
    await stage.resize(60, 15)
    expect(stage.frame()).toMatch(/To read: +2030-04-03-mail-rules-of-all\S* +4 more$/m)
  })

  it('a plan with a long name gives room to what else there is to read', async () => {
    const title = 'docs/plans/2030-04-03-mail-rules-of-all-users-plan.md'
    const own = { id: 'own', kind: 'plan' as const, title, path: 'approved-copy.md' }
    const { stage } = await run({ question: { ...questionOf('Q-APPROVE'), evidence: [own] } })
    await stage.resize(60, 15)
    expect(stage.frame()).toMatch(/To read: +this plan +plan of phase 2 +3 more$/m)
  })

  it('no key of a view decides', async () => {
    const { stage, controls } = await run({ question: questions[5] })
    await stage.wait(600)
    for (const key of ['l', 'D', 'F', 'E', 'C', 'M', 't', 'L', '?', 'v', '1', '\r', right, 'V'])
      await stage.type(key)
    expect(controls.answers).toEqual([])
  })
})

it('cuts the name of a text, and not the key that shows the others', () => {
  const title = { name: 'changes since phase 2 began', path: undefined, more: '(v: 1 more)' }
  const theme = createTheme(false)
  expect(titleText(title, 40, theme)).toBe('Changes since phase 2 began  (v: 1 more)')
  expect(titleText(title, 39, theme)).toBe('Changes since phase 2 beg~  (v: 1 more)')
  const path = 'docs/plans/2030-04-03-mail-rules-plan.md'
  expect(titleText({ ...title, path }, 39, theme)).toBe('Changes since phase 2 beg~  (v: 1 more)')
})
