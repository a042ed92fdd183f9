import chalk from 'chalk'
import { afterEach, describe, expect, it } from 'vitest'
import { closingLines } from '../../source/sessions/closing-page.js'
import type { Showing } from '../../source/ui/app.js'
import { createFrameStore } from '../../source/ui/frame-store.js'
import { keymap } from '../../source/ui/keymap.js'
import { filledViews } from '../../source/ui/views/table.js'
import type { Question } from '../../source/view/question.js'
import type { RunSnapshot } from '../../source/view/view.js'
import {
  createTestStore,
  questions,
  recordControls,
  startData,
  startOfRun,
  withEvidence,
} from './fixtures.js'
import { cleanup, frameFaults, openStage } from './stage.js'
import { filledSnapshot, readingControls } from './view-fixtures.js'

// Every view and every question at every size in every kind of terminal: what must hold for each frame.

const sizes = [
  [60, 15],
  [80, 24],
  [120, 40],
  [200, 60],
] as const

const esc = '\u001b['
// What is written to a terminal beside text: colours of letters, bold, dim, underlined, and their ends. No backgrounds.
const allowed = new RegExp(`${esc.replace('[', '\\[')}(?:[0-9]|2[2-9]|3[0-79]|9[0-7])(?:;\\d+)*m`, 'g')

type Kind = 'colour' | 'no colour' | 'ASCII'
const kinds: readonly Kind[] = ['colour', 'no colour', 'ASCII']
const level = chalk.level

afterEach(() => {
  chalk.level = level
  cleanup()
})

/** What is shown, made anew for each frame. */
type Show = () => Showing

const running =
  (snapshot: RunSnapshot): Show =>
  () => ({
    kind: 'run',
    frames: createFrameStore(createTestStore(snapshot), () => startOfRun + 725_000),
    controls: readingControls(recordControls()),
    onStop: () => undefined,
  })

async function frameOf(show: Show, keys: string, [columns, rows]: readonly [number, number], kind: Kind) {
  chalk.level = kind === 'colour' ? 1 : 0
  const stage = await openStage({ columns, rows, unicode: kind !== 'ASCII', armAfter: 3_600_000 }, show())
  for (const key of keys.length > 1 && !keys.startsWith(esc) ? keys : [keys])
    if (key !== '') await stage.type(key)
  const frame = stage.frame()
  cleanup()
  return frame
}

/** Checks what holds in each kind of terminal, and gives the text of the frame. */
async function textAt(show: Show, keys: string, size: readonly [number, number]): Promise<string> {
  const texts: string[] = []
  for (const kind of kinds) {
    const frame = await frameOf(show, keys, size, kind)
    // Blanks at the end of a row stay only where they have a colour.
    const bare = frame.replace(allowed, '').replace(/ +$/gm, '')
    // Where a spinner stands by now is no matter of the kind of terminal.
    const text = bare.replace(/[\u2800-\u28ff]/g, '\u280b')
    expect(text.includes('\u001b'), `${kind}: a sequence that is not ours`).toBe(false)
    if (kind !== 'colour') expect(frame, `${kind} has colours`).not.toContain('\u001b')
    else expect(frame, 'there are no colours').not.toBe(bare)
    expect(frameFaults(text, ...size), kind).toEqual([])
    texts.push(text)
  }
  const [colour = '', plain = '', ascii = ''] = texts
  // Colour only adds.
  expect(colour).toBe(plain)
  const own = ascii.replace(/[\n\x20-\x7e]/g, '')
  // What is left are words of the agents in their own script.
  expect(own.replace(/[\u3040-\u30ff\u3400-\u9fff\u3002]/g, '')).toBe('')
  expect(ascii.split('\n')).toHaveLength(plain.split('\n').length)
  return plain
}

/** What a finished run came to. */
const closing = {
  title: 'Mail rules',
  reports: ['Mail rules: 3 phases, 14 tasks, 2 retries', 'Final review passed, 1 finding overridden'],
  view: filledSnapshot().view,
  usage: { inputTokens: 120_400, outputTokens: 8_100, usd: 1.234 },
  times: '12 min at work, 3 min waiting for you',
  since: 'abcdef0123456789',
  commits: [
    { sha: 'abcdef0123456789', subject: '[autopilot] Checkpoint 1: table and migration' },
    { sha: '0123456789abcdef', subject: `Apply the rules ${'to every mail '.repeat(12)}` },
  ],
  sessionDir: '.harness/sessions/docs--specs--mail-rules',
}

const words = (text: string) => text.replace(/\s+/g, ' ')

describe('every view in every kind of terminal', () => {
  const snapshot = filledSnapshot({ question: questions[5] })
  for (const { id } of filledViews(snapshot)) {
    it(id, async () => {
      const key = keymap.find((row) => row.id === id && row.scope === 'run')?.keys[0] ?? ''
      for (const size of sizes) {
        const text = await textAt(running(snapshot), id === 'overview' ? '' : key, size)
        // Whatever is looked at: where the run is, and how to come back.
        expect(text).toContain('Mail rules')
        expect(text).toContain('waits for you')
        if (id !== 'overview') expect(text).toContain('Esc back to the question')
      }
    })
  }
})

/** The whole text of the option that is lit, in a frame whose rows have label and consequence side by side. */
function litText(text: string): string {
  const rows = text.split('\n')
  const at = rows.findIndex((row) => /^❯ (?:\d| ) /.test(row))
  const own = rows.slice(at, at + 1)
  for (const row of rows.slice(at + 1)) {
    if (!/^ {7,}\S/.test(row) || /^ {2}\d /.test(row)) break
    own.push(row)
  }
  return own.join(' ')
}

describe('every question in every kind of terminal', () => {
  const asked: Question[] = [...questions, { ...withEvidence, gate: 'with much to read' }]
  for (const question of asked) {
    it(question.gate, async () => {
      for (const size of sizes) {
        const text = await textAt(running(filledSnapshot({ question })), '', size)
        expect(words(text)).toContain(words(question.title).slice(0, 40))
        const lit = litText(text)
        expect(lit, `${size.join('x')}: ${lit}`).not.toContain('…')
        const label = question.options.find((option) => lit.includes(option.label.slice(0, 16)))
        expect(label, lit).toBeDefined()
        // Each word of what it does is there, in whichever row.
        for (const word of (label?.consequence ?? '').split(' ')) expect(lit).toContain(word)
      }
    })
  }
})

describe('every screen before and after a run in every kind of terminal', () => {
  const choosing =
    (data = startData): Show =>
    () => ({ kind: 'choose', data, onChoose: () => undefined })
  const empty = { ...startData, sessions: [], candidates: [], notices: [] }
  const asking =
    (question: Question): Show =>
    () => ({ kind: 'ask', question, header: 'docs--specs--mail-rules', onAnswer: () => undefined })
  const done: Show = () => ({
    kind: 'done',
    title: 'Finished',
    lines: closingLines(closing),
    onClose: () => undefined,
  })

  /** What the frame of a screen must say at every size. */
  const screens: Record<string, { show: Show; keys?: string; says: readonly string[] }> = {
    'the chooser': {
      show: choosing(),
      says: [
        'What shall be worked on?',
        'resume',
        '/home/ada/mail',
        'Open question: Pausing for review',
        'Up/Down move',
      ],
    },
    'the chooser where something is looked for': {
      show: choosing(),
      keys: 'cale',
      says: ['Looked for: cale', 'Calendar', 'Esc show all'],
    },
    'the chooser where nothing fits': {
      show: choosing(),
      keys: 'xyzw',
      says: ['nothing fits', 'Esc show all'],
    },
    'the chooser that found nothing': {
      show: choosing(empty),
      says: [
        'Nothing was found that could be worked on here',
        'Specs: Markdown files',
        'demo',
        'type a path',
      ],
    },
    'a path that is typed': {
      show: choosing(),
      keys: '/docs',
      says: ['Path, seen from the project', 'docs', 'Enter open it'],
    },
    'a question before a run': {
      show: asking(questions[2] as Question),
      says: ['docs--specs--mail-rules', 'Are these the phases?', 'use these phases', 'q quit'],
    },
    'a question before a run with something to read': {
      show: asking(withEvidence),
      keys: '\t',
      says: ['The plan', 'Enter open what is lit'],
    },
    'a key that means nothing before a run': {
      show: asking(questions[2] as Question),
      keys: 'm',
      says: ['m means nothing here.'],
    },
    'the last page': {
      show: done,
      says: ['Finished', 'Mail rules: 3 phases, 14 tasks, 2 retries', 'Enter close'],
    },
    'what goes on meanwhile': {
      show: () => ({ kind: 'busy', text: 'Looking at the repository' }),
      says: ['Looking at'],
    },
  }

  for (const [name, { show, keys = '', says }] of Object.entries(screens)) {
    it(name, async () => {
      for (const size of sizes) {
        const text = await textAt(show, keys, size)
        for (const wanted of says) expect(words(text), size.join('x')).toContain(wanted)
      }
    })
  }
})
