import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createProject } from '../support/project.js'
import { openTerminal, type TestTerminal } from '../support/terminal.js'
import { demoAnswers } from './demo-answers.js'
import { journalOf } from './journey.js'
import { expectFinishedFiles } from './session-files.js'

// The demo in lines: docs/terminal.md "Plain mode".

const slug = 'changes--watering-plan--proposal'
/** A question takes what was typed after half a second of silence. */
const silence = 700

interface Asked {
  gate: string
  options: string[]
}

/** The questions so far; the last one is open while the prompt is the last line. */
function questionsOf(text: string): Asked[] {
  return text
    .split(/^Question /m)
    .slice(1)
    .map((part) => ({
      gate: /^\((.+?)\)/.exec(part)?.[1] ?? '',
      options: Array.from(
        part.matchAll(/^ {2}(?:\d|"[^"]+")\. (.+?)(?: \(recommended\))?: /gm),
        ([, label]) => label ?? '',
      ),
    }))
}

const asks = (text: string) => /^Answer,.*: $/.test(text.trimEnd().split('\n').at(-1)?.concat(' ') ?? '')

async function waitForQuestion(terminal: TestTerminal, count: number): Promise<Asked | undefined> {
  let ended = false
  void terminal.exit.then(() => {
    ended = true
  })
  for (let tries = 0; tries < 4000; tries += 1) {
    const text = terminal.everything()
    const found = questionsOf(text)
    if (found.length >= count && asks(text)) return found.at(-1)
    if (ended) return undefined
    await delay(30)
  }
  throw new Error(`No question came:\n${terminal.everything()}`)
}

/** Types after a silence, and ends the line once it is there: Enter has to come alone. */
async function typeLine(terminal: TestTerminal, line: string): Promise<void> {
  const isThere = (screen: string) => screen.trimEnd().endsWith(`: ${line}`)
  for (let tries = 1; ; tries += 1) {
    await delay(silence)
    await terminal.press('ctrl+u', ...line)
    try {
      await terminal.waitFor(isThere, { timeoutMs: 5_000 })
      break
    } catch (error) {
      if (tries === 12) throw error
    }
  }
  await terminal.press('enter')
}

test('the demo is finished by typing numbers', async () => {
  const project = await createProject({ git: false })
  const env = { ...project.env, AUTOPILOT_REHEARSAL_PACE: '0' }
  const terminal = openTerminal({
    argv: ['demo', 'windowsill', '--plain'],
    cwd: project.dir,
    env,
    cols: 100,
    rows: 200,
  })
  const asked: string[] = []
  for (;;) {
    const question = await waitForQuestion(terminal, asked.length + 1)
    if (!question) break
    asked.push(question.gate)
    if (question.gate === 'Q-APPROVE') {
      await typeLine(terminal, 'r1')
      await terminal.waitFor(/^End of /m)
    }
    const policy = demoAnswers[question.gate]
    const { choose } = typeof policy === 'object' ? policy : { choose: 'nothing' }
    const number = question.options.findIndex((label) => label.startsWith(choose)) + 1
    expect(number, `${choose} in ${question.options.join(', ')}`).toBeGreaterThan(0)
    await typeLine(terminal, String(number))
  }
  expect(await terminal.exit).toEqual({ code: 0, signal: 0 })
  expect(asked).toContain('Q-APPROVE')
  expect(asked).toContain('Q-REVIEW')
  expect(terminal.alternate()).toBe(false)
  expect(terminal.everything()).toContain('Total: 3 phases, 9 tasks, 1 retry')
  // Lines are only ever added.
  expect(terminal.raw()).not.toMatch(/\u001b\[\d*(?:;\d*)*[ABCDHJKf]/)
  await expectFinishedFiles(join(project.dir, 'windowsill'), slug)
})

test('a dumb terminal takes no answer that was typed ahead, and q stops resumably', async () => {
  const project = await createProject({ git: false })
  const env = { ...project.env, AUTOPILOT_REHEARSAL_PACE: '0', TERM: 'dumb' }
  const terminal = openTerminal({ argv: ['demo', 'windowsill'], cwd: project.dir, env, cols: 100, rows: 200 })
  await terminal.waitFor('Question (', { timeoutMs: 120_000 })
  terminal.type('1\n')
  await terminal.waitFor('Not counted')
  await typeLine(terminal, 'q')
  expect(await terminal.exit).toEqual({ code: 3, signal: 0 })
  expect(terminal.everything()).toContain('Everything is saved.')
  expect(terminal.raw()).not.toContain('\u001b')
  const journal = await journalOf(join(project.dir, 'windowsill/.harness/sessions', slug, 'journal.jsonl'))
  // What no person was asked is settled by the run itself.
  expect(journal.filter(({ type, settled }) => type === 'answered' && settled !== true)).toEqual([])
  expect(journal.filter(({ type }) => type === 'asked')).toHaveLength(1)
})
