import { sampleSpecPath } from '../sample-files.js'
import type { ScriptFile, ScriptFinding, ScriptPhase } from './script.js'

const plant: ScriptFile[] = [
  {
    path: 'src/plant.js',
    text: `/** Reads one line of the list: \`name, days between waterings, last watered, room\`. */
export function parsePlant(line) {
  const [name, every = '', watered = '', room = 'windowsill'] = line.split(',').map((part) => part.trim())
  if (!name) throw new Error('a plant needs a name')
  if (!/^[1-9]\\d*$/.test(every)) throw new Error(\`\${name}: "\${every}" is not a number of days\`)
  if (!/^\\d{4}-\\d{2}-\\d{2}$/.test(watered)) throw new Error(\`\${name}: "\${watered}" is not a date\`)
  return { name, every: Number(every), watered, room }
}
`,
  },
  {
    path: 'test/plant.test.js',
    text: `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parsePlant } from '../src/plant.js'

test('a line names the plant, its rhythm, its last watering and its room', () => {
  assert.deepEqual(parsePlant('Fern, 3, 2030-04-01, bathroom'), {
    name: 'Fern',
    every: 3,
    watered: '2030-04-01',
    room: 'bathroom',
  })
})

test('a plant without a room stands on the windowsill', () => {
  assert.equal(parsePlant('Basil, 2, 2030-04-02').room, 'windowsill')
})

test('a line that cannot be read says why', () => {
  assert.throws(() => parsePlant(', 3, 2030-04-01'), /needs a name/)
  assert.throws(() => parsePlant('Fern, often, 2030-04-01'), /"often" is not a number of days/)
  assert.throws(() => parsePlant('Fern, 3, yesterday'), /"yesterday" is not a date/)
})
`,
  },
]

const daysTest: ScriptFile = {
  path: 'test/days.test.js',
  text: `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addDays, daysBetween } from '../src/days.js'

test('days are counted within a month', () => {
  assert.equal(daysBetween('2030-04-01', '2030-04-09'), 8)
  assert.equal(addDays('2030-04-01', 8), '2030-04-09')
})

test('days are counted across months of any length', () => {
  assert.equal(daysBetween('2030-01-31', '2030-03-01'), 29)
  assert.equal(addDays('2030-01-31', 29), '2030-03-01')
})

test('a leap year has its day more', () => {
  assert.equal(daysBetween('2032-02-28', '2032-03-01'), 2)
  assert.equal(addDays('2032-02-28', 1), '2032-02-29')
})

test('an earlier date is a negative count', () => {
  assert.equal(daysBetween('2031-01-02', '2030-12-30'), -3)
})
`,
}

const roughDays = (leap: string) => `const parts = (day) => day.split('-').map(Number)
const two = (number) => String(number).padStart(2, '0')
${leap}
/** Days since the year 0, with months of 30 days. */
const count = (day) => {
  const [year, month, date] = parts(day)
  return year * 365 + (month - 1) * 30 + (date - 1)${leap === '' ? '' : ' + leapDays(year, month)'}
}

/** Days from one date to another, both written like 2030-04-01. */
export const daysBetween = (from, to) => count(to) - count(from)

/** The date that many days later. */
export function addDays(day, days) {
  const total = count(day) + days
  const year = Math.floor(total / 365)
  const rest = total - year * 365
  return \`\${year}-\${two(Math.floor(rest / 30) + 1)}-\${two((rest % 30) + 1)}\`
}
`

const drafts: ScriptFile[][] = [
  [daysTest, { path: 'src/days.js', text: roughDays('') }],
  [
    daysTest,
    {
      path: 'src/days.js',
      text: roughDays(`
const leapDays = (year, month) => Math.floor(year / 4) + (year % 4 === 0 && month > 2 ? 1 : 0)
`),
    },
  ],
]

const days: ScriptFile[] = [
  daysTest,
  {
    path: 'src/days.js',
    text: `const dayMs = 24 * 60 * 60 * 1000

// Midnight in UTC: there every day has 24 hours, and the calendar is the platform's own.
const time = (day) => Date.parse(\`\${day}T00:00:00Z\`)

/** Days from one date to another, both written like 2030-04-01. */
export const daysBetween = (from, to) => (time(to) - time(from)) / dayMs

/** The date that many days later. */
export const addDays = (day, days) => new Date(time(day) + days * dayMs).toISOString().slice(0, 10)
`,
  },
]

const list: ScriptFile[] = [
  {
    path: 'src/list.js',
    text: `import { parsePlant } from './plant.js'

/** Reads the whole list. Blank lines and lines with \`#\` are skipped; a bad line is told, the others are read. */
export function readList(text) {
  const plants = []
  const problems = []
  text.split('\\n').forEach((line, index) => {
    const content = line.trim()
    if (content === '' || content.startsWith('#')) return
    try {
      plants.push(parsePlant(content))
    } catch (error) {
      problems.push(\`line \${index + 1}: \${error.message}\`)
    }
  })
  return { plants, problems }
}
`,
  },
  {
    path: 'test/list.test.js',
    text: `import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { readList } from '../src/list.js'

test('a bad line is told with its number and does not hide the others', () => {
  const { plants, problems } = readList('# ours\\n\\nFern, 3, 2030-04-01\\nIvy, soon, 2030-04-01\\nBasil, 2, 2030-04-02\\n')
  assert.deepEqual(
    plants.map((plant) => plant.name),
    ['Fern', 'Basil'],
  )
  assert.deepEqual(problems, ['line 4: Ivy: "soon" is not a number of days'])
})

test('the list of this house is readable', () => {
  assert.deepEqual(readList(readFileSync('plants.txt', 'utf8')).problems, [])
})
`,
  },
]

export const plantList: ScriptPhase = {
  name: 'Plant list',
  goal: 'Read the plant list with rhythm, last watering and room, and count days correctly.',
  thoughts: [
    'The list already has four columns, but the program reads only the first. I start there.',
    'Everything later counts days, so that gets a module and tests of its own.',
  ],
  uncertainties: [],
  truths: [
    'A line of plants.txt becomes a plant with name, rhythm, last watering and room.',
    'A bad line is reported with its number; the good ones are still read.',
    'Days between two dates are right across months and leap years.',
  ],
  concerns: [],
  overstep: {
    path: sampleSpecPath,
    from: '- A typo in the list is told with its line number and hides no other plant.',
    to: '- A typo in the list is told with its line number.',
    thought: 'That a typo hides no other plant is more than I can show, so I make the spec say less.',
  },
  tasks: [
    {
      title: 'Read one plant',
      dependsOn: 'none',
      steps: ['Write test/plant.test.js: four fields, a default room, three bad lines.', 'Write parsePlant.'],
      commit: 'feat(list): read one plant with rhythm, last watering and room',
      thought: 'One line, four fields, and a reason for each that is missing.',
      files: plant,
      tests: ['test/plant.test.js'],
    },
    {
      title: 'Count days',
      dependsOn: 'none',
      steps: [
        'Write test/days.test.js: within a month, across months, a leap year, backwards.',
        'Write daysBetween and addDays.',
      ],
      commit: 'feat(days): count days across months and leap years',
      thought: 'Dates are year, month and day; that should be simple arithmetic.',
      files: days,
      tests: ['test/days.test.js'],
      drafts,
      lesson: 'Counting days with months of 30 days is wrong from the first month on; use UTC midnights.',
    },
    {
      title: 'Read the whole list',
      dependsOn: 'Task 1',
      steps: ['Write test/list.test.js with a bad line in the middle.', 'Write readList.'],
      commit: 'feat(list): read the whole list and tell bad lines by number',
      thought: 'A typo in one line must not hide the other plants.',
      files: list,
      tests: ['test/list.test.js'],
    },
  ],
}

export const plantListFindings: ScriptFinding[] = [
  {
    severity: 'note',
    file: 'src/plant.js',
    needs: ['src/plant.js'],
    title: 'Dates that do not exist are accepted',
    rationale: 'The pattern looks at digits only, so 2030-13-45 passes and is counted as NaN days later.',
    mark: /is not a date/,
  },
]
