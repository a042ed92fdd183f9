import { describe, expect, it, test } from 'vitest'
import { readTaskTable } from '../../../source/workflows/lifecycle/scan/task-table.js'
import { batchesOf, testTasks } from '../../../source/workflows/lifecycle/scan/tasks.js'

// Tables of tasks as people and agents write them (docs/lifecycle.md, "Tasks and batches").

const head = '| Task | Name | Complexity | Dependencies | Epic |\n|------|------|------|------|------|\n'
const two = [
  { id: 'T-1', name: 'box', points: 3, dependencies: [], epic: 'Core' },
  { id: 'T-2', name: 'lid', points: 2, dependencies: ['T-1'], epic: 'Core' },
]

describe('the same two tasks', () => {
  const spellings: Record<string, string> = {
    'other heads, units, CRLF and a byte order mark':
      '\uFEFF# Tasks\r\n\r\n| Task ID | Title | Complexity (points) | Depends On | Epic |\r\n|---|---|---|---|---|\r\n| T-1 | box | 3 pts | — | Core |\r\n| **T-2** | lid | 2 SP | T-1 | Core |\r\n',
    'ids as links, two tables, a sum, rows of dots': `## First\n\n${head}| [T-1](todo/T-1_box.md) | box | 3 | None | Core |\n| ... | ... | ... | ... | ... |\n\n## Second\n\n${head}| \`T-2\` | lid | 2 | [T-1](todo/T-1_box.md) | Core |\n| **Total** | | **5** | | |\n`,
    'ID and Points':
      '| ID | Name | Points | Blocked by | Epic |\n|---|---|---|---|---|\n| T-1 | box | M (3) | none | Core |\n| T-2 | lid | 2 | T-1 (hard) | Core |\n',
  }
  for (const [name, text] of Object.entries(spellings)) {
    it(name, () => {
      const { tasks, warnings } = readTaskTable(text)
      expect(tasks).toEqual(two)
      expect(warnings).toEqual([])
    })
  }

  it('without the line under the head, or in a fence: read, and said', () => {
    const bare = head.split('\n')[0]
    const rows = '| T-1 | box | 3 | None | Core |\n| T-2 | lid | 2 | T-1 | Core |\n'
    for (const text of [`# Tasks\n${bare}\n${rows}`, `# Tasks\n\`\`\`\n${head}${rows}\`\`\`\n`]) {
      const { tasks, warnings } = readTaskTable(text)
      expect(tasks).toEqual(two)
      expect(warnings).toEqual([expect.stringMatching(/^Line [23]: the table is not a whole one/)])
    }
  })
})

describe('what is not right has its line', () => {
  const warningsOf = (rows: string) => readTaskTable(`${head}${rows}`).warnings

  it('a half-written row is a task without points, the same id counts once, unknown dependencies are named', () => {
    const { tasks, warnings } = readTaskTable(
      `${head}| T-1 | box | 3 | T-9 | Core |\n| T-1 | box | 5 | None | Core |\n| T-2 | li\n`,
    )
    expect(tasks.map(({ id, points }) => [id, points])).toEqual([
      ['T-1', 3],
      ['T-2', 0],
    ])
    expect(warnings).toEqual([
      'Line 3: T-1 depends on T-9, which the table does not have.',
      'Line 4: task T-1 is there again; the first one counts.',
      'Line 5: the row has 2 of 5 cells.',
      'Line 5: task T-2 has no complexity; 0 is taken.',
    ])
  })

  it('tasks that wait for each other are named, and batches are still made', () => {
    const rows =
      '| T-1 | a | 1 | T-2 | C |\n| T-2 | b | 1 | T-1 | C |\n| T-3 | c | 1 | T-2 | C |\n| T-4 | d | 1 | None | C |\n'
    expect(warningsOf(rows)).toEqual([
      'Line 3: these tasks wait for each other: T-1, T-2; batches begin with the first.',
    ])
    const { tasks } = readTaskTable(`${head}${rows}`)
    expect(batchesOf(tasks, { maxTasks: 4, maxPoints: 20 })).toEqual([['T-4'], ['T-1'], ['T-2'], ['T-3']])
  })

  it('a table in another language is not read, and its rows are counted', () => {
    expect(readTaskTable('| Задача | Зависимости |\n|---|---|\n| T-1 | нет |\n| T-2 | T-1 |\n')).toEqual({
      tasks: [],
      declared: { tasks: null, points: null },
      warnings: ['Line 1: the table has no columns Task and Dependencies; its 2 rows are not read.'],
    })
  })
})

test('dependencies in words: all before, and from one to another', () => {
  const { tasks } = readTaskTable(
    `${head}| T-01 | a | 1 | - | C |\n| T-02 | b | 1 | - | C |\n| T-03 | c | 1 | - | C |\n| T-04 | d | 1 | T-01 through T-03 | C |\n| T-05 | e | 1 | All previous tasks | C |\n`,
  )
  expect(tasks.map(({ dependencies }) => dependencies.length)).toEqual([0, 0, 0, 3, 4])
})

test('declared numbers: list marks, bold labels, a mark between thousands', () => {
  expect(readTaskTable('- **Total Tasks:** 87\n- Total complexity points: 1,294 SP\n').declared).toEqual({
    tasks: 87,
    points: 1294,
  })
})

test('test tasks of a table whose epics are numbers: by the name of a file, and what waits for it', () => {
  const { tasks } = readTaskTable(
    `${head}| K-1 | test_bench | 3 | None | K-90 |\n| K-2 | shop_window | 5 | K-1 | K-90 |\n| K-3 | old_shelves | 1 | None | K-91 |\n`,
  )
  expect([...testTasks(tasks, [])]).toEqual(['K-1', 'K-2'])
})

test('a chain of a thousand tasks and one of everything is read at once', () => {
  const rows = Array.from(
    { length: 3000 },
    (_, at) => `| T-${at} | n | 1 | ${at % 2 === 0 ? 'all' : `T-${at - 1}`} | C |`,
  )
  const { tasks, warnings } = readTaskTable(`${head}${rows.join('\n')}\n`)
  expect(tasks).toHaveLength(2000)
  expect(warnings).toContain('Line 2003: only the first 2000 tasks are read, of 3000.')
})

test('signs beside ids, points in words, and columns by other heads', () => {
  const table = [
    '| ID | Title | Effort | Requires |',
    '|---|---|---|---|',
    '| T-1 ✅ | a | three | - |',
    '| 🔄 T-2 | b | 5 SP | T-1 |',
    '| T-3 | c | M (2) | T-1, T-2 |',
  ]
  const { tasks, warnings } = readTaskTable(`${table.join('\n')}\n`)
  expect(tasks.map(({ id, points, dependencies }) => [id, points, dependencies])).toEqual([
    ['T-1', 3, []],
    ['T-2', 5, ['T-1']],
    ['T-3', 2, ['T-1', 'T-2']],
  ])
  expect(warnings).toEqual([])
})

describe('dependencies are found in the words that people write', () => {
  const rows =
    '| T-1 | box | 3 | None | Core |\n| T-2 | lid | 2 | T-1 | Core |\n| T-3 | key | 1 | T-1 | Core |\n'
  const last = (said: string) => {
    const { tasks, warnings } = readTaskTable(`${head}${rows}| T-4 | last | 1 | ${said} | Core |\n`)
    return { dependencies: tasks[3]?.dependencies, warnings }
  }

  it.each([
    'T-1, T-2, T-3',
    'T-1/T-2/T-3',
    'T-1+T-2+T-3',
    'T-1 & T-2 & T-3.',
    'T-1<br>T-2<br/>T-3',
    'T-1: hard; T-2: soft; T-3 (soft)',
    'T-1..T-3',
    'T-1-T-3',
    'T-1\u2013T-3',
    'T-1\u20143',
    'T-1_box, T-2_lid.md, T-3',
    'box, Lid, T-3',
    'T-1 ... T-3',
  ])('%s', (said) => {
    expect(last(said)).toEqual({ dependencies: ['T-1', 'T-2', 'T-3'], warnings: [] })
  })

  it.each(['\u2014', '-', 'N/A', 'none', '(none)', 'No dependencies', 'Independent'])(
    '%s is none',
    (said) => {
      expect(last(said)).toEqual({ dependencies: [], warnings: [] })
    },
  )

  it('and what names none is told', () => {
    expect(last('all product tasks').warnings).toEqual([
      'Line 6: T-4 depends on "all product tasks", which the table does not have.',
    ])
    expect(last('T-1_5x, T-9').warnings).toEqual([
      'Line 6: T-4 depends on T-9, which the table does not have.',
    ])
  })

  it('also as ranges of bare numbers, and by the number of a row', () => {
    const bare = readTaskTable(
      `${head}| 01 | a | 1 | None | C |\n| 02 | b | 1 | 01 | C |\n| 03 | c | 1 | 01-02 | C |\n| 04 | d | 1 | 1 | C |\n`,
    )
    expect(bare.tasks.map(({ dependencies }) => dependencies)).toEqual([[], ['01'], ['01', '02'], []])
    const numbered = readTaskTable(
      '| # | Task | Complexity | Deps | Epic |\n|---|---|---|---|---|\n| 1 | Setup | 3 | - | C |\n| 2 | Login | 3 | 1 | C |\n| 3 | Pay | 3 | 1 and 2 | C |\n| 4 | Ship | 3 | Pay (1 day) | C |\n',
    )
    expect(numbered.warnings).toEqual([])
    expect(numbered.tasks.map(({ id, dependencies }) => [id, dependencies])).toEqual([
      ['Setup', []],
      ['Login', ['Setup']],
      ['Pay', ['Setup', 'Login']],
      ['Ship', ['Pay']],
    ])
    expect(batchesOf(numbered.tasks, { maxTasks: 4, maxPoints: 20 })).toHaveLength(4)
  })
})

describe('tables of other shapes', () => {
  it.each([
    ['Ticket | Task | Est. | Deps | Epic', 'T-1 | box | 3 | - | Core', 'T-2 | lid | 2 | T-1 | Core'],
    [
      'ID | Task | SP | Prerequisites | Epic',
      'T-1 | box | 3 | none | Core',
      '[ ] T-2 | lid | 2 | T-1 | Core',
    ],
    [
      'Jira Key | Summary | Story Points | Depends On | Epic',
      'T-1 | box | 3 | none | Core',
      'T-2.md | lid | 2 | T-1 | Core',
    ],
    [
      'Task | Name | Complexity | Deps | Key files | Epic',
      'T-1 | box | 3 | none | a.ts | Core',
      'T-2 | lid | 2 | T-1 | b.ts | Core',
    ],
  ])('with the heads %s', (heads, one, other) => {
    const line = heads.replaceAll(/[^|]+/g, '---')
    const { tasks, warnings } = readTaskTable(`| ${heads} |\n|${line}|\n| ${one} |\n| ${other} |\n`)
    expect(warnings).toEqual([])
    expect(tasks).toEqual(two)
  })

  it('rows that are titles of others are no tasks, and points may be halves', () => {
    const { tasks, warnings } = readTaskTable(
      `${head}| **Epic 1: Core** | | | | |\n| T-1 | box | 2.5 | None | Core |\n| Later | | | | |\n| T-2 | lid | 1,5 | None | Core |\n| T-3 | | | | |\n`,
    )
    expect(tasks.map(({ id, points }) => [id, points])).toEqual([
      ['T-1', 2.5],
      ['T-2', 1.5],
      ['T-3', 0],
    ])
    expect(warnings).toEqual(['Line 7: task T-3 has no complexity; 0 is taken.'])
  })

  it('a task that is struck out is counted, and told', () => {
    const { tasks, warnings } = readTaskTable(
      `${head}| ~~T-1~~ | box | 3 | None | Core |\n| T-2 | lid | 2 | T-1 | Core |\n`,
    )
    expect(tasks).toEqual(two)
    expect(warnings).toEqual(['Line 3: task T-1 is struck out; it is counted.'])
  })

  it('points and dependencies in two tables are brought together; the same said again is no other row', () => {
    const points =
      '| Task | Name | Complexity | Epic |\n|---|---|---|---|\n| T-1 | box | 3 | Core |\n| T-2 | lid | 2 | Core |\n'
    const matrix = '| Task | Depends on |\n|---|---|\n| T-1 | - |\n| T-2 | T-1 |\n'
    expect(readTaskTable(`${points}\n## Order\n\n${matrix}`)).toMatchObject({ tasks: two, warnings: [] })
    const whole = `${head}| T-1 | box | 3 | None | Core |\n| T-2 | lid | 2 | T-1 | Core |\n`
    expect(readTaskTable(`${whole}\n## Order\n\n${matrix}`)).toMatchObject({ tasks: two, warnings: [] })
    const other = matrix.replace('T-2 | T-1', 'T-2 | -')
    expect(readTaskTable(`${whole}\n## Order\n\n${other}`)).toMatchObject({
      tasks: two,
      warnings: ['Line 11: task T-2 is there again; the first one counts.'],
    })
  })
})
