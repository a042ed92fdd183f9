import { describe, expect, it } from 'vitest'
import { Problem } from '../../../source/problem.js'
import { checkPlaybookFlags, passThreshold } from '../../../source/workflows/playbook/flags.js'
import { planFileName } from '../../../source/workflows/playbook/plan-files.js'
import { pickQuestion } from '../../../source/workflows/playbook/selection/pick-question.js'
import {
  mustSelect,
  type SelectablePhase,
  selectPhases,
} from '../../../source/workflows/playbook/selection/select.js'
import { statusTable } from '../../../source/workflows/playbook/selection/table.js'
import { isSelectorWord, readSelection } from '../../../source/workflows/playbook/selection/words.js'

const phase = (id: string, more: Partial<SelectablePhase> = {}): SelectablePhase => ({
  id,
  name: `Phase ${id}`,
  dependsOn: [],
  status: 'not_started',
  score: null,
  begun: false,
  ...more,
})
const done = (id: string, score: number | null = 9.2) => phase(id, { status: 'completed', score })
const flags = { complete: false, quality: false, gaps: false, force: false }
const roadmap = ['3', '3.1', '4', '4.1', '5', '5.1', '7', '999.1'].map((id) => phase(id))

const queue = (words: string, phases = roadmap, given = {}) =>
  selectPhases(phases, mustSelect(readSelection(words === '' ? [] : words.split(' ')), phases), {
    ...flags,
    ...given,
  }).queue

function problem(act: () => unknown): Problem {
  try {
    act()
  } catch (error) {
    if (error instanceof Problem) return error
    throw error
  }
  throw new Error('nothing was thrown')
}

describe('selectors', () => {
  it.each([
    ['3', ['3']],
    ['03.1', ['3.1']],
    ['3-5', ['3', '3.1', '4', '4.1', '5']],
    ['3,5,7', ['3', '5', '7']],
    ['7 3 4.1', ['3', '4.1', '7']],
    ['all', ['3', '3.1', '4', '4.1', '5', '5.1', '7']],
    ['next', ['3']],
    ['999.1', ['999.1']],
  ])('%s', (words, expected) => {
    expect(queue(words)).toEqual(expected)
  })

  it('are told from paths by their form', () => {
    const yes = ['3', '2.1', '12A', '3-7', '3,5,8', 'all', 'next', 'resume', 'status', 'new']
    const no = ['docs/a.md', 'everything', 'ROADMAP.md', '.planning', '--force']
    expect([yes.every(isSelectorWord), no.some(isSelectorWord)]).toEqual([true, false])
  })

  it('new says that another run is meant, and nothing of the phases', () => {
    expect(readSelection(['new'])).toEqual({ kind: 'none' })
    expect(readSelection(['new', 'all'])).toEqual({ kind: 'all' })
    expect(readSelection(['new', '3-7', '9'])).toEqual(readSelection(['3-7', '9']))
    for (const words of [
      ['new', 'resume'],
      ['new', 'status'],
      ['3', 'new'],
    ])
      expect(readSelection(words)).toEqual({ invalid: 'new' })
  })

  it('follow dependencies, and ids where they do not decide', () => {
    const phases = [phase('1', { dependsOn: ['3'] }), phase('2'), phase('3')]
    expect(queue('all', phases)).toEqual(['2', '3', '1'])
  })

  it('next is open, did not fail, waits for nothing, and what was begun goes first', () => {
    const phases = [
      done('1'),
      phase('2', { status: 'failed' }),
      phase('3', { dependsOn: ['2'] }),
      phase('4'),
      phase('5', { begun: true }),
    ]
    expect(queue('next', phases)).toEqual(['5'])
    expect(queue('next', phases.slice(0, 4))).toEqual(['4'])
  })

  it('leave out what is completed, and say so', () => {
    expect(
      selectPhases([done('1'), phase('2')], { kind: 'phases', parts: [{ id: '1' }, { id: '2' }] }, flags),
    ).toEqual({
      queue: ['2'],
      completed: ['1'],
    })
  })

  it('that name nothing are told with what there is', () => {
    expect(problem(() => queue('x!')).what).toBe("Error: 'x!' is not a valid phase number.")
    expect(problem(() => queue('x!')).why).toBe('Available phases: 3, 3.1, 4, 4.1, 5, 5.1, 7, 999.1')
    expect(problem(() => queue('6')).what).toBe('Error: Phase 6 not found in roadmap.')
    expect(problem(() => queue('3-6')).what).toBe('Error: Phase 6 not found in roadmap.')
  })
})

describe('flags', () => {
  const phases = [done('1', 9.9), done('2', 9), phase('3'), phase('4', { status: 'failed' })]

  it('--complete takes all that is outstanding', () => {
    expect(queue('', phases, { complete: true })).toEqual(['3', '4'])
  })

  it('--quality takes what is outstanding and what is below 9.5', () => {
    expect(queue('', phases, { quality: true })).toEqual(['2', '3', '4'])
    expect(queue('1', phases, { quality: true })).toEqual(['1'])
  })

  it('--gaps takes completed phases below 9.5, named ones below 9.8', () => {
    expect(queue('', phases, { gaps: true })).toEqual(['2'])
    expect(queue('1 2', phases, { gaps: true })).toEqual(['2'])
  })

  it('--force takes completed phases', () => {
    expect(queue('', phases, { force: true })).toEqual(['1', '2'])
  })

  it.each(['force', 'gaps'])('--%s of a phase that is not completed names its status', (flag) => {
    expect(problem(() => queue('3', phases, { [flag]: true })).what).toBe(
      'Error: Phase 3 is not started, not completed.',
    )
    expect(problem(() => queue('4', phases, { [flag]: true })).what).toBe(
      'Error: Phase 4 is failed, not completed.',
    )
  })

  it.each([
    ['force', 'complete'],
    ['force', 'quality'],
    ['force', 'gaps'],
    ['force', 'map'],
    ['gaps', 'complete'],
    ['gaps', 'quality'],
  ])('--%s and --%s exclude each other', (one, other) => {
    expect(problem(() => checkPlaybookFlags({ [one]: true, [other]: true })).what).toBe(
      `Error: --${one} and --${other} cannot be combined.`,
    )
  })

  it('others go together, and a number has to be one', () => {
    expect(() =>
      checkPlaybookFlags({ complete: true, map: true, lenient: true, checkpointEvery: '3' }),
    ).not.toThrow()
    expect(problem(() => checkPlaybookFlags({ checkpointEvery: 'x' })).what).toContain('--checkpoint-every x')
  })

  it('quality goes before lenient', () => {
    expect(
      [
        { quality: true, lenient: true },
        { quality: false, lenient: true },
        { quality: false, lenient: false },
      ].map(passThreshold),
    ).toEqual([9.5, 7, 9])
  })
})

it('the question names what would run', () => {
  const { options } = pickQuestion([done('1'), phase('2'), phase('3')])
  expect(options.map(({ value, consequence }) => [value, consequence]).slice(0, 2)).toEqual([
    ['all', 'run 2, 3'],
    ['next', 'only 2 Phase 2'],
  ])
  expect(options.at(-1)?.stops).toBe(true)
})

it('the table holds phase, status, score and duration', () => {
  expect(
    statusTable([
      { ...done('1', 8), minutes: 4.54 },
      { ...phase('12'), minutes: null },
    ]),
  ).toEqual([
    'Phase        Status       Score  Duration',
    '1 Phase 1    completed    8.0    4m 32s',
    '12 Phase 12  not started  -      -',
  ])
})

describe('plan files', () => {
  it.each([
    ['PLAN.md', { phase: undefined, plan: undefined }],
    ['02-PLAN.md', { phase: '02', plan: undefined }],
    ['02.1-03-PLAN.md', { phase: '02.1', plan: '03' }],
    ['02-PLAN-03.md', { phase: '02', plan: '03' }],
    ['02-03b-PLAN.md', { phase: '02', plan: '03b' }],
  ])('%s', (name, said) => {
    expect(planFileName(name)).toMatchObject(said)
  })

  it('are no outlines, kept copies or summaries', () => {
    expect(['02-01-OUTLINE.md', '02-01-PLAN.pre-bounce.md', '02-01-SUMMARY.md'].map(planFileName)).toEqual([
      undefined,
      undefined,
      undefined,
    ])
  })
})
