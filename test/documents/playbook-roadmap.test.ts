import { describe, expect, it } from 'vitest'
import { scanMarkdown } from '../../source/documents/markdown-scanner.js'
import { comparePhaseIds, normalPhaseId, paddedPhaseId } from '../../source/documents/playbook-id.js'
import { type PlaybookPhase, readPlaybookRoadmap } from '../../source/documents/playbook-roadmap.js'

const ids = (text: string) => readPlaybookRoadmap(text).phases.map(({ id }) => id)

function only(text: string): PlaybookPhase {
  const { phases } = readPlaybookRoadmap(text)
  expect(phases).toHaveLength(1)
  return phases[0] as PlaybookPhase
}

function phase(text: string, id: string): PlaybookPhase {
  const found = readPlaybookRoadmap(text).phases.find((one) => one.id === id)
  if (!found) throw new Error(`no phase ${id}`)
  return found
}

const dependsOn = (value: string, others = [1, 2, 3, 11, 13, 24, 25, 26, 27]) =>
  phase(
    `${others.map((id) => `### Phase ${id}: A\n`).join('')}### Phase 99: Last\n**Depends on**: ${value}\n`,
    '99',
  ).dependsOn

describe('ids', () => {
  it('are one segment by segment', () => {
    expect(normalPhaseId('02.7')).toBe('2.7')
    expect(normalPhaseId('12a')).toBe('12A')
    expect(normalPhaseId('v0.9-01')).toBe('V0.9-1')
    expect(normalPhaseId('3rd')).toBeUndefined()
    expect(paddedPhaseId('2.1')).toBe('02.1')
    expect(paddedPhaseId('V0.9-1')).toBe('V0.9-01')
  })

  it('are ordered by their numbers', () => {
    const sorted = ['12A', '2.10', '12', '2', '2.2', '2.1', '10'].sort(comparePhaseIds)
    expect(sorted).toEqual(['2', '2.1', '2.2', '2.10', '10', '12', '12A'])
  })
})

describe('front matter that never closes', () => {
  it.each([
    ['sections', '# Roadmap\n\n### Phase 1: A\n**Goal**: a\n\n---\n\n### Phase 2: B\n**Goal**: b\n'],
    ['a list', '# Roadmap\n\n- [x] **Phase 1: A**\n\n---\n\n- [x] **Phase 2: B**\n'],
    ['no rule at all', '### Phase 1: A\n\n### Phase 2: B\n'],
  ])('loses no phase of %s, and is told', (_, rest) => {
    const found = readPlaybookRoadmap(`---\nmilestone: v1\n\n${rest}`)
    expect(found.phases.map(({ id }) => id)).toEqual(['1', '2'])
    expect(found.warnings[0]).toBe(
      'The front matter that opens on line 1 never closes; what follows it is read.',
    )
  })

  it('is none where only comments of YAML stand in it', () => {
    const found = readPlaybookRoadmap('---\n# Phase 3: old\nmilestone: v1\n---\n### Phase 1: A\n')
    expect(found.phases.map(({ id }) => id)).toEqual(['1'])
    expect(found.warnings.join()).not.toContain('never closes')
  })
})

describe('phases', () => {
  it('are headings of level 2 to 4 with a colon or a dash', () => {
    const text =
      '## Phase 1: A\n### Phase 2 - B\n#### Phase 3 — C\n##### Phase 4: D\n### Phase 5 Details\n### Phase-6: F\n'
    expect(ids(text)).toEqual(['1', '2', '3'])
  })

  it.each([
    ['### Phase 4. Name', '4', 'Name'],
    ['## Phase 02. Home page', '2', 'Home page'],
    ['### Phase 2.5. Review', '2.5', 'Review'],
    ['### **Phase 4. Name**', '4', 'Name'],
    ['- [x] **Phase 4.** Name', '4', 'Name'],
    ['- [ ] **Phase 4** Name', '4', 'Name'],
    ['- [ ] Phase 4. Name', '4', 'Name'],
    ['### Phase 4 − Name', '4', 'Name'],
    ['### Phase 4 ― Name', '4', 'Name'],
    ['### Phase 4：Name', '4', 'Name'],
    ['### Phase 4 | Name', '4', 'Name'],
    ['### Phase 3 (completed) — Name', '3', 'Name'],
    ['### Phase 3 (v1.1): Name', '3', 'Name'],
    ['### [x] Phase 4: Name', '4', 'Name'],
    ['### `Phase 4`: Name', '4', 'Name'],
    ['### [Phase 4: Name](phases/04.md)', '4', 'Name'],
    ['### Phase 4: Name (2 plans, 12m 31s)', '4', 'Name'],
  ])('is read whatever stands between id and name: %s', (line, id, name) => {
    expect(only(`${line}\n`)).toMatchObject({ id, name })
    const { warnings } = readPlaybookRoadmap(`${line}\n**Goal**: x\n`)
    expect(warnings.filter((warning) => warning.includes('looks like'))).toEqual([])
  })

  it.each([
    '### Phase 4',
    '### Phase 4 Name',
    '### Phase 4 (later)',
    '### Phase 4, Name',
    '### Phase 4.Name',
    '### Phase #4: Name',
    '### Phase-4: Name',
    '### Phase 4 & 5: Both',
    '# Phase 4: Name',
    '##### Phase 4: Name',
    '### M1 Phase 4: Name',
    '### Phase IV: Name',
    '### Phase A: Name',
    '### Phase Four: Name',
    '- [ ] Phase 4 Name',
    '**Phase 4: Name**',
    'Phase 4: Name\n-------------',
  ])('that is not read is told with its line: %s', (line) => {
    const { phases, warnings } = readPlaybookRoadmap(`### Phase 1: A\n**Goal**: x\n\n${line}\n\ntext\n`)
    expect(phases.map(({ id }) => id)).toEqual(['1'])
    expect(warnings).toEqual([expect.stringMatching(/^Line 4 looks like a phase and is not read as one: /)])
  })

  it.each([
    '### Phase Details',
    '### Phases 1–6',
    '### Phase 4-9: all of them',
    '### Phase 1 in detail',
    '### ~~Phase 4. Name~~',
    '- Phase 1: A, again',
    'Phase 4 depends on what comes before.',
    '```\n### Phase 4\n```',
    '<details>\n<summary>v1 shipped</summary>\n\n### Phase 4 Name\n\n</details>',
  ])('is not seen in what names none, or one that is known: %s', (line) => {
    const { warnings } = readPlaybookRoadmap(`### Phase 1: A\n**Goal**: x\n\n${line}\n\ntext\n`)
    expect(warnings).toEqual([])
  })

  it('are list lines with a box, whatever their marks', () => {
    const text =
      '- [ ] **Phase 1: A** - first\n* [x] Phase 2: B\n- [~] **Phase 2.1: C** (INSERTED)\n- Phase 3: D\n'
    const { phases } = readPlaybookRoadmap(text)
    expect(phases.map(({ id, name, checkbox, inserted }) => [id, name, checkbox, inserted])).toEqual([
      ['1', 'A', 'open', false],
      ['2', 'B', 'done', false],
      ['2.1', 'C', 'partial', true],
    ])
    expect(phases[0]?.description).toBe('first')
  })

  it('are no ranges', () => {
    expect(ids('- [x] **Phase 1-11**: all\n- [x] Phase 1–11: all\n### Phases 1-3: x\n')).toEqual([])
  })

  it('in a fence, a comment or a quote are none', () => {
    expect(
      ids('```\n### Phase 1: A\n```\n<!--\n### Phase 2: B\n-->\n> ### Phase 3: C\n### Phase 4: D\n'),
    ).toEqual(['4'])
  })

  it('that are struck through are none, and end the one before', () => {
    const text =
      '### Phase 3: A\n**Goal**: g\n### ~~Phase 4: B~~\n**Goal**: other\n**Success Criteria**:\n1. x\n'
    expect(only(text)).toMatchObject({ id: '3', goal: 'g', criteria: [] })
    expect(ids('- [ ] ~~**Phase 4: B**~~\n')).toEqual([])
  })

  it('lose counters and words on how far they are, and nothing else', () => {
    const names = [
      'Foundation (INSERTED)',
      'Foundation (3/3 plans)',
      'Foundation - COMPLETE',
      'Foundation (completed 2026-02-20)',
      'Foundation ✅',
      'Foundation — DONE (2/2 plans)',
      'Foundation ✅ COMPLETE (2026-02-01)',
      'Foundation DONE [2026-02-01]',
      'Foundation {#phase-1}',
      'Foundation *(INSERTED)*',
      'Foundation :white_check_mark:',
      '**Foundation**',
    ]
    for (const name of names) expect(only(`### Phase 1: ${name}\n`).name).toBe('Foundation')
    expect(only('### Phase 1: Complete the Done list (REQ-1)\n').name).toBe('Complete the Done list (REQ-1)')
  })

  it('lose what stands in the parentheses of a counter, whatever dashes are in it', () => {
    const line = '- [x] Phase 10: Store submission (3/3 plans — plan 10-02 by hand) — completed 2026-01-01'
    expect(only(line)).toMatchObject({ name: 'Store submission', description: '' })
    expect(only('- [x] Phase 7.1: Gap (1/1 plan, INSERTED after the audit)')).toMatchObject({
      name: 'Gap',
      inserted: true,
    })
    expect(only('### Phase 7.2: Gap (INSERTED — urgent)')).toMatchObject({ name: 'Gap', inserted: true })
    expect(only('- [ ] Phase 8: Cache (disk — first) — keeps pages')).toMatchObject({
      name: 'Cache (disk — first)',
      description: 'keeps pages',
    })
  })

  it('have criteria with the marks of other keyboards, and no divider in a field', () => {
    const text =
      '### Phase 1: A\n**Goal**: Release | **Depends on**: None · **Plans**: 1\n**Success Criteria**：\n1．起動する\n2）記録する\n3、三つ目\n• four\n'
    expect(only(text)).toMatchObject({
      goal: 'Release',
      criteria: ['起動する', '記録する', '三つ目', 'four'],
    })
  })

  it.each([
    ['a)', 'b)'],
    ['(1)', '(2)'],
    ['A.', 'B.'],
  ])('have criteria marked %s at the margin', (one, two) => {
    const text = `### Phase 1: A\n**Success Criteria**:\n${one} One is there\n${two} Two is there\n\n**Plans**: 1\n`
    expect(only(text).criteria).toEqual(['One is there', 'Two is there'])
  })

  it('end at the next one, and at a heading of their level', () => {
    const text =
      '### Phase 1: A\n#### Notes\ntext\n## Other\n**Goal**: not mine\n### Phase 2: B\n**Goal**: b\n'
    expect(phase(text, '1').goal).toBe('')
    expect(phase(text, '2').goal).toBe('b')
  })

  it('are one of list and section, and the section counts', () => {
    const text = '- [x] **Phase 1: Old name** - about\n\n### Phase 01: New name\n**Goal**: g\n'
    expect(only(text)).toMatchObject({
      id: '1',
      name: 'New name',
      checkbox: 'done',
      line: 3,
      description: 'about',
    })
  })

  it('without a list line, with gaps, deep ids, other alphabets and BOM are read', () => {
    const text = '\uFEFF### Phase 02.1.1: Überblick\r\n**Goal**: größer\r\n### Phase 9: 計画\r\n'
    expect(
      readPlaybookRoadmap(text).phases.map(({ id, name, goal, checkbox }) => [id, name, goal, checkbox]),
    ).toEqual([
      ['2.1.1', 'Überblick', 'größer', null],
      ['9', '計画', '', null],
    ])
  })
})

describe('fields', () => {
  it('are bold or plain, in lists or not, with the colon inside or behind', () => {
    const forms = [
      '**Goal:** x',
      '**Goal**: x',
      'Goal: x',
      '- **Goal:** x',
      '  - Goal: x',
      '**Goal** (why): x',
      '__Goal__: x',
    ]
    for (const form of forms) expect(only(`### Phase 1: A\n${form}\n`).goal).toBe('x')
  })

  it('go on to the next field or blank line', () => {
    expect(only('### Phase 1: A\n**Goal**: one\ntwo\n\nthree\n').goal).toBe('one two')
  })

  it('may be headings', () => {
    const text = '### Phase 1: A\n#### Goal\n\nbe there\n\n#### Success Criteria\n1. a\n2. b\n'
    expect(only(text)).toMatchObject({ goal: 'be there', criteria: ['a', 'b'] })
  })

  it('of criteria are all list items, over blanks and at any indent', () => {
    const text =
      '### Phase 1: A\n**Success Criteria** (what must be TRUE):\n  1. a\n\n     2. b\n- [ ] c\n   more\nend\n- d\n'
    expect(only(text).criteria).toEqual(['a', 'b', 'c more'])
  })

  it('a plain Plans right after the criteria lists plans, never criteria', () => {
    const text =
      '### Phase 1: A\n**Success Criteria**:\n  1. a\nPlans:\n- [ ] 01-01: x\n- [x] 01-02-PLAN.md — y\n'
    expect(only(text)).toMatchObject({ criteria: ['a'], plans: ['01-01', '01-02'] })
  })

  it('a label deeper than its own is a part of a criterion', () => {
    const text =
      '### Phase 1: A\nSuccess Criteria:\n  - Plans: can be made\n  - **Mode**: dark\n**Plans**: 2 plans\n'
    expect(only(text)).toMatchObject({ criteria: ['Plans: can be made', '**Mode**: dark'], planCount: 2 })
  })

  it('that are items end at the next item beside them, where their list is on their line or below it', () => {
    const inline =
      '### Phase 1: A\n- **Success Criteria**: It runs\n- **Tasks**:\n  - [ ] Write it\n- **Deliverables**: a file\n- **Depends on**: Phase 2\n### Phase 2: B\n'
    expect(phase(inline, '1')).toMatchObject({
      criteria: ['It runs'],
      dependsOn: ['2'],
      extra: { Tasks: 'Write it', Deliverables: 'a file' },
    })
    const nested =
      '### Phase 1: A\n- **Success Criteria**:\n  1. It runs\n  2. It ends\n- **Risk**: none\n- More\n'
    expect(only(nested).criteria).toEqual(['It runs', 'It ends'])
    expect(only('### Phase 1: A\n- **Success Criteria**:\n- It runs\n- **Login**: works\n').criteria).toEqual(
      ['It runs', '**Login**: works'],
    )
  })

  it('may stand in italics', () => {
    expect(only('### Phase 1: A\n*Goal: All of it works.*\n\n_Mode_: mvp\n')).toMatchObject({
      goal: 'All of it works.',
      mode: 'mvp',
    })
  })

  it('have full-width colons and parentheses where people write so', () => {
    const text =
      '### Phase 2：基础\n**Goal**：能用\n**Depends on**：Phase 1（先做，见 Phase 9）\n**Success Criteria**（必须为真）：\n1. 能登录\n**Plans**：2 plans\n### Phase 1: A\n'
    expect(phase(text, '2')).toMatchObject({
      goal: '能用',
      dependsOn: ['1'],
      criteria: ['能登录'],
      planCount: 2,
    })
  })

  it('of plans may list them behind their number, and have letters', () => {
    const plans = (value: string) => {
      const { plans: ids, planCount } = only(`### Phase 39: A\n**Plans:** ${value}\n`)
      return [ids, planCount]
    }
    expect(plans('2 plans — [x] 39-01, [ ] 39-02')).toEqual([['39-01', '39-02'], 2])
    expect(plans('3 plans (39-01 to 39-03)')).toEqual([['39-01', '39-02', '39-03'], 3])
    expect(plans('4/4 plans complete, seen 2026-04-02')).toEqual([[], 4])
    expect(plans('2 plans\n- [x] 39-01-PLAN.md — a\n- [ ] 39-01b-PLAN.md — b')).toEqual([
      ['39-01', '39-01b'],
      2,
    ])
  })

  it('of plans are numbers, words, ids, with waves between', () => {
    const count = (value: string) => only(`### Phase 22: A\n**Plans**: ${value}\n`)
    expect(count('3 plans').planCount).toBe(3)
    expect(count('1/3 plans complete').planCount).toBe(3)
    expect(count('three plans').planCount).toBe(3)
    expect(count('TBD').planCount).toBeNull()
    expect(count('22-01, 22-02').plans).toEqual(['22-01', '22-02'])
    expect(
      only(
        '### Phase 22: A\nPlans:\n**Wave 1**\n- [ ] 22-01: a\n\nWave 2 *(after 1)*\n- [ ] [22-02-PLAN.md](x)\n',
      ).plans,
    ).toEqual(['22-01', '22-02'])
  })

  it.each([
    [
      'behind words on gaps',
      '**Plans**: 3 plans\n- [x] 22-01: a\n\n**Gap closure (wave 2)** *(of the check)*\n\n',
    ],
    ['behind another field', '**Plans**: 3 plans\n**UI hint**: yes\n\n**Wave 1**\n\n- [x] 22-01: a\n'],
    [
      'behind a number that goes on below',
      '**Plans**: 3 plans in two waves, for both\ntouch one file.\n\n- [x] 22-01: a\n',
    ],
    ['behind a label of its own', '**Plans:** 1/3 plans\n\n**Plan list:**\n\n- [x] 22-01: a\n'],
  ])('of plans are all that have a box, %s', (_, before) => {
    const found = only(
      `### Phase 22: A\n**Success Criteria**:\n1. it runs\n\n${before}- [ ] 22-02-PLAN.md — b\n- [ ] Plan 22-03: c\n- [ ] 23-01: not its own\n- [ ] write it\n`,
    )
    expect(found.plans).toEqual(['22-01', '22-02', '22-03'])
    expect(found.criteria).toEqual(['it runs'])
    expect(found.description).not.toContain('22-02')
  })

  it('glued labels keep their number', () => {
    expect(only('### Phase 1: A\n**Plans:** 6 plansPlans:\n- [ ] 01-01: a\n')).toMatchObject({
      planCount: 6,
      plans: ['01-01'],
    })
  })

  it('plans of another phase are left out and told', () => {
    const found = only('### Phase 1: A\nPlans:\n- [ ] 01-01: a\n- [ ] 02-01: b\n')
    expect(found.plans).toEqual(['01-01'])
    expect(found.warnings.join()).toContain('02-01')
  })

  it('of other names are kept beside', () => {
    expect(only('### Phase 1: A\n**Research**: Unlikely\n**UI hint**: yes\n')).toMatchObject({
      extra: { Research: 'Unlikely' },
      uiHint: 'yes',
    })
  })
})

describe('dependencies', () => {
  it.each([
    ['Phase 24 (v2.1 complete)', ['24']],
    ['None (commits cf57bad..)', []],
    ['PR #12', []],
    ['Phases 25, 26, and 27 (all)', ['25', '26', '27']],
    ['Phase 11 + Phase 13', ['11', '13']],
    ['Phase 3 (..). *Phase 4 is gone.*', ['3']],
    ['Nothing (first phase)', []],
    ['N/A', []],
    ['—', []],
    ['1, 2', ['1', '2']],
    ['Phases 1-3', ['1', '2', '3']],
    ['Phase 1 through 3', ['1', '2', '3']],
    ['Phase 1/2 & 3', ['1', '2', '3']],
    ['Phase 2; Phase 3', ['2', '3']],
    ['All previous phases', ['1', '2', '3', '11', '13', '24', '25', '26', '27']],
  ])('%s', (value, expected) => {
    expect(dependsOn(value)).toEqual(expected)
  })

  it.each([
    ['Phase 2 | **Unlocks:** Phase 3', ['2']],
    ['Phases 1, 2 · **Blocks:** Phase 3', ['1', '2']],
    ['Phase 2, blocks Phase 3', ['2']],
    ['Phase 1 (not Phase 2), must be done before Phase 3', ['1']],
    ['Phase 2, independent of Phase 3', ['2']],
    ["Phase 2; see also Phase 3's notes", ['2']],
    ['Phase 2 (see Phase 5) and Phase 3', ['2', '3']],
    ['See Phase 2', ['2']],
    ['Phase 2 plan 02-03', ['2']],
    ['03-01, 02-03', ['3', '2']],
    ['Phase 24-02', ['24']],
    ['Phases 01-03', ['1', '2', '3']],
    ['Phase 2, 3 plans', ['2']],
    ['Phase 1 | Phase 2', ['1', '2']],
  ])('of "%s" are those that it waits for', (value, ids) => {
    expect(dependsOn(value)).toEqual(ids)
  })

  it('that are unknown are told, and met only where they are shipped', () => {
    const { phases, warnings } = readPlaybookRoadmap(
      '- ✅ **v1.0** — Phases 1-4 (shipped 2026-01-01)\n### Phase 5: A\n**Depends on**: Phase 4, Phase 9\n',
    )
    expect(phases[0]?.dependsOn).toEqual(['4', '9'])
    expect(warnings.join('\n')).toMatch(/phase 4, which is not in the roadmap any more and counts as shipped/)
    expect(warnings.join('\n')).toMatch(/phase 9, which is not in the roadmap\./)
  })

  it('on itself are dropped', () => {
    expect(dependsOn('Phase 99, Phase 1')).toEqual(['1'])
  })

  it('in a circle are told, and nothing runs', () => {
    const read = readPlaybookRoadmap(
      '### Phase 1: A\n**Depends on**: Phase 2\n### Phase 2: B\n**Depends on**: Phase 1\n',
    )
    expect(read.cycle).toEqual(['1', '2', '1'])
    expect(read.order).toEqual([])
  })
})

describe('what is done', () => {
  const details = (summary: string) =>
    `<details>\n<summary>${summary}</summary>\n\n- [ ] **Phase 1: A**\n\n</details>\n\n- [ ] **Phase 2: B**\n### Phase 2: B\n`

  it('is in a shipped fold, and its open box is told', () => {
    const read = readPlaybookRoadmap(details('✅ v1.0 MVP (Phases 1-1) - SHIPPED 2026-01-01'))
    expect(read.phases.map(({ shipped }) => shipped)).toEqual([true, false])
    expect(read.warnings.join()).toContain('its box is open')
    expect(read.order).toEqual(['2'])
  })

  it.each(['v1.0 (In Progress)', '📋 v1.0 PLANNING', 'v1.0 - 80% complete', 'v1.0 planned'])(
    'is not in "%s"',
    (summary) => {
      expect(readPlaybookRoadmap(details(summary)).phases[0]?.shipped).toBe(false)
    },
  )

  it.each([
    'v1.2 Open Access (Phases 1-1) — SHIPPED 2026-03-01',
    '✅ v2 Next Generation — done',
    'v0.9 Draft Mode | completed 2025-11',
    'Completed milestones',
    'v3 (archived)',
  ])('is in "%s"', (summary) => {
    expect(readPlaybookRoadmap(details(summary)).phases[0]?.shipped).toBe(true)
  })

  it.each([
    'v1.2 Complete Editor Rewrite',
    'v2 Done Right',
    'v1.0 Active (3 of 5 shipped)',
    'v1 draft, done soon',
  ])('is not in "%s", which is what the part is called or how far it is', (summary) => {
    expect(readPlaybookRoadmap(details(summary)).phases[0]?.shipped).toBe(false)
  })

  it('is not what the title of the whole says of itself', () => {
    expect(only('# Roadmap: Ledger — v2 Complete Rewrite\n## Phases\n### Phase 1: A\n').shipped).toBe(false)
  })

  it('is what a shipped fold lists, where its section stands outside', () => {
    const text =
      '<details>\n<summary>v1 — SHIPPED</summary>\n\n- [x] **Phase 1: Parser core**\n</details>\n\n### Phase 1: Parser core\n**Goal**: Parse.\n'
    expect(only(text)).toMatchObject({ shipped: true, checkbox: 'done', goal: 'Parse.' })
  })

  it('is not a new phase that has the id of a shipped one', () => {
    const text =
      '<details>\n<summary>v1 — SHIPPED</summary>\n\n- [x] **Phase 1: Parser core**\n</details>\n\n### Phase 1: Billing\n**Goal**: Bill.\n'
    expect(only(text)).toMatchObject({ name: 'Billing', shipped: false, checkbox: null })
    expect(readPlaybookRoadmap(text).order).toEqual(['1'])
  })

  it('is below a milestone that says so, and ends with it', () => {
    const text = '### Milestone 1 (Complete)\n#### Phase 1: A\n### Milestone 2 (Active)\n#### Phase 2: B\n'
    expect(readPlaybookRoadmap(text).phases.map(({ shipped }) => shipped)).toEqual([true, false])
  })

  it('a list without sections: all ticked is done, open is malformed', () => {
    expect(readPlaybookRoadmap('- [x] Phase 1: A\n- [x] Phase 2: B\n')).toMatchObject({
      malformed: false,
      order: [],
    })
    const open = readPlaybookRoadmap('- [x] Phase 1: A\n- [ ] Phase 2: B\n')
    expect(open.malformed).toBe(true)
    expect(open.warnings.join()).toContain('malformed_roadmap')
  })

  it('of an id that stands twice the milestone of the project decides, then what is not shipped, then the first', () => {
    const text =
      '## v1.0 (shipped)\n### Phase 1: Old\n## v2.0\n### Phase 1: New\n## v3.0\n### Phase 1: Newest\n'
    expect(only(text)).toMatchObject({ name: 'New' })
    expect(only(text).warnings.join()).toContain('lines 2, 4, 6')
    expect(readPlaybookRoadmap(text, { milestone: 'v3.0' }).phases[0]?.name).toBe('Newest')
  })
})

describe('what stands below a line or heading of a part', () => {
  it('of a list line belongs to its phase, where its section does not say it', () => {
    const text =
      '- [ ] **Phase 06: Store** — disks.\n  **Plans:** 2 plans\n  - [ ] 06-01-PLAN.md — Files\n  - [ ] 06-02-PLAN.md — Index\n\n  - Depends on: Phase 5\n- [ ] **Phase 07: Net**\n\n### Phase 06: Store\n**Goal:** Keep.\n### Phase 07: Net\n**Goal:** Send.\n'
    const [store, net] = readPlaybookRoadmap(text).phases
    expect(store).toMatchObject({ plans: ['06-01', '06-02'], planCount: 2, dependsOn: ['5'], goal: 'Keep.' })
    expect(net).toMatchObject({ plans: [], dependsOn: [] })
  })

  it('of a plan within a section is not the phase itself', () => {
    const text =
      '### Phase 1: Site\n**Success Criteria**:\n1. All pages load\n#### Plan 1.1: Pages\n**Goal**: One page\n**Success Criteria**:\n1. A page\n2. A link\n'
    expect(only(text)).toMatchObject({ criteria: ['All pages load'], goal: 'One page' })
    expect(only('### Phase 1: Site\n#### Details\n**Success Criteria**:\n1. A\n').criteria).toEqual(['A'])
    expect(
      only('### Phase 1: Site\n#### Overview\nText\n#### Success Criteria\n1. A\n#### Plan 1\n#### Notes\n')
        .criteria,
    ).toEqual(['A'])
  })
})

describe('order', () => {
  it('is by dependencies, then by id, whatever the list says', () => {
    const text =
      'Order: 3 -> {2, 1}\n### Phase 3: C\n### Phase 10: D\n**Depends on**: Phase 3\n### Phase 2: B\n**Depends on**: Phase 10\n### Phase 1: A\n### Phase 999.1: Later\n'
    expect(readPlaybookRoadmap(text).order).toEqual(['1', '3', '10', '2'])
  })
})

it('200 phases take a small multiple of the time that the scanner takes', () => {
  const one = (id: number) =>
    `### Phase ${id}: Name ${id}\n**Goal**: ${'goal '.repeat(30)}\n**Depends on**: Phase ${id - 1}\n**Success Criteria**:\n  1. ${'a '.repeat(40)}\n  2. b\n**Plans**: 1 plan\n- [ ] ${id}-01-PLAN.md\n\n`
  const text = Array.from({ length: 200 }, (_, at) => one(at + 1)).join('')
  expect(text.length).toBeGreaterThan(70_000)
  expect(readPlaybookRoadmap(text).phases).toHaveLength(200)
  // Measured against the scanner alone, so that a slow machine is slow on both sides.
  const quickest = (act: () => unknown) =>
    Math.min(
      ...Array.from({ length: 7 }, () => {
        const before = process.cpuUsage()
        act()
        const { user, system } = process.cpuUsage(before)
        return user + system
      }),
    )
  expect(quickest(() => readPlaybookRoadmap(text))).toBeLessThan(15 * quickest(() => scanMarkdown(text)))
})

describe('paragraphs that a formatter has filled', () => {
  const filled = [
    '### Phase 1: Beds',
    '### Phase 2: Water',
    '',
    '**Goal**: Every bed is watered, and nobody has to',
    'carry a can **Depends on**: Phase 1 **Requirements**: WAT-01,',
    'WAT-02 **Success Criteria** (what must be',
    'TRUE):',
    '',
    '1. A dry bed is found',
    '2. Water stops by itself, and **Goal**: is only a word here',
    '   on two lines **Plans**: 2 plans',
    '',
    'Plans:',
    '',
    '- [ ] 02-01-PLAN.md - the pump',
    '- [x] 02-02-PLAN.md - the hose',
  ].join('\n')

  it('have their fields behind each other', () => {
    expect(phase(filled, '2')).toMatchObject({
      goal: 'Every bed is watered, and nobody has to carry a can',
      dependsOn: ['1'],
      requirements: ['WAT-01', 'WAT-02'],
      criteria: [
        'A dry bed is found',
        'Water stops by itself, and **Goal**: is only a word here on two lines',
      ],
      plans: ['02-01', '02-02'],
    })
  })
})

it('a phase that is struck through in the list and not done is given up, whatever section is left of it', () => {
  const text = (box: string) =>
    `- [${box}] ~~**Phase 1: Pond**~~ - no frogs\n- [ ] **Phase 2: Beds**\n\n### Phase 1: Pond (given up)\n**Goal**: Frogs\n\n### Phase 2: Beds\n**Goal**: Beds\n`
  expect(ids(text(' '))).toEqual(['2'])
  expect(ids(text('x')).sort()).toEqual(['1', '2'])
})

it('a range of plans names each of them', () => {
  const plansOf = (value: string) => phase(`### Phase 20: Beds\n**Plans**: ${value}\n`, '20').plans
  expect(plansOf('20-01 through 20-04 (4 plans)')).toEqual(['20-01', '20-02', '20-03', '20-04'])
  expect(plansOf('3 — `20-07`–`20-09`. All complete.')).toEqual(['20-07', '20-08', '20-09'])
  expect(plansOf('20-05 to 21-02')).toEqual(['20-05'])
})

it('a count of plans ends the criteria, though it stands deeper than their label', () => {
  const read = phase(
    '### Phase 1: Beds\n**Success Criteria**:\n\n1. **WAT-01:** They are wet\n2. **WAT-02:** They stay so\n   **Plans**: 4 plans in two waves\n\n- **Wave 1:** 01-01 the pump\n- **Wave 2:** 01-02 the hose\n',
    '1',
  )
  expect(read.criteria).toHaveLength(2)
  expect(read.planCount).toBe(4)
})

it.each(['Beds ✅ Complete', 'Beds ✓ done 2026-01-02'])('"%s" is called Beds', (name) => {
  expect(phase(`### Phase 1: ${name}\n`, '1').name).toBe('Beds')
})

it('requirements may stand in brackets, all together or one by one', () => {
  const of = (value: string) =>
    readPlaybookRoadmap(`### Phase 1: A\n**Goal**: a\n**Requirements**: ${value}\n`).phases[0]?.requirements
  expect(of('[DATA-01, DATA-02]')).toEqual(['DATA-01', 'DATA-02'])
  expect(of('DATA-01 (partial), [DATA-02]')).toEqual(['DATA-01 (partial)', 'DATA-02'])
  expect(of('[DATA-01], [DATA-02]')).toEqual(['DATA-01', 'DATA-02'])
})

it('an id alone in a link is the id of its phase', () => {
  const { phases } = readPlaybookRoadmap(
    '- [x] **[Phase 1](#one): Pond** — frogs\n- [ ] **[Phase 2](#two)**: Beds - soil\n\n### [Phase 1](one.md): Pond\n**Goal**: a\n\n### [Phase 2](two.md) — Beds\n**Goal**: b\n\n### [Phase 3: Shed](three.md)\n**Goal**: c\n',
  )
  expect(phases.map(({ id, name, checkbox }) => [id, name, checkbox])).toEqual([
    ['1', 'Pond', 'done'],
    ['2', 'Beds', 'open'],
    ['3', 'Shed', null],
  ])
})

it.each(['[/]', '[>]', '[ x ]', '[]'])('a phase behind the box "%s" is told as not read', (box) => {
  const { warnings } = readPlaybookRoadmap(`- [ ] Phase 1: Pond\n- ${box} Phase 2: Beds\n`)
  expect(warnings.filter((warning) => warning.includes('looks like a phase'))).toEqual([
    expect.stringMatching(/^Line 2 /),
  ])
  const known = readPlaybookRoadmap(`- ${box} Phase 2: Beds\n\n### Phase 2: Beds\n**Goal**: Soil\n`)
  expect(known.warnings).toEqual([])
})

it('a line that is struck through as a whole says nothing', () => {
  const read = phase('### Phase 1: Pond\n~~**Goal**: Frogs~~\n~~No fish.~~\n**Goal**: Newts\n', '1')
  expect([read.goal, read.description]).toEqual(['Newts', ''])
})

it('the description has neither the tags of a fold nor counters and marks of how far the phase is', () => {
  const of = (text: string) => phase(text, '1').description
  expect(of('### Phase 1: Pond\n<details>\n<summary>More</summary>\n\nFrogs\n\n</details>\n')).toBe(
    'More\nFrogs',
  )
  expect(of('- [ ] **Phase 1: Pond** (0/3 plans) — frogs\n')).toBe('frogs')
  expect(of('- [ ] **Phase 1: Pond** (3 plans) — frogs\n')).toBe('frogs')
  expect(of('- [x] **Phase 1: Pond** ✅ 2026-01-02\n')).toBe('')
})

it.each(['Pond ✅ 2026-01-02', 'Pond ✓ (2026-01-02)', 'Pond ✅'])('"%s" is called Pond', (name) => {
  expect(phase(`### Phase 1: ${name}\n`, '1').name).toBe('Pond')
})

it('the section of a phase ends with the fold that it stands in', () => {
  const { phases } = readPlaybookRoadmap(
    '<details>\n<summary>v1 (shipped)</summary>\n\n### Phase 1: Pond\n**Goal**: a\n\n<details>\n<summary>More</summary>\n\nFrogs\n\n</details>\n\nFish\n\n</details>\n\n<details>\n<summary>v2</summary>\n\n**Goal**: of v2\n**Plans**: 4 plans\n\n### Phase 2: Beds\n**Goal**: b\n**Success Criteria**:\n1. `</details>` is written\n2. Wet\n</details>\nText behind.\n',
  )
  expect(phases.map(({ id, goal, description, planCount }) => [id, goal, description, planCount])).toEqual([
    ['1', 'a', 'More\nFrogs\nFish', null],
    ['2', 'b', '', null],
  ])
  expect(phases[1]?.criteria).toEqual(['`</details>` is written', 'Wet'])
})

it.each([
  'Beds [IN PROGRESS]',
  'Beds (In Progress)',
  'Beds 🔄 IN PROGRESS',
  'Beds 🔄',
  'Beds 🚧 In progress (2/3 plans)',
  'Beds ⏳ Planned',
  'Beds — IN PROGRESS',
  'Beds *(closed)*',
  'Beds *(CLOSED · MERGED — 2026-01-02)*',
  'Beds (✅ built)',
  'Beds ❌',
])('how far a phase is, marked off, is no part of its name: "%s"', (name) => {
  expect(phase(`### Phase 1: ${name}\n`, '1').name).toBe('Beds')
  expect(phase(`- [ ] **Phase 1: ${name}** - soil\n`, '1').name).toBe('Beds')
})

it.each([
  'Progress',
  'Beds in progress bars',
  'Planned parenthood',
  'Beds (planned by hand)',
  'Beds (closed captions)',
])('words that are marked off by nothing stay: "%s"', (name) => {
  expect(phase(`### Phase 1: ${name}\n`, '1').name).toBe(name)
})

it('a phase whose heading alone says that it is done is outstanding, which is told', () => {
  const told = (heading: string) =>
    readPlaybookRoadmap(`${heading}\n**Goal**: a\n`).warnings.filter((warning) =>
      /says that it is done/.test(warning),
    )
  for (const heading of ['## ✅ Phase 1 — Beds', '### Phase 1: Beds ✅ COMPLETE', '### Phase 1: Beds (done)'])
    expect(told(heading)).toHaveLength(1)
  expect(told('- [ ] Phase 1: Beds\n\n### Phase 1: Beds ✅')).toHaveLength(1)
  expect(told('- [x] Phase 1: Beds\n\n### Phase 1: Beds ✅')).toEqual([])
  for (const heading of ['### Phase 1: Complete Beds', '### Phase 1: Done list', '### ⏳ Phase 1: Beds'])
    expect(told(heading)).toEqual([])
})

it('a line that says that one phase is done stands for it where others wait for it', () => {
  const waits = (line: string) =>
    readPlaybookRoadmap(`${line}\n\n### Phase 2: Beds\n**Goal**: b\n**Depends on**: Phase 1\n`)
  for (const line of [
    '- ✅ **Phase 1: Pond** (shipped 2026-01-02)',
    '- ✅ Phase 1 — Pond',
    '- **Phase 1: Pond** — shipped 2026-01-02',
  ]) {
    expect(waits(line).shippedRanges).toEqual([['1', '1']])
    expect(waits(line).warnings.join()).toContain('counts as shipped')
  }
  for (const line of [
    '- **Phase 1: Pond** — in progress',
    '- ⏳ Phase 1 — Pond',
    '- Phase 1: ship a complete pond',
    '- 🚧 **Phase 1: Pond** ✅ of plans',
  ])
    expect(waits(line).shippedRanges).toEqual([])
})

it('criteria may be the rows of a table', () => {
  const read = phase(
    '### Phase 1: Pond\n**Goal**: g\n\n**Success Criteria**:\n\n| # | Criterion | Status |\n|---|---|---|\n| 1 | Frogs come | open |\n| 2 | It holds \\| water | open |\n\n**Plans**: 2 plans\n',
    '1',
  )
  expect(read.criteria).toEqual(['Frogs come', 'It holds | water'])
  expect(read.planCount).toBe(2)
  expect(
    phase(
      '### Phase 1: Pond\n#### Success Criteria\n| Criterion | Check |\n|---|---|\n| Wet | `test -f pond.md` |\n',
      '1',
    ).criteria,
  ).toEqual(['Wet -- verified by: `test -f pond.md`'])
})

it('a count of plans that is a range, and days, are no plans of another phase', () => {
  const told = (plans: string) =>
    readPlaybookRoadmap(`### Phase 1: A\n**Goal**: a\n**Plans**: ${plans}\n`).warnings
  for (const plans of ['2-3 plans', '✅ Complete — landed by 2026-05-12', 'two, since 2026-05'])
    expect(told(plans)).toEqual([])
  expect(told('02-01, 02-02')).toHaveLength(1)
})

it.each([
  '## Fase 2: Vijver',
  '### 🚀 Fase 2 — Kern',
  '## 阶段 2：池塘',
  '### 第二阶段：池塘',
  '## Étape 2 : Étang',
  '- [ ] **Etapa 2: Lago**',
  '## Этап 2. Пруд',
])('a phase in another language is told as not read: %s', (line) => {
  const { phases, warnings } = readPlaybookRoadmap(`${line}\n\ntext\n`)
  expect(phases).toEqual([])
  expect(warnings.join('\n')).toContain('Line 1 looks like a phase and is not read as one')
  expect(
    readPlaybookRoadmap(
      `### Phase 1: A\n**Goal**: g\n\n#### About fase 2\n\n${line.replace(/[#*\-[\]]/g, '').trim()} goes on in prose.\n`,
    ).warnings,
  ).toEqual([])
})

it.each([
  ['## Phase 1: Beds *(wet)*', 'Beds (wet)'],
  ['- [ ] *Phase 1: Beds* - soil', 'Beds'],
  ['## *Phase 1: Beds*', 'Beds'],
])('stars of italics are no part of a name: %s', (line, name) => {
  expect(phase(`${line}\n`, '1').name).toBe(name)
})

describe('what a phase depends on, in other words', () => {
  it.each([
    ['~~Phase 2~~ Nothing', []],
    ['~~Phase 2~~ Phase 1', ['1']],
    ['Phase 1 (needs its store), not Phase 3', ['1']],
    ['everything above', ['1', '2', '3']],
    ['All of the above', ['1', '2', '3']],
    ['无', []],
  ])('%s', (value, ids) => {
    expect(dependsOn(value, [1, 2, 3])).toEqual(ids)
  })

  it('is told where it names no phase', () => {
    const warningsOf = (value: string) =>
      phase(`### Phase 1: A\n**Goal**: a\n**Depends on**: ${value}\n`, '1').warnings
    for (const value of ['Milestone 1', 'the work on the store'])
      expect(warningsOf(value).join()).toContain(`names no phase and counts for nothing: "${value}"`)
    for (const value of ['Nothing', 'None (first)', '—', 'N/A', 'TBD', '~~Phase 7~~', '(nothing)'])
      expect(warningsOf(value)).toEqual([])
  })
})

it('requirements end where a remark on all of them begins', () => {
  const of = (value: string) => phase(`### Phase 1: A\n**Requirements**: ${value}\n`, '1').requirements
  expect(of('[REQ-01, REQ-02] (see REQUIREMENTS.md)')).toEqual(['REQ-01', 'REQ-02'])
  expect(of('REQ-01, REQ-02 (both partial)')).toEqual(['REQ-01', 'REQ-02'])
})

it('a box behind a heading is no part of the name, and is told where no list has one', () => {
  const read = readPlaybookRoadmap('### Phase 1: Kern [x]\n**Goal**: k\n### Phase 2: Rand [ ]\n**Goal**: r\n')
  expect(read.phases.map(({ name }) => name)).toEqual(['Kern', 'Rand'])
  expect(read.warnings.join()).toContain('Phase 1: Its heading says that it is done')
})

it('plans below the line of a phase in the list are its plans where its section lists none', () => {
  const list =
    '- [ ] **Phase 1: A** - a\n  - [ ] 01-01-PLAN.md - do\n  - [x] 01-02-PLAN.md - did\n\n### Phase 1: A\n'
  expect(only(list).plans).toEqual(['01-01', '01-02'])
  expect(only(`${list}**Plans**: 1 plan\n- [ ] 01-03: x\n`).plans).toEqual(['01-03'])
})
