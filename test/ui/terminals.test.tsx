import chalk from 'chalk'
import { afterEach, describe, expect, it } from 'vitest'
import { createFrameStore } from '../../source/ui/frame-store.js'
import { keymap } from '../../source/ui/keymap.js'
import { filledViews } from '../../source/ui/views/table.js'
import type { Question } from '../../source/view/question.js'
import type { RunSnapshot } from '../../source/view/view.js'
import { createTestStore, questions, recordControls, startOfRun, withEvidence } from './fixtures.js'
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

async function frameOf(
  snapshot: RunSnapshot,
  key: string,
  [columns, rows]: readonly [number, number],
  kind: Kind,
) {
  chalk.level = kind === 'colour' ? 1 : 0
  const frames = createFrameStore(createTestStore(snapshot), () => startOfRun + 725_000)
  const controls = readingControls(recordControls())
  const stage = await openStage(
    { columns, rows, unicode: kind !== 'ASCII', armAfter: 3_600_000 },
    { kind: 'run', frames, controls, onStop: () => undefined },
  )
  if (key !== '') await stage.type(key)
  const frame = stage.frame()
  cleanup()
  return frame
}

/** Checks what holds in each kind of terminal, and gives the text of the frame. */
async function textAt(snapshot: RunSnapshot, key: string, size: readonly [number, number]): Promise<string> {
  const texts: string[] = []
  for (const kind of kinds) {
    const frame = await frameOf(snapshot, key, size, kind)
    // Blanks at the end of a row stay only where they have a colour.
    const text = frame.replace(allowed, '').replace(/ +$/gm, '')
    expect(text.includes('\u001b'), `${kind}: a sequence that is not ours`).toBe(false)
    if (kind !== 'colour') expect(frame, `${kind} has colours`).not.toContain('\u001b')
    else expect(frame, 'there are no colours').not.toBe(text)
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

const words = (text: string) => text.replace(/\s+/g, ' ')

describe('every view in every kind of terminal', () => {
  const snapshot = filledSnapshot({ question: questions[5] })
  for (const { id } of filledViews(snapshot)) {
    it(id, async () => {
      const key = keymap.find((row) => row.id === id && row.scope === 'run')?.keys[0] ?? ''
      for (const size of sizes) {
        const text = await textAt(snapshot, id === 'overview' ? '' : key, size)
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
        const text = await textAt(filledSnapshot({ question }), '', size)
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
