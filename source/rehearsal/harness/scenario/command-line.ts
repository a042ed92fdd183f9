import type { ScriptFile, ScriptFinding, ScriptPhase } from './script.js'

const reportModule = (width: string, none: string) => `import { inOrder } from './order.js'
import { daysOverdue, thirstyOn } from './thirst.js'

const waited = (days) => (days === 0 ? 'today' : days === 1 ? 'since yesterday' : \`for \${days} days\`)

/** Who is thirsty today, where it stands and how long it has waited. */
export function report(plants, today) {
  const thirsty = inOrder(thirstyOn(plants, today), today)
${none}  const title = \`Thirsty on \${today}\`
  const width = ${width}
  const rows = thirsty.map(
    (plant) => \`\${plant.name.padEnd(width)}  \${plant.room}, \${waited(daysOverdue(plant, today))}\`,
  )
  return [title, '-'.repeat(width), ...rows].join('\\n')
}
`

const emptyTest = `
test('nobody is thirsty on a good day, and in an empty house', () => {
  assert.equal(report([fern], '2030-04-02'), 'Nobody is thirsty on 2030-04-02.')
  assert.equal(report([], '2030-04-02'), 'Nobody is thirsty on 2030-04-02.')
})
`

const reportTest = (more: string) => `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { report } from '../src/report.js'

const fern = { name: 'Fern', every: 3, watered: '2030-04-01', room: 'bathroom' }
const basil = { name: 'Basil', every: 2, watered: '2030-04-03', room: 'kitchen' }

test('every thirsty plant has a row with its room and its waiting', () => {
  const rows = report([fern, basil], '2030-04-06').split('\\n')
  assert.equal(rows.length, 4)
  assert.equal(rows[0], 'Thirsty on 2030-04-06')
  assert.ok(rows.includes('Fern   bathroom, for 2 days'))
  assert.ok(rows.includes('Basil  kitchen, since yesterday'))
})

test('a plant whose day is today waits since today', () => {
  assert.match(report([fern], '2030-04-04'), /Fern  bathroom, today/)
})
${more}`

const reportFiles: ScriptFile[] = [
  {
    path: 'src/report.js',
    text: reportModule('Math.max(...thirsty.map((plant) => plant.name.length))', ''),
  },
  { path: 'test/report.test.js', text: reportTest('') },
]

const mendedReport: ScriptFile[] = [
  {
    path: 'src/report.js',
    text: reportModule(
      'Math.max(...thirsty.map((plant) => plant.name.length))',
      `  if (thirsty.length === 0) return \`Nobody is thirsty on \${today}.\`\n`,
    ),
  },
  { path: 'test/report.test.js', text: reportTest(emptyTest) },
]

const command: ScriptFile[] = [
  {
    path: 'bin/windowsill.js',
    text: `#!/usr/bin/env node
import { readFileSync } from 'node:fs'
import { readList } from '../src/list.js'
import { report } from '../src/report.js'
import { weekView } from '../src/week.js'

const [file = 'plants.txt', today = new Date().toISOString().slice(0, 10)] = process.argv.slice(2)
const { plants, problems } = readList(readFileSync(file, 'utf8'))
for (const problem of problems) console.error(\`\${file}, \${problem}\`)
console.log(report(plants, today))
console.log()
console.log(weekView(plants, today))
`,
  },
  {
    path: 'test/command.test.js',
    text: `import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'

const windowsill = (...args) => spawnSync(process.execPath, ['bin/windowsill.js', ...args], { encoding: 'utf8' })

test('the command lists who is thirsty and shows the week', () => {
  const { stdout, status } = windowsill('plants.txt', '2030-04-05')
  assert.equal(status, 0)
  assert.match(stdout, /^Thirsty on 2030-04-05$/m)
  assert.match(stdout, /^Fern .*bathroom, since yesterday$/m)
})
`,
  },
]

const readme: ScriptFile[] = [
  {
    path: 'readme.md',
    text: `# Windowsill

Windowsill keeps the plants of a house alive: it knows who is thirsty today and what the coming week looks like.

## The list

One line in \`plants.txt\` for each plant: name, days between waterings, last watered, room.

    Fern, 3, 2030-04-01, bathroom

## The command

    node bin/windowsill.js plants.txt 2030-04-05

Without a date it is today; without a file it is \`plants.txt\`. A line that cannot be read is told with its number.

## Tests

    npm test
`,
  },
  {
    path: 'package.json',
    text: `${JSON.stringify(
      {
        name: 'windowsill',
        version: '1.0.0',
        private: true,
        description: 'Knows which plants are thirsty today',
        type: 'module',
        bin: { windowsill: 'bin/windowsill.js' },
        scripts: { test: 'node --test' },
      },
      null,
      2,
    )}\n`,
  },
  {
    path: 'test/readme.test.js',
    text: `import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'

test('the command in the readme works as it is written', () => {
  const line = /^ {4}node (.+)$/m.exec(readFileSync('readme.md', 'utf8'))
  assert.ok(line, 'the readme shows the command')
  assert.equal(spawnSync(process.execPath, line[1].split(' ')).status, 0)
})
`,
  },
]

export const commandLine: ScriptPhase = {
  name: 'Command line',
  goal: 'Put it all behind one command that prints who is thirsty and the week.',
  thoughts: [
    'The parts are there; this phase only puts them in front of a person.',
    'The readme shows the command, and a test runs it as it is written there.',
  ],
  uncertainties: [],
  truths: [
    'The command prints who is thirsty and the coming week.',
    'The example in the readme works as it is written.',
  ],
  concerns: [],
  tasks: [
    {
      title: 'Write the report',
      dependsOn: 'none',
      steps: ['Write test/report.test.js.', 'Write report: a title, a line, a row for each thirsty plant.'],
      commit: 'feat(report): tell who is thirsty, where and since when',
      thought: 'Names in one column as wide as the longest, then the room and the waiting.',
      files: reportFiles,
      tests: ['test/report.test.js'],
    },
    {
      title: 'Add the command',
      dependsOn: 'Task 1',
      steps: ['Write test/command.test.js, which starts the command.', 'Write bin/windowsill.js.'],
      commit: 'feat(cli): print the report and the week',
      thought: 'A file, a date, two pictures. The command itself stays thin.',
      files: command,
      tests: ['test/command.test.js'],
    },
    {
      title: 'Show it in the readme',
      dependsOn: 'Task 2',
      steps: ['Describe the list and the command in readme.md.', 'Name the command in package.json.'],
      commit: 'docs: show the command in the readme',
      thought: 'An example that is never run goes stale, so a test runs it.',
      files: readme,
      tests: ['test/readme.test.js'],
    },
  ],
}

export const commandLineFindings: ScriptFinding[] = [
  {
    severity: 'blocking',
    file: 'src/report.js',
    needs: ['src/report.js'],
    title: 'The report crashes when nobody is thirsty',
    rationale:
      'The widest of no names is -Infinity, and a line of that length throws. An empty list, or simply a day on which all is watered, ends the command with a stack trace.',
    mark: /Math\.max\(\.\.\.thirsty/,
    probe: `const { report } = await import('./src/report.js')\nreport([], '2030-04-02')`,
    fix: {
      commit: 'fix(report): answer kindly when nobody is thirsty',
      thought: 'No plants, no table: that day deserves a sentence of its own.',
      files: mendedReport,
      tests: ['test/report.test.js'],
    },
  },
]

/** Seen only by who looks at all phases at once. */
export const finalFindings: ScriptFinding[] = [
  {
    severity: 'warning',
    file: 'bin/windowsill.js',
    needs: ['src/days.js', 'src/week.js', 'bin/windowsill.js'],
    title: 'Today is taken in UTC',
    rationale:
      'The days module counts in UTC, which is right for differences, but the command also asks it for the present day. Late in the evening west of Greenwich the list is already that of tomorrow.',
    mark: /toISOString/,
  },
]
