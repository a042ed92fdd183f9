import type { ScriptFile, ScriptFinding, ScriptOption, ScriptPhase } from './script.js'

const thirst: ScriptFile[] = [
  {
    path: 'src/thirst.js',
    text: `import { addDays, daysBetween } from './days.js'

/** The date on which a plant wants water again. */
export const nextWatering = (plant) => addDays(plant.watered, plant.every)

/** Days a plant has waited beyond its rhythm; 0 on the day itself, negative before. */
export const daysOverdue = (plant, today) => daysBetween(nextWatering(plant), today)

export const thirstyOn = (plants, today) => plants.filter((plant) => daysOverdue(plant, today) >= 0)
`,
  },
  {
    path: 'test/thirst.test.js',
    text: `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { daysOverdue, nextWatering, thirstyOn } from '../src/thirst.js'

const fern = { name: 'Fern', every: 3, watered: '2030-04-01', room: 'bathroom' }
const cactus = { name: 'Cactus', every: 21, watered: '2030-03-20', room: 'study' }

test('a plant wants water after its rhythm', () => {
  assert.equal(nextWatering(fern), '2030-04-04')
  assert.equal(nextWatering(cactus), '2030-04-10')
})

test('waiting is counted from that day on', () => {
  assert.equal(daysOverdue(fern, '2030-04-04'), 0)
  assert.equal(daysOverdue(fern, '2030-04-06'), 2)
  assert.equal(daysOverdue(fern, '2030-04-03'), -1)
})

test('only plants whose day has come are thirsty', () => {
  assert.deepEqual(thirstyOn([fern, cactus], '2030-04-05'), [fern])
})
`,
  },
]

const orderModule = (usual?: string) => `import { daysOverdue } from './thirst.js'
${usual === undefined ? '' : `\n/** How the list is shown when nobody asks for another order (docs/decisions/listing-order.md). */\nexport const usualOrder = '${usual}'\n`}
const compare = (one, other) => (one < other ? -1 : one > other ? 1 : 0)

const orders = {
  'thirstiest first': (today) => (one, other) =>
    daysOverdue(other, today) - daysOverdue(one, today) || compare(one.name, other.name),
  'by room': () => (one, other) => compare(one.room, other.room) || compare(one.name, other.name),
  'by name': () => (one, other) => compare(one.name, other.name),
}

/** The plants in one of the orders; the given list is left as it is. */
export const inOrder = (plants, today, order${usual === undefined ? '' : ' = usualOrder'}) => [...plants].sort(orders[order](today))
`

const expected: Record<string, string> = {
  'thirstiest first': "['Fern', 'Basil', 'Ivy']",
  'by room': "['Basil', 'Ivy', 'Fern']",
  'by name': "['Basil', 'Fern', 'Ivy']",
}

const orderTest = (usual?: string) => `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inOrder } from '../src/order.js'

const plants = [
  { name: 'Ivy', every: 5, watered: '2030-04-01', room: 'kitchen' },
  { name: 'Fern', every: 3, watered: '2030-04-01', room: 'study' },
  { name: 'Basil', every: 4, watered: '2030-04-01', room: 'kitchen' },
]
const names = (order) => inOrder(plants, '2030-04-08', order).map((plant) => plant.name)

${Object.entries(expected)
  .map(([order, list]) => `test('${order}', () => assert.deepEqual(names('${order}'), ${list}))`)
  .join('\n')}
${usual === undefined ? '' : `\ntest('usually ${usual}', () => assert.deepEqual(names(), ${expected[usual]}))\n`}`

const orderFiles = (usual?: string): ScriptFile[] => [
  { path: 'src/order.js', text: orderModule(usual) },
  { path: 'test/order.test.js', text: orderTest(usual) },
]

const option = (label: string, because: string): ScriptOption => ({
  label,
  files: [
    ...orderFiles(label),
    {
      path: 'docs/decisions/listing-order.md',
      text: `# Order of the list\n\nThirsty plants are listed **${label}**: ${because}\n\nThe other orders stay available by name in src/order.js.\n`,
    },
  ],
})

const weekHead = `import { addDays } from './days.js'
import { nextWatering } from './thirst.js'

const daysOfWeek = (today) => [0, 1, 2, 3, 4, 5, 6].map((ahead) => addDays(today, ahead))

/** The days of the coming week on which a plant is watered if nobody forgets; one that is late comes first. */
function waterings(plant, week) {
  const days = new Set()
  const next = nextWatering(plant)
  for (let day = next < week[0] ? week[0] : next; day <= week[6]; day = addDays(day, plant.every)) days.add(day)
  return days
}
`

const weekTest = (body: string) => `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { weekView } from '../src/week.js'

const fern = { name: 'Fern', every: 3, watered: '2030-04-01', room: 'bathroom' }
const cactus = { name: 'Cactus', every: 21, watered: '2030-03-20', room: 'study' }

${body}`

const grid: ScriptFile[] = [
  {
    path: 'src/week.js',
    text: `${weekHead}
/** The coming week as a grid: one row for each plant, a star where it is watered. */
export function weekView(plants, today) {
  const week = daysOfWeek(today)
  const width = plants.reduce((widest, plant) => Math.max(widest, plant.name.length), 0)
  const heading = [''.padEnd(width), ...week.map((day) => day.slice(8))].join('  ')
  const rows = plants.map((plant) => {
    const days = waterings(plant, week)
    return [plant.name.padEnd(width), ...week.map((day) => (days.has(day) ? ' *' : ' .'))].join('  ')
  })
  return [heading, ...rows].join('\\n')
}
`,
  },
  {
    path: 'test/week.test.js',
    text: weekTest(`test('a row for each plant, a star on its days', () => {
  assert.equal(
    weekView([fern, cactus], '2030-04-05'),
    [
      '        05  06  07  08  09  10  11',
      'Fern     *   .   .   *   .   .   *',
      'Cactus   .   .   .   .   .   *   .',
    ].join('\\n'),
  )
})
`),
  },
]

const diary: ScriptFile[] = [
  {
    path: 'src/week.js',
    text: `${weekHead}
/** The coming week as a diary: one line for each day, with the plants that are watered. */
export function weekView(plants, today) {
  const week = daysOfWeek(today)
  const calendar = plants.map((plant) => ({ name: plant.name, days: waterings(plant, week) }))
  return week
    .map((day) => {
      const names = calendar.filter(({ days }) => days.has(day)).map(({ name }) => name)
      return \`\${day}  \${names.join(', ') || 'nobody'}\`
    })
    .join('\\n')
}
`,
  },
  {
    path: 'test/week.test.js',
    text: weekTest(`test('a line for each day, with the plants of that day', () => {
  const lines = weekView([fern, cactus], '2030-04-05').split('\\n')
  assert.equal(lines.length, 7)
  assert.equal(lines[0], '2030-04-05  Fern')
  assert.equal(lines[1], '2030-04-06  nobody')
  assert.equal(lines[5], '2030-04-10  Cactus')
})
`),
  },
]

export const wateringWeek: ScriptPhase = {
  name: 'Watering week',
  goal: 'Know who is thirsty today, in a useful order, and show the coming week.',
  thoughts: [
    'Thirst follows from the last watering and the rhythm; that part is plain.',
    'The spec leaves the order of the list open. I will not guess it, so it becomes a decision.',
    'A picture of the week has to please the eye. A person should look at it.',
  ],
  uncertainties: [
    'The order in which thirsty plants are listed: asked in Task 2.',
    'What a watering ahead of its day does to the rhythm: the plan counts from the last watering.',
  ],
  truths: [
    'A plant is thirsty from its day on, and the days it has waited are known.',
    'The list has one usual order, chosen by a person and written down.',
    'The coming week can be read at a glance.',
  ],
  concerns: [
    'The spec does not say what happens to the rhythm when a plant is watered early; the plan counts from the last watering.',
  ],
  tasks: [
    {
      title: 'Know who is thirsty',
      dependsOn: 'none',
      steps: ['Write test/thirst.test.js.', 'Write nextWatering, daysOverdue and thirstyOn.'],
      commit: 'feat(thirst): know who wants water and for how long',
      thought: 'The next watering is the last one plus the rhythm, nothing more.',
      files: thirst,
      tests: ['test/thirst.test.js'],
    },
    {
      title: 'Choose the order of the list',
      dependsOn: 'Task 1',
      steps: [
        'Write the three orders and their tests.',
        'Ask which one is usual.',
        'Make it the default and write the decision down in docs/decisions/listing-order.md.',
      ],
      commit: 'feat(order): list plants in the chosen order',
      thought: 'All three orders are short, so I write them all; which one is usual is not mine to say.',
      files: orderFiles(),
      tests: ['test/order.test.js'],
      checkpoint: {
        type: 'decision',
        prompt: 'In which order should thirsty plants be listed?',
        options: [
          option('thirstiest first', 'whoever waited longest is watered first.'),
          option('by room', 'one walk through the house waters everybody.'),
          option('by name', 'a plant is always found in the same place.'),
        ],
      },
    },
    {
      title: 'Draw the week',
      dependsOn: 'Task 1',
      steps: ['Write test/week.test.js with the expected picture.', 'Write weekView.', 'Let a person look.'],
      commit: 'feat(week): draw the coming week',
      thought: 'Seven columns, one row for each plant, a star for water.',
      files: grid,
      tests: ['test/week.test.js'],
      checkpoint: {
        type: 'human-verify',
        prompt: 'Can you read at a glance who is watered when?',
        show: `import { readFileSync } from 'node:fs'
const { readList } = await import('./src/list.js')
const { weekView } = await import('./src/week.js')
console.log(weekView(readList(readFileSync('plants.txt', 'utf8')).plants, '2030-04-05'))`,
        layouts: [grid, diary],
      },
    },
  ],
}

export const wateringWeekFindings: ScriptFinding[] = [
  {
    severity: 'warning',
    file: 'src/week.js',
    needs: ['src/week.js'],
    title: 'A plant that is late is drawn as watered today',
    rationale:
      'The week assumes that every late plant is watered on its first day. That is a good guess, but nothing tells the reader that it is one.',
    mark: /next < week\[0\]/,
  },
]
