import { describe, expect, it } from 'vitest'
import { readSpec, readSpecAt, type SpecReading } from '../../source/documents/spec.js'

function phases(reading: SpecReading): [id: string, name: string, complexity: string, line: number][] {
  return reading.phases.map((phase) => [phase.id, phase.name, phase.complexity, phase.line])
}

const literal = `# Mail rules

## Implementation Order

Three steps.

### Phase 1: Rule parser

<!-- complexity: low -->

Parse \`rules\`.

#### Notes

More.

### Dependency Graph

1 before 2.

### Phase 2: UI & \`cli\` (first part) — see Phase 3.5 <!-- complexity: high -->

Draw it.

## Later

### Phase Boundaries
`

describe('literal reading', () => {
  it('reads name, complexity, line and description of each phase', () => {
    const reading = readSpec(literal)
    expect(reading.reading).toBe('literal')
    expect(reading.title).toBe('Mail rules')
    expect(reading.section).toEqual({ title: 'Implementation Order', line: 3 })
    expect(phases(reading)).toEqual([
      ['1', 'Rule parser', 'low', 7],
      ['2', 'UI & `cli` (first part) — see Phase 3.5', 'high', 21],
    ])
    expect(reading.phases.map((phase) => phase.number)).toEqual([1, 2])
    expect(reading.phases[0]?.description).toContain('#### Notes\n\nMore.')
    expect(reading.phases[0]?.description).not.toContain('1 before 2.')
    expect(reading.phases[1]?.description).toBe('Draw it.')
  })

  it('lists other headings of the section as unused, and nothing behind it', () => {
    expect(readSpec(literal).unused).toEqual([{ line: 17, text: '### Dependency Graph' }])
    expect(readSpec(literal).warnings).toEqual([])
  })

  it('reads the same with CRLF and a BOM', () => {
    const windows = readSpec(`\uFEFF${literal.replaceAll('\n', '\r\n')}`)
    expect(phases(windows)).toEqual(phases(readSpec(literal)))
    expect(windows.reading).toBe('literal')
  })

  it('demands the exact section and the exact phase heading', () => {
    const with1 = (section: string, phase: string) =>
      readSpec(`${section}\n${phase}\n\n### Phase 2: B\n`).reading
    expect(with1('## Implementation Order  ', '### Phase 1: A')).toBe('literal')
    expect(with1('## Implementation order', '### Phase 1: A')).toBe('spelling')
    expect(with1('## Implementation Order (draft)', '### Phase 1: A')).toBe('spelling')
    expect(readSpec('## Implementation Order\n### Phase 1 - A\n### Phase 2:B\n').reading).toBe('headings')
  })

  it('is not misled by phases in a fence before the real ones', () => {
    const reading = readSpec(
      '## Implementation Order\n\n````md\n### Phase 1: No\n```\n### Phase 2: No\n```\n### Phase 3: No\n````\n\n### Phase 1: Yes\n\n```\n<!-- complexity: high -->\n```\n\n### Phase 2: Also\n',
    )
    expect(phases(reading)).toEqual([
      ['1', 'Yes', 'medium', 11],
      ['2', 'Also', 'medium', 17],
    ])
  })

  it('lists every line of a plan that is drawn in a fence or told line by line, and no sentence that goes on', () => {
    const lines = ['Phase 8: Logs', 'Phase 9: Numbers', '', 'Phase 10: Bills']
    const unread = (text: string) => readSpec(text).unread.map(({ line }) => line)
    const drawn = ['## Implementation Order', '', '```', ...lines, '```'].join('\n')
    expect(unread(drawn)).toEqual([4, 5, 7])
    const told = ['## Notes', '', ...lines, '', '## Implementation Order', '', '### Phase 1: A', ''].join(
      '\n',
    )
    expect(unread(told)).toEqual([3, 4, 6])
    const prose = [
      '## Implementation Order',
      '',
      '### Phase 1: A',
      '',
      'It waits for',
      'Phase 2 — a part of it.',
      '',
    ].join('\n')
    expect(unread(prose)).toEqual([])
  })

  it('is not misled by a whole section in a fence', () => {
    const reading = readSpec(`~~~\n## Implementation Order\n### Phase 1: No\n~~~\n${literal}`)
    expect(reading.section?.line).toBe(7)
    expect(reading.warnings).toEqual([])
  })

  it('says that a fence never closes', () => {
    const reading = readSpec('## Implementation Order\n### Phase 1: A\n```\n### Phase 2: B\n')
    expect(reading.phases.map((phase) => [phase.name, phase.on])).toEqual([
      ['A', true],
      ['B', true],
    ])
    expect(reading.warnings[0]).toMatch(/line 3 never closes/)
    expect(reading.asks).toBe(true)
  })

  it('shows headings that look like phases but are not read', () => {
    const reading = readSpec(
      '## Implementation Order\n### Phase 1: A\n### Phase 2 — B\n### Phase 3: C\n## More\n### Phase 4: D\n',
    )
    expect(reading.phases.map((phase) => phase.name)).toEqual(['A', 'B', 'C'])
    expect(reading.asks).toBe(true)
    expect(reading.overlooked).toEqual([{ line: 6, text: '### Phase 4: D' }])
    expect(reading.unread).toMatchObject([{ line: 6, reason: 'it stands outside of the section' }])
    expect(reading.warnings.filter((warning) => warning.includes('looks like a phase'))).toHaveLength(1)
  })

  it('names a phase that has no name', () => {
    const reading = readSpec(
      '## Implementation Order\n### Phase 1: <!-- complexity: low -->\n### Phase 2: B\n',
    )
    expect(phases(reading)[0]).toEqual(['1', 'Phase 1', 'low', 2])
    expect(reading.warnings[0]).toMatch(/no name/)
  })
})

describe('complexity', () => {
  const read = (body: string) =>
    readSpec(`## Implementation Order\n### Phase 1: A\n${body}\n### Phase 2: B\n`)

  it.each([
    ['on its own line', '\n<!-- complexity: high -->\n', 'high'],
    ['without blanks', '<!--complexity:high-->', 'high'],
    ['at the end of a body line', 'Text. <!-- complexity: low -->', 'low'],
    ['in a list item', '- item\n  <!-- complexity: low -->', 'low'],
    ['below a deeper heading', '#### Steps\n<!-- complexity: high -->', 'high'],
    ['in capitals', '<!-- Complexity: HIGH -->', 'high'],
    ['absent', 'Text.', 'medium'],
    ['in a fence', '```\n<!-- complexity: high -->\n```', 'medium'],
    ['talked about in a code span', 'Write `<!-- complexity: high -->` here.', 'medium'],
  ])('is read %s', (_, body, complexity) => {
    const reading = read(body)
    expect(reading.phases[0]?.complexity).toBe(complexity)
    expect(reading.phases[1]?.complexity).toBe('medium')
    expect(reading.warnings).toEqual([])
  })

  it('takes the first of several and says so', () => {
    const reading = read('<!-- complexity: low -->\n<!-- complexity: high -->')
    expect(reading.phases[0]?.complexity).toBe('low')
    expect(reading.warnings[0]).toMatch(/both low and high/)
  })

  it('takes prose as a hint only, and warns about an unknown word', () => {
    expect(read('(High complexity)').phases[0]?.complexity).toBe('medium')
    expect(read('(High complexity)').warnings[0]).toMatch(/only a hint/)
    expect(read('<!-- complexity: huge -->').phases[0]?.complexity).toBe('medium')
    expect(read('<!-- complexity: huge -->').warnings[0]).toMatch(/not low, medium or high/)
  })
})

describe('labels', () => {
  const warnings = (...labels: (string | number)[]) =>
    readSpec(
      `## Implementation Order\n${labels.map((label) => `### Phase ${label}: N${label}`).join('\n')}\n`,
    ).warnings

  it('are labels only: file order counts, and what is odd is said', () => {
    expect(warnings(1, 2, 3)).toEqual([])
    expect(warnings(0, 1).join()).toMatch(/start at 0/)
    expect(warnings(1, 3).join()).toMatch(/jump from 1 to 3/)
    expect(warnings(2, 1).join()).toMatch(/go back from 2 to 1/)
    expect(warnings(1, 1).join()).toMatch(/label 1 is used twice, on lines 2 and 3/)
    expect(warnings(1).join()).toMatch(/only one phase/)
    const reading = readSpec('## Implementation Order\n### Phase 0: A\n### Phase 7: B\n')
    expect(reading.phases.map((phase) => [phase.id, phase.number])).toEqual([
      ['0', 1],
      ['7', 2],
    ])
  })
})

describe('section', () => {
  it.each([
    '## implementation order',
    '## IMPLEMENTATION ORDER',
    '## Section 7: Implementation Order',
    '## 5. Implementation Order',
    '## 5 Implementation Order and rollout',
    '### Implementation Order',
    '## **Implementation Order**',
    '## Implementation Order & Phases',
    '## 🎯 **Implementation Order**',
    '## 🎯 3. Implementation Order',
    '## Recommended Implementation Order',
    '### 4.2 - Suggested implementation order (draft)',
  ])('is found as %s', (heading) => {
    const reading = readSpec(
      `# T\n\n${heading}\n\n#### Phase 1: A\n\n#### Phase 2: B\n\n# End\n#### Phase 3: C\n`,
    )
    expect(reading.section?.line).toBe(3)
    expect(reading.reading).toBe('headings')
    expect(reading.phases.map((phase) => phase.name)).toEqual(['A', 'B'])
  })

  it.each([
    '# Implementation Order',
    '##### Implementation Order',
    '## Order of implementation',
    '## Reimplementation Order',
    '## Notes on implementation order',
    '## No implementation order',
    'Implementation Order',
  ])('is not %s', (heading) => {
    const reading = readSpec(`${heading}\n\n### Phase 1: A\n`)
    expect(reading.reading).toBe('none')
    expect(reading.section).toBeNull()
    expect(reading.warnings.join()).toMatch(/no "Implementation Order" section/)
  })

  it('with more around its words counts only where there is no other', () => {
    const reading = readSpec(
      '## Recommended Implementation Order\n### Phase 1: X\n\n## Implementation Order\n### Phase 1: A\n### Phase 2: B\n',
    )
    expect(reading.section?.line).toBe(4)
    expect(reading.reading).toBe('literal')
    expect(reading.warnings.join()).not.toContain('found 2 times')
  })

  it('may be on the level of its phases', () => {
    const reading = readSpec(
      '### Implementation Order\n\n### Phase 1: A\n\n### Phase 2: B\n\n### Risks\n\n### Phase 9: no\n',
    )
    expect(reading.phases.map((phase) => phase.name)).toEqual(['A', 'B'])
  })

  it('prefers level 2, and says that there are several', () => {
    const reading = readSpec(
      '### Implementation order\n#### Phase 1: X\n\n## Implementation Order\n### Phase 1: A\n### Phase 2: B\n',
    )
    expect(reading.section?.line).toBe(4)
    expect(reading.warnings.join()).toMatch(/found 2 times; line 4 is used, not line 1/)
  })

  it('passes over an empty one', () => {
    const reading = readSpec(
      '## Implementation Order\n\n## Implementation Order\n### Phase 1: A\n### Phase 2: B\n',
    )
    expect(reading.section?.line).toBe(3)
    expect(reading.reading).toBe('literal')
  })

  it('without phases is none, with what stands in it', () => {
    const reading = readSpec('## Implementation Order\n\nFirst this, then that.\n\n- a\n')
    expect(reading).toMatchObject({ reading: 'none', section: { line: 1 }, phases: [] })
    expect(reading.unused.map((unused) => unused.line)).toEqual([3, 5])
    expect(reading.headings).toEqual([{ line: 1, level: 2, title: 'Implementation Order' }])
  })
})

describe('headings reading', () => {
  it.each([
    ['### Phase A: Name', 'A'],
    ['### Sub-Phase 5a — Name', '5a'],
    ['### Wave 1: Name', '1'],
    ['### Stage 2 - Name', '2'],
    ['### Step 3 – Name', '3'],
    ['#### Phase 1—Name', '1'],
    ['### PHASE 1: Name', '1'],
    ['### **Phase 1b: Name**', '1b'],
    ['### 4.1 Phase 1: Name', '1'],
    ['### Phase 1:Name <!-- complexity: high -->', '1'],
  ])('reads %s', (heading, id) => {
    const reading = readSpec(`## Implementation Order\n\n${heading}\n\ntext\n`)
    expect(reading.reading).toBe('headings')
    expect(phases(reading)).toEqual([[id, 'Name', heading.includes('high') ? 'high' : 'medium', 3]])
  })

  it.each([
    ['### Phase One: Name', 'One'],
    ['### Phase 1-2: Name', '1-2'],
    ['### Phases 1 & 2: Name', '1 & 2'],
    ['### Phase 2/3: Name', '2/3'],
    ['### Phase 2 of 3: Name', '2 of 3'],
    ['### Phase 1 🚀 Name', '1'],
    ['### Phase 1 (Name):', '1'],
  ])('reads the label of %s', (heading, id) => {
    const reading = readSpec(`## Implementation Order\n\n${heading}\n\ntext\n`)
    expect(phases(reading)).toEqual([[id, 'Name', 'medium', 3]])
    expect(reading.asks).toBe(true)
  })

  it('asks where a literal spec has a phase of two labels', () => {
    const reading = readSpec('## Implementation Order\n### Phase 1-2: Both\n### Phase 3: UI\n')
    expect(reading).toMatchObject({ reading: 'literal', asks: true })
    expect(reading.phases.map(({ id, name }) => [id, name])).toEqual([
      ['1-2', 'Both'],
      ['3', 'UI'],
    ])
  })

  it('does not ask where the labels of a range are phases elsewhere', () => {
    const text = '## Implementation Order\n### Phase 1: A\n### Phase 2: B\n## Time\n**Phases 1-2:** a week\n'
    expect(readSpec(text).asks).toBe(false)
  })

  it('a sign behind the label says how far a phase is', () => {
    const reading = readSpec(
      '## Implementation Order\n### Phase 1 ✅ DONE: A\n### Phase 2 ✅ B\n### Phase 3 ⏳ C\n',
    )
    expect(reading.phases.map(({ name, on }) => [name, on])).toEqual([
      ['A', false],
      ['B', false],
      ['C', true],
    ])
  })

  it.each([
    '### Phase Boundaries',
    '### Phases 1 and 2 run together',
    '### Phases 3: A',
    '### Phases',
    '### Phase 1',
    '### Step by step: how',
    '### Phase 2 Dependencies',
    '## Phase 1: A',
  ])('is not misled by %s', (heading) => {
    expect(readSpec(`## Implementation Order\n\n${heading}\n\ntext\n`).reading).toBe('none')
  })

  it('takes the highest level that has phases; steps below are text', () => {
    const reading = readSpec(
      '## Implementation Order\nIntro.\n### Wave 1 — A\n#### Step 1: x\n### Notes\nprose\n### Wave 2 — B\n',
    )
    expect(reading.phases.map((phase) => phase.name)).toEqual(['A', 'B'])
    expect(reading.phases[0]?.description).toBe('#### Step 1: x')
    expect(reading.unused).toEqual([
      { line: 2, text: 'Intro.' },
      { line: 5, text: '### Notes' },
    ])
  })
})

describe('bold readings', () => {
  it('reads paragraphs and bullets', () => {
    const reading = readSpec(
      [
        '## Implementation Order',
        'Intro.',
        '',
        '**Phase 0 — Base.** Do it. <!-- complexity: low -->',
        'More.',
        '',
        '- **Phase 1b: Two.**',
        '  - **Step 1 — inner.**',
        '* **Phase 2:** Data model. Build it.',
        '**Phase 3** — Last one',
        '<!-- complexity: high -->',
        '',
        '### Notes',
        'text',
      ].join('\n'),
    )
    expect(reading.reading).toBe('bold')
    expect(phases(reading)).toEqual([
      ['0', 'Base', 'low', 4],
      ['1b', 'Two', 'medium', 7],
      ['2', 'Data model', 'medium', 9],
      ['3', 'Last one', 'high', 10],
    ])
    expect(reading.phases[0]?.description).toContain('More.')
    expect(reading.unused).toEqual([
      { line: 2, text: 'Intro.' },
      { line: 13, text: '### Notes' },
    ])
  })

  it('joins a name that wraps', () => {
    const reading = readSpec(
      '## Implementation Order\n\n**Phase 1 — A long\nname.** Text\n\n**Phase 2 — B.**\n',
    )
    expect(reading.phases[0]).toMatchObject({ name: 'A long name', line: 3, description: 'Text' })
  })

  it('reads numbered lists of bold phases', () => {
    const reading = readSpec(
      '## Implementation Order\n\n1. **Phase 1 — Core**: text\n   <!-- complexity: high -->\n   1. **Phase 9 — inner.**\n2. **Phase 2 — Rest**\n',
    )
    expect(reading.reading).toBe('bold-numbered')
    expect(phases(reading)).toEqual([
      ['1', 'Core', 'high', 3],
      ['2', 'Rest', 'medium', 6],
    ])
    expect(reading.phases[0]?.description).toMatch(/^text\n/)
  })

  it('names each phase with what its prose hints at', () => {
    const reading = readSpec(
      '## Implementation Order\n\n**Phase 1 — Base.** (low) Do it.\n\n**Phase 2 — API.** Complexity: high\n',
    )
    expect(reading.phases.map((phase) => phase.complexity)).toEqual(['medium', 'medium'])
    expect(reading.warnings).toEqual([
      'Line 3: prose about complexity, "(low)", is only a hint; Phase 1 "Base" (line 3) is read as medium.',
      'Line 5: prose about complexity, "Complexity: high", is only a hint; Phase 2 "API" (line 5) is read as medium.',
    ])
  })

  it('is not misled by bold text of another kind', () => {
    expect(readSpec('## Implementation Order\n\n**Note:** x\n\nThen **Phase 1 — A.** comes.\n').reading).toBe(
      'none',
    )
  })
})

describe('phases in bold that are done', () => {
  it.each([
    '- **Phase 1 — Cart:** *(done)* keeps things',
    '- **Phase 1 — Cart** ✅ keeps things',
    '- **Phase 1: Cart** [completed 2030-01-02]',
    '- ~~**Phase 1: Cart**~~',
    '**~~Phase 1: Cart~~**',
    '1. ~~**Phase 1: Cart**~~',
    '- **Phase 1 ✅ BUILT** — Cart',
  ])('%s is offered, off', (line) => {
    const { phases: found } = readSpec(`## Implementation Order\n\n${line}\n`)
    expect(found.map(({ id, name, on }) => [id, name, on])).toEqual([['1', 'Cart', false]])
  })

  it.each(['- **Phase 1: Cart** (complete rewrite)', '- **Phase 1: Cart** Done when it sells'])(
    '%s is on',
    (line) => {
      expect(readSpec(`## Implementation Order\n\n${line}\n`).phases[0]?.on).toBe(true)
    },
  )
})

describe('table reading', () => {
  it('takes label and name from the first two cells', () => {
    const reading = readSpec(
      [
        '## Implementation Order',
        '',
        '| # | Phase | Scope |',
        '|---|:-----:|-------|',
        '| 1 | Core \\| base | x <!-- complexity: low --> |',
        '| **2** | **UI** | y |',
        '| A1 | `cli` | z |',
        '| Total | 3 | |',
      ].join('\n'),
    )
    expect(reading.reading).toBe('table')
    expect(phases(reading)).toEqual([
      ['1', 'Core \\| base', 'low', 5],
      ['2', 'UI', 'medium', 6],
      ['A1', '`cli`', 'medium', 7],
    ])
    expect(reading.unused).toEqual([{ line: 8, text: '| Total | 3 | |' }])
  })

  const listed = (...rows: string[]) => {
    const reading = readSpec(`## Implementation Order\n\n${rows.join('\n')}\n`)
    return reading.phases.map(({ id, name, on }) => [id, name, on])
  }

  it('takes label and name from one cell', () => {
    const rows = [
      '| Phase | Tasks |',
      '|---|---|',
      '| 1. Landing page | a |',
      '| **2. Cart** | b |',
      '| Phase 3: Pay | c |',
    ]
    expect(listed(...rows)).toEqual([
      ['1', 'Landing page', true],
      ['2', 'Cart', true],
      ['3', 'Pay', true],
    ])
  })

  it('takes the name from the first column that can hold one', () => {
    const rows = ['| Wave | Priority | Effort | What |', '|---|---|---|---|', '| Wave 1 | HIGH | 2d | Cart |']
    expect(listed(...rows)).toEqual([['1', 'Cart', true]])
    expect(listed('| Phase | Priority | Effort |', '|---|---|---|', '| 1 | HIGH | 2d |')).toEqual([])
  })

  it('switches off what is struck through', () => {
    expect(
      listed('| # | Phase |', '|---|---|', '| 1 | ~~Cart~~ |', '| ~~2~~ | Pay |', '| 3 | Mail |'),
    ).toEqual([
      ['1', 'Cart', false],
      ['2', 'Pay', false],
      ['3', 'Mail', true],
    ])
  })

  const rated = (head: string, ...rows: string[]) => {
    const columns = head.split('|').length - 2
    const border = `|${'---|'.repeat(columns)}`
    const reading = readSpec(`## Implementation Order\n\n${[head, border, ...rows].join('\n')}\n`)
    return { reading, levels: reading.phases.map((phase) => phase.complexity) }
  }

  it('reads a column that is named after complexity', () => {
    const { reading, levels } = rated(
      '| Phase | What | **Complexity** (est.) |',
      '| 1 | Storage | low |',
      '| 2 | API | high |',
      '| 3 | Auth | **High** |',
      '| 4 | Sync | HIGH (new protocol, was low) |',
      '| 5 | Docs | `medium` |',
      '| 6 | Rest | (Low) |',
    )
    expect(levels).toEqual(['low', 'high', 'high', 'high', 'medium', 'low'])
    expect(reading.warnings).toEqual([])
  })

  it.each([['huge'], ['very high'], ['low to medium'], ['highest'], ['5'], ['']])(
    'warns about a complexity cell with "%s"',
    (cell) => {
      const { reading, levels } = rated(
        '| Phase | What | Complexity |',
        `| 1 | Storage | ${cell} |`,
        '| 2 | API | high |',
      )
      expect(levels).toEqual(['medium', 'high'])
      expect(reading.warnings).toHaveLength(1)
      expect(reading.warnings[0]).toMatch(/^Line 5: .*Phase 1 "Storage".*not low, medium or high/)
      expect(reading.warnings[0]).toContain(cell)
    },
  )

  it('finds the name behind a complexity column', () => {
    const { reading, levels } = rated('| # | Complexity | Name |', '| 1 | high | Core |', '| 2 | low | UI |')
    expect(levels).toEqual(['high', 'low'])
    expect(reading.phases.map((phase) => phase.name)).toEqual(['Core', 'UI'])
  })

  it('lets a comment go before the cell and says that they differ', () => {
    const { reading, levels } = rated(
      '| # | Name | Complexity |',
      '| 1 | Core <!-- complexity: low --> | high |',
      '| 2 | UI | <!-- complexity: high --> |',
    )
    expect(levels).toEqual(['low', 'high'])
    expect(reading.warnings.join()).toMatch(/"Core".*both low and high/)
    expect(reading.warnings.join()).not.toContain('"UI"')
  })

  it('reads a bare cell of a column without such a name; other words there are another matter', () => {
    const { reading, levels } = rated(
      '| # | Name | Note | Priority |',
      '| 1 | Core | (high) | low |',
      '| 2 | UI | **(low)** | high |',
      '| 3 | Docs | soon | high |',
    )
    expect(levels).toEqual(['high', 'low', 'medium'])
    expect(reading.warnings).toEqual([])
  })

  it('takes a word in the name as a hint only', () => {
    const { reading, levels } = rated('| # | Name |', '| 1 | Core (high) |', '| 2 | UI |')
    expect(levels).toEqual(['medium', 'medium'])
    expect(reading.warnings.join()).toMatch(/"\(high\)", is only a hint; Phase 1 "Core \(high\)" \(line 5\)/)
  })

  it('needs a table', () => {
    expect(readSpec('## Implementation Order\n\n| 1 | Core |\n| 2 | UI |\n').reading).toBe('none')
  })
})

describe('numbered reading', () => {
  it('proposes one phase, with the items as the alternative', () => {
    const reading = readSpec(
      '# Spec: Mail rules\n\n## Implementation Order\n\nDo:\n\n1. Write types. Then go\n   - deeper\n2. **Parser**: parse <!-- complexity: high -->\n3) Ship `it`\n',
    )
    expect(reading.reading).toBe('numbered')
    expect(phases(reading)).toEqual([['1', 'Mail rules', 'high', 1]])
    expect(reading.phases[0]?.description).toContain('Ship `it`')
    expect(
      reading.alternative?.map(({ id, name, line, complexity }) => [id, name, line, complexity]),
    ).toEqual([
      ['1', 'Write types', 7, 'medium'],
      ['2', 'Parser', 9, 'high'],
      ['3', 'Ship `it`', 10, 'medium'],
    ])
    expect(reading.unused).toEqual([{ line: 5, text: 'Do:' }])
    expect(reading.warnings.join()).toMatch(/3 items/)
  })

  it('names the proposed phase and each item with what its prose hints at', () => {
    const reading = readSpec(
      '# Mail rules\n\n## Implementation Order\n\n1. Storage (low)\n2. API (HIGH complexity)\n3. Docs\n',
    )
    expect(phases(reading)).toEqual([['1', 'Mail rules', 'medium', 1]])
    expect(reading.alternative?.map((item) => item.complexity)).toEqual(['medium', 'medium', 'medium'])
    expect(reading.warnings.filter((warning) => warning.includes('only a hint'))).toEqual([
      'Line 5: prose about complexity, "(low)", "(HIGH complexity)", is only a hint; the proposed phase "Mail rules" is read as medium.',
      'Line 5: prose about complexity, "(low)", is only a hint; Item 1 "Storage (low)" (line 5) is read as medium.',
      'Line 6: prose about complexity, "(HIGH complexity)", is only a hint; Item 2 "API (HIGH complexity)" (line 6) is read as medium.',
    ])
  })

  it('says that comments of its items differ', () => {
    const reading = readSpec(
      '## Implementation Order\n1. x <!-- complexity: low -->\n2. y <!-- complexity: high -->\n',
    )
    expect(reading.phases[0]?.complexity).toBe('low')
    expect(reading.warnings.join()).toMatch(/the proposed phase .* says both low and high/)
  })

  it('is named after its section in a spec without a title', () => {
    expect(phases(readSpec('## Implementation Order\n1. x\n'))).toEqual([
      ['1', 'Implementation Order', 'medium', 1],
    ])
  })
})

describe('order of the readings', () => {
  const parts = [
    ['literal', '### Phase 1: L\n\n### Phase 2: L\n\n'],
    ['headings', '### Wave 1: H\n\n'],
    ['bold', '**Phase 1 — B.**\n\n'],
    ['bold-numbered', '1. **Phase 1 — N.**\n\n'],
    ['table', '| # | n |\n|---|---|\n| 1 | T |\n\n'],
    ['numbered', '1. item\n\n'],
  ] as const

  it.each(parts.map(([reading], index) => [reading, index] as const))(
    '%s goes before all that follow',
    (reading, index) => {
      // Later readings first in the file, so that only the order of the table decides.
      const body = parts
        .slice(index)
        .reverse()
        .map(([, text]) => text)
        .join('')
      expect(readSpec(`## Implementation Order\n\n${body}`).reading).toBe(reading)
    },
  )
})

describe('reading below a chosen heading', () => {
  const text = '# T\n\n## Plan\n\n### Phase 1: A\n\n### Phase 2: B\n\n## Other\n'

  it('reads what stands below it', () => {
    expect(readSpecAt(text, 3)).toMatchObject({ reading: 'spelling', section: { title: 'Plan', line: 3 } })
    const beside = readSpecAt('# T\n\n## Phase 1: C\n\n### Detail\n\n## Phase 2: D\n\n# End\n', 1)
    expect(beside.phases.map((phase) => phase.name)).toEqual(['C', 'D'])
  })

  it('says that a line is no heading', () => {
    expect(readSpecAt(text, 2)).toMatchObject({ reading: 'none', section: null })
    expect(readSpecAt(text, 2).warnings).toEqual(['Line 2 is not a heading.'])
  })
})

describe('signs around a label', () => {
  const read = (body: string) => readSpec(`# T\n\n## Implementation Order\n\n${body}`)
  const named = (body: string) => read(body).phases.map(({ label, name, on }) => [label, name, on])

  it('a remark in brackets behind it is no part of the name, and may say that it is done', () => {
    expect(named('### Phase 1 [P]: Pond\n\n### Phase 2 [P] — Beds\n\n### Phase 3 [done]: Shed\n')).toEqual([
      ['1', 'Pond', true],
      ['2', 'Beds', true],
      ['3', 'Shed', false],
    ])
  })

  it.each(['/', '>', '~', '-'])('a box with "%s" is a box that is not ticked', (sign) => {
    expect(
      named(`- [x] **Phase 1: Pond**\n- [${sign}] **Phase 2: Beds**\n- [ ] **Phase 3: Shed**\n`),
    ).toEqual([
      ['1', 'Pond', false],
      ['2', 'Beds', true],
      ['3', 'Shed', true],
    ])
  })

  it('a phase in the summary of a fold, or behind another box in a text, is told as unread', () => {
    const { unread, asks } = read(
      '<details>\n<summary><b>Phase 1: Pond</b></summary>\n\nFrogs\n</details>\n\n### Phase 2: Beds\n\n- [/] Phase 4: Hedge\n\n### Phase 3: Shed\n',
    )
    expect(unread.map(({ line, lost }) => [line, lost])).toEqual([
      [6, true],
      [13, true],
    ])
    expect(asks).toBe(true)
  })
})

describe('emphasis around a phase', () => {
  it.each([
    ['### **Phase 1: Gamma** (2h)', 'Gamma (2h)'],
    ['### *Phase 1: Delta*', 'Delta'],
    ['### __Phase 1: Delta__ and more', 'Delta and more'],
    ['### **Phase 1: uses `a**b`** x', 'uses `a**b` x'],
    ['### Phase 1: **Alpha** core', '**Alpha** core'],
    ['### Phase 1: The snake_case names', 'The snake_case names'],
    ['### Phase 1: a * b', 'a * b'],
    ['### Phase 1: what ends in foo_', 'what ends in foo_'],
  ])('is no part of the name in %s', (heading, name) => {
    const reading = readSpec(`## Implementation Order\n\n${heading}\n\n### Phase 2: B\n`)
    expect(reading.phases[0]?.name).toBe(name)
  })
})
