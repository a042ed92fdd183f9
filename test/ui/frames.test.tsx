import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { Showing } from '../../source/ui/app.js'
import { createFrameStore } from '../../source/ui/frame-store.js'
import type { RunSnapshot } from '../../source/view/view.js'
import {
  createTestStore,
  pane,
  questions,
  recordControls,
  snapshotOf,
  startData,
  startOfRun,
  threeAgents,
  withEvidence,
} from './fixtures.js'
import { cleanup, frameFaults, openStage } from './stage.js'
import { filledSnapshot, readingControls } from './view-fixtures.js'

const sizes = [
  { columns: 80, rows: 24 },
  { columns: 120, rows: 40 },
  { columns: 60, rows: 15 },
  { columns: 200, rows: 60 },
] as const

function running(change: Partial<RunSnapshot> = {}): Showing {
  const frames = createFrameStore(createTestStore(snapshotOf(change)), () => startOfRun + 725_000)
  return { kind: 'run', frames, controls: readingControls(recordControls()), onStop: () => undefined }
}

async function framesOf(showing: () => Showing, keys = ''): Promise<string> {
  const frames: string[] = []
  for (const size of sizes) {
    const stage = await openStage({ ...size, armAfter: 3_600_000 }, showing())
    for (const key of keys) await stage.type(key)
    const frame = stage.frame()
    expect(frameFaults(frame, size.columns, size.rows)).toEqual([])
    frames.push(`${size.columns}x${size.rows}\n${frame}\n`)
    cleanup()
  }
  return frames.join('\n')
}

beforeAll(() => {
  process.env.TZ = 'UTC'
})
afterEach(cleanup)

describe('every question has a frame at every size', () => {
  for (const question of questions) {
    it(question.gate, async () => {
      const frames = await framesOf(() => running({ question }))
      for (const option of question.options)
        expect(frames.split(option.label.slice(0, 20)).length).toBeGreaterThan(3)
      await expect(frames).toMatchFileSnapshot(`frames/question-${question.gate.toLowerCase()}.txt`)
    })
  }
})

const many = Array.from({ length: 30 }, (_, index) =>
  pane(`p${index}`, `Task ${index}`, 'ok', [{ kind: 'text', text: `out ${index}` }]),
)
const endless = pane('e', 'Endless', 'running', [{ kind: 'text', text: 'x'.repeat(200_000) }])
const plan = Array.from(
  { length: 90 },
  (_, index) => `step ${index + 1} of the plan, ${'word '.repeat(index % 30)}`,
)

const screens: Record<string, { showing: () => Showing; keys?: string }> = {
  run: { showing: () => running() },
  'run-held': { showing: () => running({ status: 'held', banner: 'The disk is full: 12 MB left' }) },
  'run-fresh': {
    showing: () =>
      running({
        panes: [],
        tasks: [],
        status: 'starting',
        reports: [],
        usage: { inputTokens: 0, outputTokens: 0 },
      }),
  },
  'run-resumed': {
    showing: () =>
      running({
        recap: [
          'EXECUTE, phase 2 of 4, since yesterday',
          '3 commits, 1 retry',
          'Q-APPROVE was answered: yes',
        ],
      }),
  },
  'run-many-panes': { showing: () => running({ panes: many }) },
  'run-endless-line': { showing: () => running({ panes: [endless] }) },
  'run-no-phases': {
    showing: () =>
      running({ view: { ...snapshotOf().view, phases: [], steps: [], currentPhase: undefined } }),
  },
  'run-message': { showing: () => running(), keys: 'shello' },
  'run-three-agents': { showing: () => running(threeAgents()) },
  'run-three-agents-chosen': {
    showing: () => {
      const three = threeAgents()
      const panes = three.panes?.map((one) =>
        one.id === 'p2' ? { ...one, status: 'suspended' as const } : one,
      )
      return running({ ...three, ...(panes ? { panes } : {}) })
    },
    keys: '\t\ts',
  },
  'run-three-agents-asking': { showing: () => running({ ...threeAgents(), question: questions[5] }) },
  'question-evidence': { showing: () => running({ question: withEvidence }), keys: '\t' },
  evidence: { showing: () => running({ question: withEvidence }), keys: '\t\r' },
  'run-suspended': { showing: () => running({ status: 'suspended' }) },
  'run-stopping': {
    showing: () => running({ status: 'stopping', stoppingSince: startOfRun + 720_000 }),
  },
  'question-countdown': {
    showing: () =>
      running({
        question: {
          ...questions[14]!,
          countdown: { until: new Date(startOfRun + 725_000 + 842_000).toISOString(), value: 'yes' },
        },
      }),
  },
  'run-help': { showing: () => running(), keys: '?' },
  'run-timeline': { showing: () => running(), keys: 't' },
  'run-full': { showing: () => running(), keys: 'w' },
  ...Object.fromEntries(
    Object.entries({
      plan: 'l',
      diff: 'D',
      findings: 'F',
      evidence: 'E',
      decisions: 'C',
      costs: 'M',
      log: 'L',
    }).map(([name, keys]) => [`view-${name}`, { showing: () => running(filledSnapshot()), keys }]),
  ),
  'question-to-read': { showing: () => running(filledSnapshot({ question: questions[5] })) },
  'run-search': { showing: () => running(), keys: '/' },
  'question-long': {
    showing: () =>
      running({
        question: {
          ...questions[5]!,
          body: plan,
          title: `A title that is longer than the screen is wide ${'and longer '.repeat(12)}`,
        },
      }),
  },
  'question-many-options': {
    showing: () =>
      running({
        question: {
          ...questions[7]!,
          options: Array.from({ length: 25 }, (_, index) => ({
            value: `v${index}`,
            label: `answer ${index}`,
            consequence: 'c '.repeat(80),
          })),
        },
      }),
  },
  start: { showing: () => ({ kind: 'choose', data: startData, onChoose: () => undefined }) },
  'start-empty': {
    showing: () => ({
      kind: 'choose',
      data: { project: '/p', sessions: [], candidates: [], notices: [], lookedFor: startData.lookedFor },
      onChoose: () => undefined,
    }),
  },
  'start-workflows': {
    showing: () => {
      const [first, ...others] = startData.sessions
      const sessions = [...(first ? [{ ...first, workflow: 'playbook' }] : []), ...others]
      return { kind: 'choose', data: { ...startData, sessions }, onChoose: () => undefined }
    },
  },
  'start-typing': {
    showing: () => ({ kind: 'choose', data: startData, onChoose: () => undefined }),
    keys: '/x',
  },
  ask: {
    showing: () => ({ kind: 'ask', question: questions[2]!, header: 'Trust', onAnswer: () => undefined }),
  },
  done: {
    showing: () => ({
      kind: 'done',
      title: 'Mail rules is done',
      lines: ['4 phases', 'x'.repeat(300), ...plan],
      onClose: () => undefined,
    }),
  },
}

describe('every screen has a frame at every size', () => {
  for (const [name, { showing, keys }] of Object.entries(screens)) {
    it(name, async () => {
      await expect(await framesOf(showing, keys)).toMatchFileSnapshot(`frames/${name}.txt`)
    })
  }
})

describe('frames in every terminal', () => {
  it('is ASCII where the terminal has nothing else', async () => {
    for (const showing of [
      running({ panes: [], question: questions[5] }),
      running({ panes: [] }),
      screens.start!.showing(),
    ]) {
      const stage = await openStage({ columns: 80, rows: 24, unicode: false }, showing)
      expect(stage.frame().replace(/[\n\x20-\x7e]/g, '')).toBe('')
      cleanup()
    }
  })

  it('asks for room below 60x15, says that a question waits, and takes no answer', async () => {
    const showing = running({ question: questions[5] })
    const stage = await openStage({ columns: 59, rows: 20 }, showing)
    expect(stage.frame()).toBe('60x15 needed: enlarge, a question waits (now 59x20)')
    await stage.wait(2000)
    await stage.type('1')
    expect(showing.kind === 'run' && (showing.controls as ReturnType<typeof recordControls>).answers).toEqual(
      [],
    )
    await stage.type('p')
    expect(showing.kind === 'run' && (showing.controls as ReturnType<typeof recordControls>).calls).toEqual([
      'hold',
    ])
    for (const [columns, text] of [
      [40, '60x15 needed, a question waits'],
      [25, '60x15 needed (now 25x10)'],
      [20, '60x15 needed'],
      [8, '60x15'],
    ] as const) {
      await stage.resize(columns, 10)
      expect(stage.frame()).toBe(text)
      expect(frameFaults(stage.frame(), columns, 10)).toEqual([])
    }
  })

  it('keeps its bounds at any size', async () => {
    for (const columns of [60, 99, 100, 200]) {
      for (const rows of [15, 19, 20, 31]) {
        for (const question of [undefined, questions[7]]) {
          const stage = await openStage(
            { columns, rows },
            running({ question, banner: 'b'.repeat(300), recap: plan, reports: plan }),
          )
          expect(frameFaults(stage.frame(), columns, rows)).toEqual([])
          cleanup()
        }
      }
    }
  })

  it('draws hostile text harmless', async () => {
    const evil = '\u001b]52;c;AAAA\u0007\u001b[2J\u202eevil\u200d\r\nnext\u001b[8m'
    const base = snapshotOf()
    const stage = await openStage(
      { columns: 80, rows: 24 },
      running({
        view: {
          ...base.view,
          title: evil,
          session: evil,
          phases: base.view.phases.map((phase) => ({ ...phase, name: evil })),
        },
        tasks: base.tasks.map((task) => ({ ...task, title: evil })),
        panes: [pane('p', evil, 'running', [{ kind: 'text', text: evil }])],
        banner: evil,
        question: {
          ...questions[5]!,
          title: evil,
          body: [evil],
          options: [{ value: 'v', label: evil, consequence: evil }],
        },
      }),
    )
    expect(stage.frame()).not.toMatch(/\u001b(?!\[[0-9;]*m)|\u202e|\u200d|\r|\u0007|\u001b\[8m/)
    expect(frameFaults(stage.frame(), 80, 24)).toEqual([])
  })
})
