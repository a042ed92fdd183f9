import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { Question } from '../../../source/view/question.js'
import { createStage, type Played, planText, play, specText } from './stage.js'

// Specs and plans that were read wrongly once, as a run meets them: what is asked, what is on the list, what is shown
// unasked (docs/harness.md, "Spec grammar" and "Plan grammar").

const file = (path: string) =>
  readFileSync(new URL(`../../fixtures/cases/${path}.md`, import.meta.url), 'utf8')

const listed = (question: Question | undefined) =>
  question?.list?.items.map(({ id, name, dropped }) => `${id} ${name}${dropped ? ', off' : ''}`)

const three = ['1 Tree list', '2 Harvest notes', '10 Report']

describe('a spec is asked about, with every phase on the list', () => {
  test.each([
    [
      'decimals',
      ['1 Tree list', '2 Harvest notes', '2.1 Report', '1.10 Later', '3 Last'],
      /line 17.*line 23/is,
    ],
    ['letters', ['1 Tree list', '1a Harvest notes', 'B Report'], /line 11.*line 17/is],
    ['boldhead', three, /line 5.*line 11/is],
    ['nospace', three, /line 5/i],
    ['nbsp', three, /line 5/i],
    ['fullwidth', three, /Reading: headings/],
    ['setext', three, /Implementation Order.*line 3/s],
    ['unclosed', three, /code block that opens on line 17 never closes/],
    ['details', ['7 Shipped before, off', ...three], /Earlier milestone \(done\)/],
    ['dup', ['1 Tree list', '1 Harvest notes', '10 Report'], /label 1 is used twice, on lines 5 and 11/],
    [
      'done',
      ['1 Tree list ✅ COMPLETE, off', '2 Harvest notes', '10 Report, off'],
      /✅ COMPLETE.*struck through/s,
    ],
  ] as const)('%s', async (name, phases, told) => {
    const project = await createStage(file(`specs/${name}`))
    const played = await play(project, { answers: { 'Q-READING': 'stop' } })
    expect(played.gates).toEqual(['Q-READING'])
    expect(listed(played.asked[0])).toEqual(phases)
    expect(played.asked[0]?.body.join('\n')).toMatch(told)
    expect(played.dispatches).toEqual([])
  })
})

describe('a spec is read unasked, and what is no phase of it is shown', () => {
  const begun = async (name: string) => {
    const project = await createStage(file(`specs/${name}`))
    return play(project, { flags: { reviewPlans: true }, answers: { 'Q-APPROVE': 'stop' } })
  }
  const names = ({ state }: Played) => state.phases.map((phase) => phase.name)

  test.each([
    ['comment', [12]],
    ['comment1', [11]],
    ['commentsection', [6, 8]],
  ] as const)('%s', async (name, lines) => {
    const played = await begun(name)
    expect(played.gates).toEqual(['Q-APPROVE'])
    expect(names(played)).toEqual(['Tree list', 'Harvest notes', 'Report'])
    const shown = played.reports.flat().join('\n')
    for (const line of lines) expect(shown).toMatch(new RegExp(`In comments.*\\n.*line ${line}:`, 's'))
  })

  test('long', async () => {
    const played = await begun('long')
    expect(played.gates).toEqual(['Q-APPROVE'])
    expect(names(played).slice(1)).toEqual(['Harvest notes', 'Report'])
    expect(names(played)[0]?.length).toBeGreaterThan(1000)
    const shown = [...played.reports.flat(), ...(played.asked[0]?.body ?? []), played.asked[0]?.title ?? '']
    expect(Math.max(...shown.map((line) => line.length))).toBeLessThan(400)
  })
})

describe('phases that are not read are told where they stand', () => {
  const literal = (line: string) =>
    `# Seeds\n\n## Implementation Order\n\n### Phase 1: Box\n\nFold it.\n\n### Phase 2: List\n\nWrite it.\n\n${line}\n`

  test.each([
    '**Phase 7 (future): npm publishing**',
    '- **Phase 7 (one PR):** Store things. Then more.',
    '- **Phase 7** (Weeks -2 to 0): Prepare it.',
  ])('%s', async (line) => {
    const project = await createStage(literal(line))
    const played = await play(project, { answers: { 'Q-READING': 'stop' } })
    expect(played.gates).toEqual(['Q-READING'])
    expect(played.asked[0]?.body.join('\n')).toContain('line 13: ')
  })
})

describe('a plan', () => {
  const planned = async (name: string) => {
    const project = await createStage([{ name: 'Tree list' }])
    return play(project, {
      acts: {
        plan: async ({ brief }, here) => {
          await here.write(brief.planPath, file(`plans/${name}`))
          return { planPath: brief.planPath, concerns: [] }
        },
        execution: async ({ brief }, here) => {
          for (const name of ['a', 'b']) await here.write(`src/${name}.ts`, `export const ${name} = 1\n`)
          return { status: 'complete', completed: (brief.tasks ?? []).map(({ id }) => id) }
        },
      },
      answers: { 'Q-APPROVE': 'stop', 'human-verify': 'confirm' },
    })
  }

  test.each(['emoji', 'boldtask', 'phase', 'fullwidth', 'status', 'comment', 'nested'])(
    '%s: its three tasks are the tasks, and it approves itself',
    async (name) => {
      const played = await planned(name)
      expect(played.gates).not.toContain('Q-APPROVE')
      expect(played.reports.flat()).toContain('  Tasks: 3 (threshold: 15)')
      const [execution] = played.dispatches.filter(({ kind }) => kind === 'execution')
      expect(execution?.brief.tasks?.map(({ id, title }) => `${id} ${title}`)).toEqual([
        '1 Model',
        '2 Store',
        '3 Show',
      ])
    },
  )

  test.each([
    ['unclosed', /code block that opens on line 13 never closes/],
    ['dup', /Task 2 stands on line 13 and again on line 19/],
    ['letters', /Line 19 looks like a task.*Task A: Show/],
  ] as const)('%s: the gate opens and says which line', async (name, told) => {
    const played = await planned(name)
    expect(played.gates).toEqual(['Q-APPROVE'])
    expect(played.asked[0]?.body.join('\n')).toMatch(told)
  })
})

describe('a file of more than 2 MB', () => {
  const long = `\n${'A line that nobody reads.\n'.repeat(90_000)}`

  test('is asked about before a spec is read from it, however plain it is', async () => {
    const text = specText([{ name: 'Box' }, { name: 'List' }])
    const project = await createStage(`${text}${long}`)
    const played = await play(project, { answers: { 'Q-READING': 'stop' } })
    expect(played.gates).toEqual(['Q-READING'])
    expect(played.asked[0]?.body.join('\n')).toContain('The file has 2.2 MB, more than 2 MB')
    expect(listed(played.asked[0])).toEqual(['1 Box', '2 List'])
  })

  test('opens the gate where it is a plan', async () => {
    const project = await createStage([{ name: 'Box' }])
    const played = await play(project, {
      acts: {
        plan: async ({ brief }, here) => {
          await here.write(brief.planPath, `${planText(2)}${long}`)
          return { planPath: brief.planPath, concerns: [] }
        },
      },
      answers: { 'Q-APPROVE': 'stop' },
    })
    expect(played.gates).toEqual(['Q-APPROVE'])
    expect(played.asked[0]?.body.join('\n')).toContain('The file has 2.2 MB, more than 2 MB')
  })
})
