import { describe, expect, it } from 'vitest'
import { namedFiles } from '../../source/documents/named-files.js'
import { criterionOf } from '../../source/documents/playbook-criterion.js'
import { expectationOf } from '../../source/documents/playbook-expectation.js'
import { readPlaybookPlan } from '../../source/documents/playbook-plan.js'
import { wavesOf } from '../../source/documents/playbook-waves.js'

const task = (inner: string, attributes = 'type="auto"') => `<task ${attributes}>\n${inner}\n</task>\n`
const read = (text: string, context = {}) => readPlaybookPlan(text, { phase: '2', ...context })
const ids = (text: string, context = {}) => read(text, context).tasks.map(({ id }) => id)

describe('outcomes in words', () => {
  it.each([
    ['`grep bed garden.md` present (the first one)', { op: 'match' }],
    ['`grep bed garden.md` and `grep path garden.md` both present', { op: 'match' }],
    ['`grep bed garden.md` present at least twice', { op: 'atLeast', value: 2 }],
    ['`grep bed garden.md` matches exactly once', { op: 'equals', value: 1 }],
    ['`npm run build` compiles', { op: 'exit', value: 0 }],
  ])('%s', (text, expectation) => {
    expect(criterionOf(text).expectation).toEqual(expectation)
  })

  it.each(['npm run dev', 'pnpm --filter web dev', 'npx vite preview', 'npx vitest --watch'])(
    '`%s` runs on and shows nothing by its end',
    (command) => {
      expect(criterionOf(`Run \`${command}\` - it compiles`).kind).toBe('unproven')
    },
  )

  it('a server that is started for one round ends', () => {
    expect(criterionOf('`npx convex dev --once` succeeds').kind).toBe('execution')
  })
})

describe('front matter that never closes', () => {
  const never = 'The front matter that opens on line 1 never closes; what follows it is read.'
  const plan = (rest: string) => `---\nphase: 2\nwave: 3\n\n${rest}`

  it.each([
    ['tasks', `# Plan\n\n${task('<name>A</name>')}\n---\n\n${task('<name>B</name>')}`],
    ['headings', '### Task 1: A\n**Files:** a.ts\n\n---\n\n### Task 2: B\n**Files:** b.ts\n'],
    ['no rule at all', `${task('<name>A</name>')}${task('<name>B</name>')}`],
  ])('loses nothing of %s, and is told', (_, rest) => {
    const found = read(plan(rest))
    expect(found.tasks.map(({ title }) => title)).toEqual(['A', 'B'])
    expect(found.header.wave).toBe(3)
    expect(found.warnings).toContain(never)
  })

  it('is none where comments of YAML and text in it only look like headings', () => {
    const found = read(
      `---\n# of the plan\nwave: 3\nabout: |\n  ## What\n  - [ ] it is\n---\n${task('<name>A</name>')}`,
    )
    expect(found.tasks).toHaveLength(1)
    expect(found.header.wave).toBe(3)
    expect(found.warnings).not.toContain(never)
  })
})

describe('tasks', () => {
  it('hold code that is no XML', () => {
    const [first] = read(
      task(
        '<name>Task 1: Draw</name>\n<files>a.tsx, app/(auth)/x.ts</files>\n<action>\n<div>{a && b < c}</div>\n</action>\n<verify><automated>npm test &amp;&amp; ls</automated></verify>\n<done>drawn</done>',
      ),
    ).tasks
    expect(first).toMatchObject({
      id: '02-01',
      title: 'Draw',
      files: ['a.tsx', 'app/(auth)/x.ts'],
      line: 1,
      done: 'drawn',
      criteria: [{ text: 'npm test && ls', commands: ['npm test && ls'], kind: 'execution' }],
    })
  })

  it('end at the next one where they are never closed, which is told', () => {
    const plan = read('<task id="a">\n<name>A</name>\n<task id="b">\n<name>B</name>\n</task>\n')
    expect(plan.tasks.map(({ id, title, endLine }) => [id, title, endLine])).toEqual([
      ['a', 'A', 2],
      ['b', 'B', 5],
    ])
    expect(plan.warnings.join()).toContain('Line 1: <task> is never closed')
  })

  it('end with their closing tag, whatever headings stand in them', () => {
    const plan = read(
      `${task('<name>A</name>\n<action>\nWrite this:\n\n# Garden\n\n## Beds\n\nThree of them.\n</action>\n<verify>\n<automated>\n# Beds are named\ngrep -q Beds garden.md\n</automated>\n</verify>')}${task('<name>B</name>')}`,
    )
    expect(plan.tasks.map(({ title, criteria }) => [title, criteria.length])).toEqual([
      ['A', 1],
      ['B', 0],
    ])
    expect(plan.tasks[0]?.criteria[0]).toMatchObject({ kind: 'structural' })
    expect(plan.warnings.join()).not.toContain('never closed')
  })

  it('that are never closed end at the first heading in them', () => {
    const plan = read('<task id="a">\n<name>A</name>\n\n## Notes\n\nNothing.\n\n## More\n')
    expect(plan.tasks[0]?.endLine).toBe(3)
    expect(plan.warnings.join()).toContain('ends before line 4')
  })

  it('whose paragraphs a formatter has filled: a tag may stand right behind the one that closes', () => {
    const plan = read(
      '<task type="auto">\n<name>Water</name> <files>a.ts, b.ts</files>\n<action>\nWater the beds: say </verify> aloud.\n\nThen stop. </action> <verify> `npm test` passes\n</verify> <done>All beds are\nwet</done> </task>\n',
    )
    expect(plan.tasks[0]).toMatchObject({
      title: 'Water',
      files: ['a.ts', 'b.ts'],
      done: 'All beds are\nwet',
      criteria: [{ commands: ['npm test'], expectation: { op: 'exit', value: 0 } }],
    })
  })

  it('are shown by what their action lists as accepted, where no tag says how', () => {
    const action =
      '<name>Water</name>\n<action>\nOpen the tap.\n\n**Acceptance:**\n- The beds are wet\n- `grep -c wet log.md` returns 3\n\nThen close it.\n- Not a criterion\n</action>'
    expect(read(task(action)).tasks[0]?.criteria).toMatchObject([
      { text: 'The beds are wet', kind: 'unproven' },
      { commands: ['grep -c wet log.md'], expectation: { op: 'equals', value: 3 } },
    ])
    const verified = read(task(`${action}\n<verify><automated>npm test</automated></verify>`)).tasks[0]
    expect(verified?.criteria.map(({ text }) => text)).toEqual(['npm test'])
  })

  it('in fences and in prose are none', () => {
    expect(
      ids(
        `\`\`\`xml\n${task('<name>No</name>')}\`\`\`\nWrite a <task type="auto"> here.\n${task('<name>Yes</name>')}`,
      ),
    ).toEqual(['02-01'])
  })

  it('end a fence that was never closed before their own end', () => {
    const text = task('<action>\n```\na\n```ts\nb\n```\nc\n```\nd\n```\n</action>') + task('<name>B</name>')
    expect(ids(text)).toEqual(['02-01', '02-02'])
  })

  it('are found behind a fence that opens in an item', () => {
    const text =
      '### Task 1: A\n1. Write\n   - ```ts\n     const a = 1\n     ```\n   - more\n### Task 2: B\n```\nx\n```\n### Task 3: C\n'
    expect(ids(text)).toEqual(['02-01', '02-02', '02-03'])
  })

  it('are found behind a fence in another, where what stands around both is closed', () => {
    const nested = '<template>\n```markdown\n## A\n\n```bash\nnpm test\n```\n\n## B\n```\n</template>\n\n'
    expect(ids(`${nested}${task('<name>B</name>')}`)).toEqual(['02-01'])
    // Code of the fence closes what it has opened itself.
    const code = '<template>\n```html\n<div>\n</div>\n<task type="auto">\n```\n</template>\n\n'
    expect(ids(`${code}${task('<name>B</name>')}`)).toEqual(['02-01'])
  })

  it('have a title from a heading in them, which is no second task', () => {
    const plan = read(
      `<task id="02-03" type="auto" complexity="complex">\n### Task 02-03: Merge\n\n**Files:**\n- \`a.ts\` (new)\n\n**Action:** do it\n\n**Acceptance Criteria:**\n1. It is there -- verified by: \`grep -c x a.ts\` (returns at least 2)\n\n**Done:** yes\n</task>\n`,
    )
    expect(plan.tasks).toHaveLength(1)
    expect(plan.tasks[0]).toMatchObject({
      title: 'Merge',
      complexity: 'complex',
      files: ['a.ts'],
      done: 'yes',
      missing: [],
      criteria: [{ text: 'It is there', kind: 'structural', expectation: { op: 'atLeast', value: 2 } }],
    })
  })

  it('of Markdown are headings where there is no tag', () => {
    const plan = read(
      '## Wave 1\n### Task 1: A\n**Type:** checkpoint:decision\n**Complexity:** low\n## Wave 2\n### Task 2 — B\n- **Files:** b.ts\n',
    )
    expect(
      plan.tasks.map(({ id, title, type, complexity, wave }) => [id, title, type, complexity, wave]),
    ).toEqual([
      ['02-01', 'A', 'decision', 'simple', 1],
      ['02-02', 'B', 'auto', 'medium', 2],
    ])
    expect(ids(`${task('<name>A</name>')}### Task 9: no\n`)).toEqual(['02-01'])
  })

  it.each([
    ['<feature>\n<name>F</name>\n<files>a.ts</files>\n</feature>\n', 'F'],
    ['### Plan 1.1: P\n', 'P'],
    ['### Step 1: S\n', 'S'],
    ['## Tasks\n\n### 1. N\n\nDo it.\n\n## Verification\n\n### 2. Other\n', 'N'],
  ])('of looser forms are told: %s', (text, title) => {
    const plan = read(text)
    expect(plan.tasks.map((one) => one.title)).toEqual([title])
    expect(plan.warnings.join()).toContain('It has no tasks;')
  })

  it('of loose forms are read where there are no others, which is told', () => {
    const short = read(
      '## Breakdown\n### T1: Dig\n**Files:** a.ts\n**Title:** Dig it\n### T2 — Plant\nText\n## Waves\n- **T1** — Dig\n',
    )
    expect(short.tasks.map(({ id, title }) => [id, title])).toEqual([
      ['02-01', 'Dig'],
      ['02-02', 'Plant'],
    ])
    expect(short.warnings.join()).toContain('"T1" headings')
    const bold = read(
      '<tasks>\n**Task 1 — Dig**\n\nFile: `a.ts`\n\n- **Task notes** none\n**Task 2:** Plant\n**Verify:** `npm test`\n</tasks>\nFile: `b.ts`\n',
    )
    expect(bold.tasks.map(({ id, title, files }) => [id, title, files])).toEqual([
      ['02-01', 'Dig', ['a.ts']],
      ['02-02', 'Plant', []],
    ])
    expect(bold.warnings.join()).toContain('lines in bold')
    expect(ids('### Task 1: A\n**Task 2: B**\n### T3: C\n')).toEqual(['02-01'])
    expect(
      ids(
        '## Wave 1\n- [ ] **Task 1: Dig**\n  - Files: `a.ts`\n- [x] **Task 2: Plant**\n## Checks\n- [ ] Rain\n',
      ),
    ).toEqual(['02-01', '02-02'])
    expect(ids('## Plans\n### 02-01 — `dig` module\n### 02-02: Plant\n## Risks\n')).toEqual([
      '02-01',
      '02-02',
    ])
    expect(ids('## Task `t1` — Dig\n## Task `t2` — Plant\n')).toHaveLength(2)
    expect(read(task('- [ ] **Task 1: Dig**\n  - Use a spade', 'id="dig"')).tasks[0]).toMatchObject({
      id: 'dig',
      title: 'Dig',
    })
    expect(ids('## Steps\n### 1. Dig\n### 2. Plant\n## Risks\n### 3. Rain\n')).toEqual(['02-01', '02-02'])
  })

  it('keep a name with two lines at its ends in their title', () => {
    expect(read(task('<name>Task 1: __Dig__ in models __init__ now</name>')).tasks[0]?.title).toBe(
      'Dig in models __init__ now',
    )
  })

  it('of a plan without any are told', () => {
    expect(read('# Plan\n\nText.\n').warnings.join()).toContain('No tasks were found')
  })

  it('of people are known by their type', () => {
    const types = ['checkpoint:human-verify', 'checkpoint:human-action', 'checkpoint:decision', 'tdd', 'auto']
    expect(types.map((type) => read(task('<name>A</name>', `type="${type}"`)).tasks[0]?.type)).toEqual([
      'human-verify',
      'human-action',
      'decision',
      'auto',
      'auto',
    ])
  })

  it('without complexity are medium, which is told once', () => {
    const plan = read(task('<name>A</name>') + task('<name>B</name>'))
    expect(plan.warnings).toEqual(['No complexity is said for 02-01, 02-02; read as medium.'])
  })
})

describe('ids', () => {
  it('are the attribute, else the heading, else the place', () => {
    expect(
      ids(
        task('', 'id="x-1"') +
          task('<name>Task 02-07: B</name>') +
          task('<name>Task 24-01: C</name>') +
          task('<name>D</name>'),
      ),
    ).toEqual(['x-1', '02-07', '02-24-01', '02-04'])
  })

  it('hold the number of the plan where a phase has several', () => {
    expect(ids(task('<name>Task 1: A</name>'), { plan: '3', phase: '2.1' })).toEqual(['02.1-03-01'])
  })

  it('that are taken get a letter', () => {
    const plan = read(task('<name>Task 1: A</name>') + task('<name>Task 1: B</name>'), { taken: ['02-01-b'] })
    expect(plan.tasks.map(({ id }) => id)).toEqual(['02-01', '02-01-c'])
    expect(plan.warnings.join()).toContain('more than once')
  })
})

describe('files', () => {
  it.each([
    ['src/a.ts, src/b.ts', ['src/a.ts', 'src/b.ts']],
    ['- `src/a.ts` (new, with tests)', ['src/a.ts']],
    ['Create: src/a.ts - the parser', ['src/a.ts']],
    ['src/a.ts (modify)', ['src/a.ts']],
    ['app/(auth)/login/page.tsx', ['app/(auth)/login/page.tsx']],
    ['Makefile', ['Makefile']],
    ['src/a.py, justfile', ['src/a.py', 'justfile']],
    ['src/__tests__/a.test.ts', ['src/__tests__/a.test.ts']],
    ['__tests__/a.test.ts, lib/__init__.py', ['__tests__/a.test.ts', 'lib/__init__.py']],
    ['tests/**/__snapshots__/*, **/*.css, dist/**', ['tests/**/__snapshots__/*', '**/*.css', 'dist/**']],
    ['**src/a.ts** (new)', ['src/a.ts']],
    ['**Create:** src/a.ts', ['src/a.ts']],
    ['**src/a.ts, src/b.ts**', ['src/a.ts', 'src/b.ts']],
    ['src/a.py src/b.py', ['src/a.py', 'src/b.py']],
    ['.env.example', ['.env.example']],
    ['None (verification only)', []],
    ['(runtime only)', []],
  ])('%s', (line, files) => {
    expect(namedFiles([line])).toEqual({ files, notes: [] })
  })

  it('may have blanks in their names', () => {
    expect(namedFiles(['a.json, public/Price list 2026.pdf, src/b.ts'])).toEqual({
      files: ['a.json', 'public/Price list 2026.pdf', 'src/b.ts'],
      notes: [],
    })
  })

  it('prose is kept as a note', () => {
    for (const prose of ['All screens of the app', 'See the plan at /home/me/plan.md', 'src/a.ts as in b.ts'])
      expect(namedFiles([prose]).notes.length + namedFiles([prose]).files.length, prose).toBe(1)
    expect(namedFiles(['All screens of the app'])).toEqual({ files: [], notes: ['All screens of the app'] })
  })
})

describe('criteria', () => {
  it.each([
    ['x -- verified by: `grep a f`', 'structural', { op: 'exit', value: 0 }, ['grep a f']],
    [
      'x — verified by: `npm test` and `npm run lint`',
      'execution',
      { op: 'exit', value: 0 },
      ['npm test', 'npm run lint'],
    ],
    [
      "x -- verified by: `grep -c 'a\\|b' f` (returns 0)",
      'structural',
      { op: 'equals', value: 0 },
      ["grep -c 'a\\|b' f"],
    ],
    [
      'x -- verified by: `{project.commands.test} 2>&1; echo EXIT:$?` (expect EXIT:0)',
      'execution',
      { op: 'exit', value: 0 },
      ['{project.commands.test} 2>&1; echo EXIT:$?'],
    ],
    [
      'x -- verified by: `cd a && CI=1 timeout 5 rg x` (no match)',
      'structural',
      { op: 'noMatch' },
      ['cd a && CI=1 timeout 5 rg x'],
    ],
    [
      'x -- verified by: `read A.tsx:onClick and trace to save`',
      'behavioral',
      null,
      ['read A.tsx:onClick and trace to save'],
    ],
    [
      'read src/cache.ts:open and trace to IndexedDB',
      'behavioral',
      null,
      ['read src/cache.ts:open and trace to IndexedDB'],
    ],
    ['`read A.tsx:onClick and trace to save`', 'behavioral', null, ['read A.tsx:onClick and trace to save']],
    ['Read the code and trace what is slow', 'unproven', null, []],
    ['`npm test` passes all tests', 'execution', { op: 'exit', value: 0 }, ['npm test']],
    ['All tests pass: `npm test`', 'execution', { op: 'exit', value: 0 }, ['npm test']],
    ['`npm run build` looks good', 'unproven', null, ['npm run build']],
    ['src/a.ts contains `import x`', 'unproven', null, []],
    ['Manual: `npm test` passes', 'unproven', null, []],
    ['The page works as expected', 'unproven', null, []],
  ])('%s', (item, kind, expectation, commands) => {
    expect(criterionOf(item)).toMatchObject({ kind, expectation, commands })
  })

  it('of automated that are missing are unproven', () => {
    const [first] = read(task('<verify><automated>MISSING - Wave 0 makes it</automated></verify>')).tasks
    expect(first?.criteria).toMatchObject([{ kind: 'unproven', commands: [] }])
  })

  it('in a cell of a table have pipes behind a backslash', () => {
    const [first] = read(
      task(
        '<acceptance_criteria>\n| # | What | Command | Expected |\n|---|---|---|---|\n| 1 | is there | `grep a f \\| wc -l` | returns 1 |\n</acceptance_criteria>',
      ),
    ).tasks
    expect(first?.criteria).toMatchObject([
      { text: 'is there', commands: ['grep a f | wc -l'], expectation: { op: 'equals', value: 1 } },
    ])
  })

  it('of the plan stand in its verification', () => {
    const plan = read(
      `${task('<name>A</name>')}<verification>\n- [ ] \`npm test\` passes\n<automated>make check</automated>\n</verification>\n`,
    )
    expect(plan.criteria.map(({ text }) => text)).toEqual(['make check', '`npm test` passes'])
    expect(plan.tasks[0]?.criteria).toEqual([])
  })
})

describe('expectations', () => {
  it.each([
    ['(returns 3)', { op: 'equals', value: 3 }],
    ['expect 0', { op: 'equals', value: 0 }],
    ['= 2', { op: 'equals', value: 2 }],
    ['prints 4', { op: 'equals', value: 4 }],
    ['(returns at least 1)', { op: 'atLeast', value: 1 }],
    ['(expect >= 2)', { op: 'atLeast', value: 2 }],
    ['at most 5', { op: 'atMost', value: 5 }],
    ['expect <= 5', { op: 'atMost', value: 5 }],
    ['(expect EXIT:1)', { op: 'exit', value: 1 }],
    ['', { op: 'exit', value: 0 }],
    ['exits 0', { op: 'exit', value: 0 }],
    ['succeeds', { op: 'exit', value: 0 }],
    ['passes', { op: 'exit', value: 0 }],
    ['exits non-zero', { op: 'exitNot', value: 0 }],
    ['fails', { op: 'exitNot', value: 0 }],
    ['expect match', { op: 'match' }],
    ['(no match)', { op: 'noMatch' }],
    ['returns nothing', { op: 'noMatch' }],
    ['no matches', { op: 'noMatch' }],
    ['empty', { op: 'noMatch' }],
    ['"ready"', { op: 'contains', value: 'ready' }],
    ['contains "text"', { op: 'contains', value: 'text' }],
    ['shows a list', null],
    ['does not print "x"', null],
    ['7 passing, 8 failing', null],
    ['prints OK', { op: 'contains', value: 'OK' }],
    ['outputs true.', { op: 'contains', value: 'true' }],
    ['returns JSON', null],
    ['exactly 2 lines', { op: 'equals', value: 2 }],
    ['must be 0', { op: 'equals', value: 0 }],
    ['must not be 0', null],
    ['one or more matches', { op: 'atLeast', value: 1 }],
    ['is under 300 lines', { op: 'atMost', value: 299 }],
    ['above 80%', null],
    ['over 3', { op: 'atLeast', value: 4 }],
    ['136+ tests pass', { op: 'exit', value: 0 }],
    ['is green', { op: 'exit', value: 0 }],
    ['all tests green', { op: 'exit', value: 0 }],
    ['must not be green', null],
    ['OK', { op: 'exit', value: 0 }],
    ['exits cleanly', { op: 'exit', value: 0 }],
    ['should not fail', { op: 'exit', value: 0 }],
    ['does not exit 0', { op: 'exitNot', value: 0 }],
    ['exits `0`', { op: 'exit', value: 0 }],
    ['zero TypeScript errors', { op: 'exit', value: 0 }],
    ['reports no issues', { op: 'exit', value: 0 }],
    ['is not empty', { op: 'match' }],
    ['returns something', { op: 'match' }],
    ['between 2 and 4', { op: 'atLeast', value: 2, and: { op: 'atMost', value: 4 } }],
    ['returns between two and four lines', { op: 'atLeast', value: 2, and: { op: 'atMost', value: 4 } }],
    ['not between 2 and 4', null],
    ['at least one', { op: 'atLeast', value: 1 }],
    ['exactly 3', { op: 'equals', value: 3 }],
    ['— 0 matches (none is left)', { op: 'equals', value: 0 }],
    ['3 times', { op: 'equals', value: 3 }],
    ['more than 2', { op: 'atLeast', value: 3 }],
    ['no more than 2', { op: 'atMost', value: 2 }],
    ['not more than 2', { op: 'atMost', value: 2 }],
    ['fewer than 5', { op: 'atMost', value: 4 }],
    ['no fewer than 5', { op: 'atLeast', value: 5 }],
    ['not less than 5', { op: 'atLeast', value: 5 }],
    ['up to 5', { op: 'atMost', value: 5 }],
    ['5 or fewer', { op: 'atMost', value: 5 }],
    ['< 7', { op: 'atMost', value: 6 }],
    ['> 7', { op: 'atLeast', value: 8 }],
    ['less than or equal to 3', { op: 'atMost', value: 3 }],
    ['is greater than or equal to 3', { op: 'atLeast', value: 3 }],
    ['equal to or less than 3', { op: 'atMost', value: 3 }],
    ['at or above 3', { op: 'atLeast', value: 3 }],
    ['lower than 3', { op: 'atMost', value: 2 }],
    ['exceeds 3', { op: 'atLeast', value: 4 }],
    ['does not exceed 3', { op: 'atMost', value: 3 }],
    // A value is a whole number: no part of another, no share, no measure.
    ['< 7.0', null],
    ['at least 7.5', null],
    ['returns 1,234', null],
    ['>= 80%', null],
    ['less than 50 %', null],
    ['less than 30 seconds', null],
    ['under 300ms', null],
    ['less than 500 bytes', { op: 'atMost', value: 499 }],
    ['passes in less than 30 seconds', { op: 'exit', value: 0 }],
    ['works', null],
  ])('%s', (text, expected) => {
    expect(expectationOf(text)).toEqual(expected)
  })
})

describe('outcomes that mean something of one kind of command', () => {
  it.each([
    ['`grep foo a.md` does not contain "foo"', { op: 'noMatch' }],
    ['`grep foo a.md` does not contain "bar"', null],
    ['`cat a.md` does not contain "foo"', null],
    ['`grep -c foo a.md` is 0', { op: 'equals', value: 0 }],
    ['`grep -c foo a.md` is 0; exactly one `bar`, and it is wet', { op: 'equals', value: 0 }],
    ['`grep -c foo a.md` is `0` (returns `3` today)', { op: 'equals', value: 0 }],
    ['`grep -c foo a.md b.md` returns 2 for each file', null],
    ['`grep -c "a | b" docs/*.md` shows ≥1 in each', null],
    ['`grep -c foo a.md b.md` each ≥ 1', null],
    ['`grep -c foo a.md b.md` returns 0 for each file', { op: 'equals', value: 0 }],
    ['`grep -c foo a.md b.md` returns 2 (one per file)', { op: 'equals', value: 2 }],
    ['`grep -c foo a.md` ≥ 2 (one in each branch)', { op: 'atLeast', value: 2 }],
    ['`node a.js` is 0', null],
    ['`ls src/*.ts | wc -l` shows 9 files', { op: 'equals', value: 9 }],
    ['`grep foo a.md` not found', { op: 'noMatch' }],
    ['`git grep foo` does not match', { op: 'noMatch' }],
    ['`grep foo a.md` -- No old names remain', { op: 'noMatch' }],
    ['`curl -s x` not found', null],
    ['`grep foo a.md` confirms the import', { op: 'match' }],
    ['`grep foo a.md` -- header present', { op: 'match' }],
    ['`grep foo a.md` shows all 6 variants', null],
    ['`grep foo a.md` confirms that nothing and nobody is left', null],
    ['`cat a.md` confirms the import', null],
    ['`ls a.md` exists', { op: 'exit', value: 0 }],
    ['`npm run lint` is clean', { op: 'exit', value: 0 }],
    ['`git status --porcelain` is clean', { op: 'noMatch' }],
    ['`git diff a.md` shows no changes', { op: 'noMatch' }],
    ['`npm run serve:x` is clean', null],
    ['Run `pytest tests/a.py` to verify both', { op: 'exit', value: 0 }],
    ['Run `cat a.md` to verify both', null],
  ])('%s', (item, expectation) => {
    expect(criterionOf(item).expectation).toEqual(expectation)
  })
})

describe('numbers and words of commands that print none of it', () => {
  it.each([
    ['`grep -c bed garden.md` returns `1`.', { op: 'equals', value: 1 }],
    ['`grep -c bed garden.md` still returns `0` — none is left', { op: 'equals', value: 0 }],
    ['`grep -c bed garden.md` returns at least `2` (here and there)', { op: 'atLeast', value: 2 }],
    ['`grep bed garden.md` returns NO match (all gone)', { op: 'noMatch' }],
    ['`grep bed garden.md` finds no matches outside the index', null],
    ['`grep -q bed garden.md` (returns 0)', { op: 'exit', value: 0 }],
    ['`test -f garden.md` returns 1', { op: 'exit', value: 1 }],
    ['`grep -q bed garden.md` and `grep -q path garden.md` (beds and paths named)', { op: 'exit', value: 0 }],
    ['`grep -q bed garden.md` (no longer there)', null],
    ['`npm run lint` clean (--max-warnings=0).', { op: 'exit', value: 0 }],
    ['`npm run lint` returns 0', { op: 'exit', value: 0 }],
    ['`npm test` shows >= 20 tests passing', { op: 'exit', value: 0 }],
    ['`npm test` shows >= 20 tests passing (2 may be flaky)', null],
    ['`cargo test` runs all of them (79+)', null],
    ['`grep -r bed tests/` returns 0', { op: 'equals', value: 0 }],
    ['`node tests/count.js` outputs at least 8 lines', { op: 'atLeast', value: 8 }],
    ['`curl -k https://localhost/garden` → 200', null],
    ["`curl -s -o /dev/null -w '%{http_code}' https://localhost/garden` → 200", { op: 'equals', value: 200 }],
    ['`git diff --stat garden.md` shows non-zero changes', null],
    ['`grep -c bed garden.md` - the list now contains "rose"', null],
    ['`ls garden.md path.md` — all exist', { op: 'exit', value: 0 }],
    ['`ls old.md` — file should not exist', { op: 'exitNot', value: 0 }],
    ['`ls plants/` → must show `rose.md`', { op: 'contains', value: 'rose.md' }],
    ['`npm test` exits 0 (skipped ones are no failures)', { op: 'exit', value: 0 }],
    ['Run `npx tsc --noEmit` from the project root. No type errors.', { op: 'exit', value: 0 }],
    ['`./gradlew test` output contains `BUILD SUCCESSFUL`', { op: 'contains', value: 'BUILD SUCCESSFUL' }],
    ['`./gradlew check` (or `./gradlew build`) exits 0', { op: 'exit', value: 0 }],
    ['`npm run build` is clean, and so are the types', null],
    ['`npm run build` clean.', { op: 'exit', value: 0 }],
    ['`npx tsc --noEmit` -- TypeScript clean', { op: 'exit', value: 0 }],
    ['`npm run build` — no TypeScript or build errors.', { op: 'exit', value: 0 }],
    ['`npm run build` completes without any import errors', { op: 'exit', value: 0 }],
    ['`npm test` runs without config errors (tests may fail)', null],
    ['`npm test` passes (two failures are expected)', null],
    ['`cargo check -p beds` - should compile.', { op: 'exit', value: 0 }],
    ['`npm test` (all of them) still green — as before', { op: 'exit', value: 0 }],
    ['`npm test` — no backend regressions', { op: 'exit', value: 0 }],
    ['`bash -n dig.sh` (syntax check)', { op: 'exit', value: 0 }],
    ['`cargo test` (Rust) + `npm test` (web) all pass', { op: 'exit', value: 0 }],
    ['`ls a.md b.md c.md` — all three exist', { op: 'exit', value: 0 }],
    ['`test ! -f old.md` — old.md must NOT exist', { op: 'exit', value: 0 }],
    ['`grep -q "bed" garden.md` (mapping D-15)', { op: 'exit', value: 0 }],
    ['`cat garden.md | grep bed` - should find an entry', { op: 'match' }],
    ["`grep bed garden.md` returns `bed: 'rose'`", { op: 'contains', value: "bed: 'rose'" }],
    ['The step comes after the line that contains `bed`: `grep -q bed garden.md`', { op: 'exit', value: 0 }],
  ])('%s', (text, expectation) => {
    expect(criterionOf(text).expectation).toEqual(expectation)
  })
})

it('of a command that counts, non-zero is about the count', () => {
  const read = (item: string) => {
    const text = `<task type="auto">\n<name>T</name>\n<acceptance_criteria>\n- ${item}\n</acceptance_criteria>\n</task>\n`
    return readPlaybookPlan(text).tasks[0]?.criteria[0]?.expectation
  }
  expect(read('`grep -c x a.md` is non-zero')).toEqual({ op: 'atLeast', value: 1 })
  expect(read('`cat a.md | wc -l` returns non-zero')).toEqual({ op: 'atLeast', value: 1 })
  expect(read('`grep -c x a.md` ≠ 0')).toEqual({ op: 'atLeast', value: 1 })
  expect(read('`grep -c x a.md` is not zero')).toEqual({ op: 'atLeast', value: 1 })
  expect(read('`grep -L x *.md` returns no files')).toEqual({ op: 'noMatch' })
  expect(read('`npm run format` returns no files')).toBeNull()
  expect(read('`grep -c x a.md` exits non-zero')).toEqual({ op: 'exitNot', value: 0 })
  expect(read('`node a.js` returns non-zero')).toEqual({ op: 'exitNot', value: 0 })
})

it('waves are split where files are shared', () => {
  const tasks = [
    { id: 'a', wave: 1, files: ['x'] },
    { id: 'b', wave: 1, files: ['x', 'y'] },
    { id: 'c', wave: 1, files: ['z'] },
    { id: 'd', wave: 2, files: [] },
  ]
  expect(wavesOf(tasks)).toEqual([['a', 'c'], ['b'], ['d']])
})

describe('prose of several lines', () => {
  const read = (body: string) =>
    readPlaybookPlan(
      `<task type="auto">\n<name>T</name>\n<verify>\n${body}\n</verify>\n</task>\n`,
    ).tasks[0]?.criteria.map(({ commands, expectation }) => [...commands, expectation])

  it('goes on where a line says the outcome of the one before', () => {
    expect(read('Run: `grep -c bed a.md`\nExpected: 0')).toEqual([
      ['grep -c bed a.md', { op: 'equals', value: 0 }],
    ])
    expect(read('Run: `grep -c bed a.md`\n\n**Expected:** 2')).toEqual([
      ['grep -c bed a.md', { op: 'equals', value: 2 }],
    ])
    expect(read('`grep -c bed a.md`\nreturns 3.')).toEqual([['grep -c bed a.md', { op: 'equals', value: 3 }]])
    expect(read('`grep -c bed a.md`\n>= 3')).toEqual([['grep -c bed a.md', { op: 'atLeast', value: 3 }]])
  })

  it('is as many criteria as sentences that open with a command of their own', () => {
    expect(read('`grep -c bed a.md`\nreturns 3. `grep -c pond a.md` returns 1.')).toEqual([
      ['grep -c bed a.md', { op: 'equals', value: 3 }],
      ['grep -c pond a.md', { op: 'equals', value: 1 }],
    ])
  })

  it('begins anew with another command', () => {
    expect(read('`npm test` passes\n`npm run lint` passes')).toHaveLength(2)
  })
})

it.each(['[P]: ', '[P] — ', '[P] ✓ — ', 'of 4: ', '/4: ', '(optional) [P]: '])(
  'what stands between number and name of a task is no part of either: "%s"',
  (between) => {
    const { tasks } = readPlaybookPlan(`## Task 1: Pond\n\n## Task 2 ${between}Beds\n**Files**: \`a.md\`\n`)
    expect(tasks.map(({ id, title, files }) => [id, title, files])).toEqual([
      ['01', 'Pond', []],
      ['02', 'Beds', ['a.md']],
    ])
  },
)

it('files may stand in tags of their own', () => {
  const text =
    '<task type="auto">\n<name>T</name>\n<files><file>a.md</file><file>b/c d.md (new)</file>\n<file>e.md</file></files>\n</task>\n'
  expect(readPlaybookPlan(text).tasks[0]?.files).toEqual(['a.md', 'b/c d.md', 'e.md'])
})

describe('several commands in one criterion', () => {
  it.each([
    [
      'x -- verified by: `grep -c a f` (returns 3) and `grep -c b f` (returns 0)',
      'structural',
      { op: 'equals', value: 3 },
      [
        { op: 'equals', value: 3 },
        { op: 'equals', value: 0 },
      ],
    ],
    [
      // What is said last is said of both that stand before it.
      'x -- verified by: `npm test` passes, `grep a f` and `grep b f` (no match)',
      'execution',
      { op: 'exit', value: 0 },
      [{ op: 'exit', value: 0 }, { op: 'noMatch' }, { op: 'noMatch' }],
    ],
    [
      // Behind the last one nothing is said: it has to succeed, and prints no such number.
      'x -- verified by: `grep -rc a src | wc -l` (returns 0) and `npm test`',
      'structural',
      { op: 'equals', value: 0 },
      [
        { op: 'equals', value: 0 },
        { op: 'exit', value: 0 },
      ],
    ],
    [
      '`node a.mjs` exits 0; `node a.mjs --bad` exits 2',
      'execution',
      { op: 'exit', value: 0 },
      [
        { op: 'exit', value: 0 },
        { op: 'exit', value: 2 },
      ],
    ],
  ])('each has its own outcome: %s', (item, kind, expectation, expectations) => {
    expect(criterionOf(item)).toMatchObject({ kind, expectation, expectations })
  })

  it.each([
    ['x -- verified by: `a.sh` and `npm test` (exits 0)', { op: 'exit', value: 0 }],
    ['x -- verified by: `grep -c a f` (returns 1), `grep -c b f` (returns 1)', { op: 'equals', value: 1 }],
    ['x -- verified by: `npm test` and `npm run lint`', { op: 'exit', value: 0 }],
  ])('that are to come to the same have one: %s', (item, expectation) => {
    const read = criterionOf(item)
    expect(read.expectation).toEqual(expectation)
    expect(read).not.toHaveProperty('expectations')
  })

  it('one outcome that no program decides leaves all of it open', () => {
    const read = criterionOf('x -- verified by: `npm test` passes and `npm run page` looks good')
    expect(read).toMatchObject({ kind: 'unproven', expectation: null })
    expect(read).not.toHaveProperty('expectations')
  })
})

describe('behind `cd DIR &&`', () => {
  it.each([
    ['`cd app && test -f a.txt` — exists', 'structural', { op: 'exit', value: 0 }],
    ['`cd app && test ! -e a.txt` - the old file', 'structural', { op: 'exit', value: 0 }],
    ['`cd app && ls old.txt` should not exist', 'structural', { op: 'exitNot', value: 0 }],
    ['`cd app && grep -r todo src` is absent', 'structural', { op: 'noMatch' }],
    ['`cd app && grep -q a f` returns 1', 'structural', { op: 'exit', value: 1 }],
    ['`cd web; npm test` passes', 'execution', { op: 'exit', value: 0 }],
  ])('an outcome means what it means without it: %s', (item, kind, expectation) => {
    expect(criterionOf(item)).toMatchObject({ kind, expectation })
  })

  it('a server that is started to run on is no check', () => {
    expect(criterionOf('`cd web && npm run dev` passes').commands).toEqual([])
  })
})

describe('criteria with letters and numbers in brackets', () => {
  const listed = (...lines: string[]) =>
    read(
      task(['<acceptance_criteria>', ...lines, '</acceptance_criteria>'].join('\n')),
    ).tasks[0]?.criteria.map(({ text, commands }) => [text, ...commands])
  const wanted = [['The button is there'], ['The gate holds', 'node t.js'], ['The text is right']]
  const texts = [
    'The button is there',
    'The gate holds -- verified by: `node t.js` (exits 0)',
    'The text is right',
  ]

  it.each([
    ['a)', 'b)', 'c)'],
    ['(a)', '(b)', '(c)'],
    ['A.', 'B.', 'C.'],
    ['1)', '2)', '3)'],
    ['(1)', '(2)', '(3)'],
    ['i)', 'ii)', 'iii)'],
  ])('%s are one each', (...marks) => {
    const lines = texts.map((text, index) => `${marks[index]} ${text}`)
    expect(listed(...lines)).toEqual(wanted)
    expect(listed('- What holds', ...lines.map((line) => `  ${line}`))).toEqual([['What holds'], ...wanted])
  })

  it('in one line they are one each, too, and nothing in code is a mark', () => {
    expect(listed(`a) ${texts[0]}; b) ${texts[1]}, and c) ${texts[2]}`)).toEqual(wanted)
    expect(listed(`- (1) ${texts[0]} (2) ${texts[1]} (3) ${texts[2]}`)).toEqual(wanted)
    expect(listed('a) `grep -c "x b) y" a.md` returns 1')).toEqual([
      ['`grep -c "x b) y" a.md` returns 1', 'grep -c "x b) y" a.md'],
    ])
  })

  it('whoever either a) waits or b) goes is one; so is each that has an id', () => {
    expect(listed('Whoever either a) waits or b) goes is told')).toHaveLength(1)
    expect(listed('AC1: One is there', 'AC-2: Two is there', '**AC3**: Three is there')).toHaveLength(3)
  })
})

describe('criteria of the plan as a whole', () => {
  const planned = (...more: string[]) =>
    read(['<task type="auto">', '<name>Make it</name>', '</task>', '', ...more, ''].join('\n'))
  const texts = (...more: string[]) =>
    planned(...more).criteria.map(({ text, commands }) => [text, ...commands])

  it('stand below a heading as well as in a tag, up to the next part', () => {
    const items = ['- `npm test` passes', '- The page loads']
    const wanted = [['`npm test` passes', 'npm test'], ['The page loads']]
    expect(texts('<verification>', ...items, '</verification>')).toEqual(wanted)
    expect(texts('## Verification', '', ...items, '', '## Notes', '- `npm run lint` passes')).toEqual(wanted)
    expect(
      texts('### Plan Verification', ...items, '<output>', '- `npm run lint` passes', '</output>'),
    ).toEqual(wanted)
    expect(texts('## **Verification Steps:**', '### Automated', ...items)).toEqual(wanted)
  })

  it('of its success only those that say how they are shown', () => {
    const items = ['- [ ] Tests are green -- verified by: `npm test` (exits 0)', '- [ ] All tasks are done']
    const wanted = [['Tests are green', 'npm test']]
    expect(texts('<success_criteria>', ...items, '</success_criteria>')).toEqual(wanted)
    expect(texts('## Success Criteria', '', ...items)).toEqual(wanted)
    expect(texts('<success_criteria>', '- [ ] `npm test` passes', '</success_criteria>')).toEqual([])
  })

  it('are none of these', () => {
    expect(texts('## Verification of identities', '- `npm test` passes')).toEqual([])
    expect(texts('```', '## Verification', '- `npm test` passes', '```')).toEqual([])
    expect(texts('The `## Verification` of the plan', '- `npm test` passes')).toEqual([])
    expect(texts('## Artifacts', '- success criteria: verified by: `npm test`')).toEqual([])
  })
})

describe('what is denied', () => {
  it.each([
    ['`grep -n "old" src/a.ts` matches ZERO lines', { op: 'noMatch' }],
    ['`grep -n "old" src/a.ts` matches nothing', { op: 'noMatch' }],
    ['`grep -rn "old" src` finds 0 matches (all moved)', { op: 'equals', value: 0 }],
    ['Look for the old call (must NOT exist): `grep -n "old" src/a.ts`', { op: 'noMatch' }],
    ['The old call should no longer appear: `grep -n "old" src/a.ts`', { op: 'noMatch' }],
    ['No debugger left — `grep -rn debugger src`', { op: 'noMatch' }],
    ['No traces: `grep -c trace src/a.ts`', { op: 'noMatch' }],
    ['The old page must be gone: `test -f old.html`', { op: 'exitNot', value: 0 }],
  ])('is looked for in vain: %s', (item, expectation) => {
    expect(criterionOf(item).expectation).toEqual(expectation)
  })

  it.each([
    ['`grep -n "new" src/a.ts` matches', { op: 'match' }],
    ['`grep -n "new" src/a.ts` — must match', { op: 'match' }],
    ['The new call is there (NOT the old one): `grep -n "new" src/a.ts`', { op: 'exit', value: 0 }],
    ['No debugger left — `! grep -rn debugger src`', { op: 'exit', value: 0 }],
    ['The old page must be gone: `test ! -f old.html`', { op: 'exit', value: 0 }],
    ['No regressions: `npm test`', { op: 'exit', value: 0 }],
    ['No secrets in the log -- verified by: `grep -c hidden app.log`', { op: 'exit', value: 0 }],
  ])('and what is not: %s', (item, expectation) => {
    expect(criterionOf(item).expectation).toEqual(expectation)
  })

  it.each([
    '`npm audit` does NOT output a line containing `CVE-1`',
    '`npm run page` should not print anything that contains "error"',
    'No line is lost: `grep -v old src/a.ts`',
  ])('is not known of the output of others: %s', (item) => {
    expect(criterionOf(item)).toMatchObject({ kind: 'unproven', expectation: null })
  })
})

describe('numbers and words beside a command', () => {
  it.each([
    ['`wc -l README.md` shows 200+ lines', { op: 'atLeast', value: 200 }],
    ['`grep -c "^#" a.env` shows 6+ comment lines', { op: 'atLeast', value: 6 }],
    ['`grep -rn "pond" src` finds 3 matches', { op: 'equals', value: 3 }],
    ['`ls a.md b.md c.md` — all 3 files exist', { op: 'exit', value: 0 }],
    ['`npm run type-check` clean across the monorepo.', { op: 'exit', value: 0 }],
    ['`cargo clippy -- -D warnings` is clean on the build machine', { op: 'exit', value: 0 }],
  ])('are read as they are meant: %s', (item, expectation) => {
    expect(criterionOf(item).expectation).toEqual(expectation)
  })

  it.each([
    '`grep -c pond src/a.ts` shows 2.x in use',
    '`npm run lint` clean except for the old files',
    '`grep -rn "sources" tests` then filter by `.includes`/`.slice` by hand',
  ])('and decide nothing otherwise: %s', (item) => {
    expect(criterionOf(item).expectation).toBeNull()
  })
})

it.each(['`php -l` passes', '`node --check` passes', 'Syntax is fine: `bash -n`'])(
  'a look at the syntax of no file shows nothing: %s',
  (item) => {
    expect(criterionOf(item)).toMatchObject({ kind: 'unproven', expectation: null })
    expect(criterionOf(item.replace(/(-l|--check|-n)`/, '$1 src/pond.x`')).kind).toBe('execution')
  },
)

it('a number may stand before the word of a task', () => {
  const plan = read(
    '# Plan\n\n## 1. Task: Dig\n**Files:** a.md\n\n## 2. Task - Fill\n\n## 3. Notes\nNothing.\n',
  )
  expect(plan.tasks.map(({ id, title, files }) => [id, title, files])).toEqual([
    ['02-01', 'Dig', ['a.md']],
    ['02-02', 'Fill', []],
  ])
  expect(read('# Plan\n\n## 1. Task overview\n\n## 2. Task list\n').tasks).toEqual([])
})

describe('tasks of a person', () => {
  it('say what was built or is to be decided, why, and what to do', () => {
    const [look, decide] = read(
      `<task type="checkpoint:human-verify">\n<name>Look</name>\n<what-built>A page</what-built>\n<how-to-verify>\n1. Open it\n</how-to-verify>\n</task>\n<task type="checkpoint:decision">\n<decision>Which store?</decision>\n<context>One file, or many.</context>\n<options>\n<option id="a"><name>SQLite</name>\n<pros>fast</pros>\n<cons>binary</cons></option>\n<option id="b"><name>Files</name><cons>slow</cons></option>\n</options>\n</task>\n`,
    ).tasks
    expect(look?.action).toBe('A page\n1. Open it')
    expect(decide?.action).toBe('Which store?\nOne file, or many.')
    expect(decide?.options.map(({ name, text }) => [name, text])).toEqual([
      ['SQLite', 'for: fast; against: binary'],
      ['Files', 'against: slow'],
    ])
  })

  it('context of other tasks is no action', () => {
    const [first] = read(task('<name>A</name>\n<context>@file.md</context>\n<action>Do</action>')).tasks
    expect(first?.action).toBe('Do')
  })
})
