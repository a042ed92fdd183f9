import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { readPlan } from '../../source/documents/plan.js'
import { readSpec, readSpecAt } from '../../source/documents/spec.js'

// Small inputs of kinds that were read wrongly once, each with what is right.

const file = (path: string) => readFileSync(new URL(`../fixtures/cases/${path}`, import.meta.url), 'utf8')
const spec = (name: string) => readSpec(file(`specs/${name}.md`))
const plan = (name: string) => readPlan(file(`plans/${name}.md`))
const labels = (name: string) => spec(name).phases.map(({ label, name, on }) => [label, name, on])

const three = [
  ['1', 'Tree list', true],
  ['2', 'Harvest notes', true],
  ['10', 'Report', true],
]

describe('specs', () => {
  it('decimals: five phases in a question', () => {
    expect(labels('decimals').map(([label]) => label)).toEqual(['1', '2', '2.1', '1.10', '3'])
    expect(spec('decimals')).toMatchObject({ reading: 'literal', asks: true, overlooked: [], unread: [] })
  })

  it.each([
    ['letters', ['1', '1a', 'B']],
    ['boldhead', ['1', '2', '10']],
    ['nospace', ['1', '2', '10']],
    ['nbsp', ['1', '2', '10']],
    ['fullwidth', ['1', '2', '10']],
    ['setext', ['1', '2', '10']],
  ])('%s: every line that looks like a phase is one, in a question', (name, ids) => {
    const names = ['Tree list', 'Harvest notes', 'Report']
    expect(labels(name)).toEqual(ids.map((id, index) => [id, names[index], true]))
    expect(spec(name)).toMatchObject({ asks: true, overlooked: [] })
  })

  it('unclosed: the fence is named with its line, the phases behind it are offered, on', () => {
    expect(labels('unclosed')).toEqual(three)
    expect(spec('unclosed').asks).toBe(true)
    expect(spec('unclosed').askReasons.join()).toContain('opens on line 17 never closes')
  })

  it.each(['comment', 'comment1'])('%s: a phase in a comment is none, listed, unasked', (name) => {
    expect(labels(name)).toEqual(three)
    expect(spec(name).phases.map((phase) => phase.complexity)).toEqual(['low', 'medium', 'low'])
    expect(spec(name)).toMatchObject({ asks: false, unread: [] })
    expect(
      spec(name)
        .inComments.map((line) => line.text)
        .join(),
    ).toContain('Phase 9: Dropped idea')
  })

  it('commentsection: the section in the comment does not count', () => {
    expect(labels('commentsection')).toEqual(three)
    expect(spec('commentsection')).toMatchObject({ asks: false, section: { line: 11 } })
    expect(spec('commentsection').inComments.map((line) => line.line)).toEqual([6, 8])
  })

  it('details: folded phases are offered, off where the summary says done', () => {
    const folded = spec('details')
    expect(labels('details')).toEqual([['7', 'Shipped before', false], ...three])
    expect(folded.asks).toBe(true)
    expect(folded.phases[0]?.reason).toContain('Earlier milestone (done)')
    const open = readSpec(file('specs/details.md').replace('milestone (done)', 'milestone'))
    expect(open.phases.map((phase) => phase.on)).toEqual([true, true, true, true])
    expect(open.asks).toBe(true)
  })

  it('dup: both phases keep their own text, the repeated label is named', () => {
    const { phases, asks, askReasons } = spec('dup')
    expect(phases.map((phase) => [phase.label, phase.name])).toEqual([
      ['1', 'Tree list'],
      ['1', 'Harvest notes'],
      ['10', 'Report'],
    ])
    expect(phases.map((phase) => phase.description.includes('Keep notes.'))).toEqual([false, true, false])
    expect(asks).toBe(true)
    expect(askReasons.join()).toContain('label 1 is used twice, on lines 5 and 11')
  })

  it('done: marked phases are offered, switched off, with the reason', () => {
    const { phases, asks } = spec('done')
    expect(phases.map((phase) => [phase.label, phase.on])).toEqual([
      ['1', false],
      ['2', true],
      ['10', false],
    ])
    expect(phases[0]?.reason).toContain('✅ COMPLETE')
    expect(phases[2]).toMatchObject({ name: 'Report', reason: 'it is struck through' })
    expect(asks).toBe(true)
  })

  it.each([
    ['X — Done', false],
    ['X - DONE', false],
    ['X (done)', false],
    ['X [completed 2030-01-02]', false],
    ['X ✅', false],
    ['X ✔ shipped in v2', false],
    ['X – complete (2030-01-02)', false],
    ['Definition of Done', true],
    ['X — Complete the docs', true],
    ['Ship what is done', true],
    ['X (not done)', true],
    ['X (done by hand)', false],
    ['X (incomplete)', true],
    ['Mark ✅ in lists', true],
    ['X [x]', false],
    ['X | DONE', false],
    ['X → done', false],
    ['X · shipped', false],
    ['X: COMPLETE', false],
    ['X: done when tests pass', true],
    ['X: what "done" means', true],
    ['Array [x', true],
    ['Index a[i]', true],
    ['Rename ~~old~~ to new', true],
  ])('"%s" is on: %s', (name, on) => {
    const reading = readSpec(`## Implementation Order\n### Phase 1: A\n### Phase 2: ${name}\n`)
    expect(reading.phases[1]).toMatchObject({ name, on })
  })

  it('a name that is struck through is off, and called by what it says', () => {
    const reading = readSpec('## Implementation Order\n### Phase 1: ~~Trees~~\n### Phase 2: **~~Notes~~**\n')
    expect(reading.phases.map(({ name, on }) => [name, on])).toEqual([
      ['Trees', false],
      ['**Notes**', false],
    ])
    expect(reading.askReasons.join()).toContain('phase 1 is switched off: it is struck through')
  })

  it('blanks that nobody sees hide no phase', () => {
    const reading = readSpec(
      '## Implementation Order\n### Phase 1\u200b: A\n### \ufeffPhase 2: B\n### Phase\u20603: C\n### Phase 4: D\n',
    )
    expect(reading.phases.map(({ label, name }) => [label, name])).toEqual([
      ['1', 'A'],
      ['2', 'B'],
      ['3', 'C'],
      ['4', 'D'],
    ])
    expect(reading.asks).toBe(true)
  })

  it('a comment is no part of a name, and a phase in it is none, listed, unasked', () => {
    const reading = readSpec(
      '## Implementation Order\n### Phase 1: A <!-- complexity: high --> <!-- Phase 9: Gone -->\n### Phase 2: Read `<!-- x -->` <!-- note -->\n',
    )
    expect(reading.phases.map(({ name, complexity }) => [name, complexity])).toEqual([
      ['A', 'high'],
      ['Read `<!-- x -->`', 'medium'],
    ])
    expect(reading).toMatchObject({ asks: false, unread: [] })
    expect(reading.inComments.map(({ line }) => line)).toEqual([2])
  })

  it('long: the name is whole, lines for display are cut', () => {
    const reading = spec('long')
    expect(reading.phases).toHaveLength(3)
    expect(reading.phases[0]?.name.length).toBeGreaterThan(1000)
    expect(reading.asks).toBe(false)
    const cut = readSpec(file('specs/long.md').replace('### Phase 1: Tree', '### Phase 1:Tree'))
    expect(Math.max(...cut.warnings.map((warning) => warning.length))).toBeLessThan(400)
  })

  it('zero: the label stays 0', () => {
    expect(spec('zero')).toMatchObject({ asks: false, phases: [{ label: '0', number: 1 }, {}, {}] })
  })

  const bold = (...lines: string[]) => readSpec(`## Implementation Order\n\n${lines.join('\n\n')}\n`)

  it('words in parentheses beside the label do not hide a phase', () => {
    const reading = bold(
      '- **Phase 0** (Weeks -2 to 0): Prepare it. All.',
      '- **Phase 1 (one PR):** Store things. Then more.',
      '- **Phase 7 (future): npm publishing**',
    )
    expect(reading.phases.map(({ label, name }) => [label, name])).toEqual([
      ['0', 'Prepare it'],
      ['1', 'Store things'],
      ['7', 'npm publishing'],
    ])
    expect(reading.phases.map((phase) => phase.description)).toEqual([
      '(Weeks -2 to 0) Prepare it. All.',
      '(one PR) Store things. Then more.',
      '(future)',
    ])
  })

  it('what follows the last phase ends it and is unused', () => {
    const wrapped = bold('**Phase 1 — A.** x', '**Phase 2 — B.** y', '**Wrap-up:** z', '**Total:** 3 days')
    expect(wrapped.phases[1]?.description).toBe('y')
    expect(wrapped.unused.map((line) => line.text)).toEqual(['**Wrap-up:** z', '**Total:** 3 days'])
    const numbered = bold('1. **Phase 1 — A**\n2. **Phase 2 — B** text\n6. **Follow-up (out of scope)**')
    expect(numbered.phases[1]?.description).toBe('text')
    expect(numbered.unused.map((line) => line.text)).toEqual(['6. **Follow-up (out of scope)**'])
  })

  it('fields of a phase stay with the last one too', () => {
    const reading = bold('**Phase 1 — A.** x', '**Goal:** one', '**Phase 2 — B.** y', '**Goal:** two')
    expect(reading.phases[1]?.description).toBe('y\n\n**Goal:** two')
    expect(reading.unused).toEqual([])
  })

  it('a cell that opens in bold is named by its bold text', () => {
    const table = '| # | Phase |\n|---|---|\n| 1 | **Core** — the base |\n| 2 | UI |'
    expect(bold(table).phases.map((phase) => phase.name)).toEqual(['Core', 'UI'])
  })

  it('a wrapped list item is one name', () => {
    const reading = bold('1. Write types for\n   the parser. Then go\n2. **Parse\n   it**: now')
    expect(reading.alternative?.map((phase) => phase.name)).toEqual([
      'Write types for the parser',
      'Parse it',
    ])
    expect(reading.alternative?.[0]?.description).toBe('Write types for\nthe parser. Then go')
  })

  it('a label that is said twice is said once', () => {
    const reading = readSpec('## Implementation Order\n### Phase 1: Phase 1: X\n### Phase 2: See Phase 3.5\n')
    expect(reading.phases.map((phase) => phase.name)).toEqual(['X', 'See Phase 3.5'])
  })

  it('milestones below a chosen heading are read', () => {
    const text = '# T\n\n## Work\n\n### Milestone 1: X\n\nText.\n\n### Milestone 2: Y\n'
    const reading = readSpecAt(text, 3)
    expect(reading.phases.map((phase) => phase.name)).toEqual(['X', 'Y'])
    expect(reading.phases[0]?.description).toBe('Text.')
    expect(readSpec(text).phases).toEqual([])
  })

  it('lines that look like phases in code, quotes and other sections are told with why', () => {
    const reading = readSpec(
      [
        '## Implementation Order',
        '### Phase 1: A',
        '```',
        '### Phase 8: in code',
        '```',
        '> ### Phase 9: quoted',
        '',
        '- **Phase 1:** mentioned',
        '### Phase 2: B',
        '## Later',
        '**Phase 5: more**',
      ].join('\n'),
    )
    expect(reading.phases.map((phase) => phase.label)).toEqual(['1', '2'])
    expect(reading.unread.map(({ line, reason, lost }) => [line, reason, lost])).toEqual([
      [4, 'it stands in a code block', false],
      [6, 'it stands in a quote', true],
      [8, 'it stands in the text of phase 1', false],
      [11, 'it stands outside of the section', true],
    ])
    expect(reading.asks).toBe(true)
  })

  it('phases in a fence that holds the beginning of another one are lost', () => {
    const reading = readSpec(
      '## Implementation Order\n### Phase 1: A\n```js\nx\n\n### Phase 2: B\n```sh\ny\n```\n### Phase 3: C\n',
    )
    expect(reading.overlooked).toEqual([{ line: 6, text: '### Phase 2: B' }])
    expect(reading.asks).toBe(true)
  })
})

describe('plans', () => {
  it.each(['emoji', 'boldtask', 'phase', 'fullwidth', 'status', 'comment', 'nested'])(
    '%s: three tasks and nothing to ask',
    (name) => {
      expect(plan(name).tasks.map(({ id, title }) => [id, title])).toEqual([
        ['1', 'Model'],
        ['2', 'Store'],
        ['3', 'Show'],
      ])
      expect(plan(name)).toMatchObject({ asks: [], unread: [], checkpointCount: 1, declaredTasks: 3 })
    },
  )

  it('comment: the task in the comment is told', () => {
    expect(plan('comment').inComments).toEqual([{ line: 20, text: '### Task 9: Dropped' }])
  })

  it('unclosed: the fence is named with its line, and what follows is read', () => {
    expect(plan('unclosed').taskCount).toBe(3)
    expect(plan('unclosed').asks.join()).toMatch(/opens on line 13 never closes/)
  })

  it('dup: asked', () => {
    expect(plan('dup').duplicates).toEqual([{ id: '2', lines: [13, 19] }])
    expect(plan('dup').asks.join()).toContain('Task 2 stands on line 13 and again on line 19')
  })

  it('letters: "Task A" is named as unread', () => {
    const reading = plan('letters')
    expect(reading.tasks.map((task) => task.id)).toEqual(['1a', '1b'])
    expect(reading.unread).toMatchObject([{ line: 19, text: '### Task A: Show' }])
    expect(reading.asks.join()).toContain('Line 19 looks like a task')
    expect(reading.asks.join()).toContain('says 3 tasks, its headings are 2')
  })

  it.each([
    ['**Tasks:** 3', 3],
    ['**Date:** x · **Tasks:** 19', 19],
    ['**Date:** x | **Tasks:** 19 | **Time:** 3', 19],
    ['**Tasks:**\n19', 19],
    ['**Tasks:**\n\n19 in all', 19],
    ['- **Estimated tasks:** ~4', 4],
  ])('%j declares a number that the gate shows', (header, count) => {
    const reading = readPlan(`# Plan: x\n\n${header}\n\n### Task 1: A\n`)
    expect(reading.declaredTasks).toBe(count)
    expect(reading.asks.join()).toContain(`The plan says ${count} tasks, its headings are 1`)
  })

  it.each([
    '### Acceptance for Task 7',
    '## Task List (5 tasks)',
    '### Final Steps (after Task 9)',
    '## Tasks',
    '**Tasks:** 1',
    '- **Task 1** comes first',
  ])('is not misled by %s', (line) => {
    expect(readPlan(`# Plan: x\n\n${line}\n\n### Task 1: A\n`)).toMatchObject({ asks: [], unread: [] })
  })

  it.each([
    '##### Task 2: B',
    '# Task 2: B',
    '### Task 2 without a colon',
    '###Task 2: B',
    '**Task 2: B**',
    '### T2 — B',
    '> ### Task 2: B',
  ])('names %s as unread', (line) => {
    const reading = readPlan(`# Plan: x\n\n### Task 1: A\n\n${line}\n`)
    expect(reading.taskCount).toBe(1)
    if (line.startsWith('>')) expect(reading.unread).toEqual([])
    else expect(reading.unread).toMatchObject([{ line: 5, text: line }])
  })
})
