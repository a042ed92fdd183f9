import { afterEach, expect, it } from 'vitest'
import type { StartChoice } from '../../source/ui/contract.js'
import { detailLines, startRows } from '../../source/ui/layout/start.js'
import { createTheme } from '../../source/ui/theme.js'
import { startData } from './fixtures.js'
import { cleanup, openStage } from './stage.js'

afterEach(cleanup)

async function open(columns = 80, rows = 24) {
  const choices: StartChoice[] = []
  const stage = await openStage(
    { columns, rows },
    { kind: 'choose', data: startData, onChoose: (choice) => void choices.push(choice) },
  )
  return { stage, choices }
}

it('previews the lit row in the rows that the list leaves: what waits, and where the session is', async () => {
  const { stage } = await open()
  expect(stage.frame()).toContain('Open question: Pausing for review -- Phase 2: Mail rules')
  expect(stage.frame()).toContain('Planner concerns: 2 concerns (triggered)')
  expect(stage.frame()).toContain('  APPROVE_PLAN · 2/4 Mail rules · 5/9 tasks · 2h ago · open elsewhere')
  await stage.type('\u001b[B')
  expect(stage.frame()).toContain('No question is open.')
})

it('previews what a filter has found, and Enter takes it', async () => {
  const { stage, choices } = await open()
  await stage.type('\u001b[B')
  for (const key of 'conta') await stage.type(key)
  expect(stage.frame()).toContain('Looked for: conta')
  expect(stage.frame()).toContain('1 phase, reading: bold')
  await stage.type('\r')
  expect(choices).toEqual([{ kind: 'subject', path: 'docs/specs/contacts.md', workflow: 'harness' }])
})

it('a filter that finds nothing leaves nothing to choose, whatever is pressed, until it is taken back', async () => {
  const { stage, choices } = await open()
  expect(stage.frame()).toContain('Enter choose')
  for (const key of 'zzz') await stage.type(key)
  expect(stage.frame().split('\n').at(-1)).toBe('Esc show all')
  for (const key of ['\r', '\u001b[B', '\u001b[A', '1', '\r']) await stage.type(key)
  expect(choices).toEqual([])
  expect(stage.frame()).toContain('Looked for: zzz')
  for (let count = 0; count < 4; count += 1) await stage.type('\u007f')
  expect(stage.frame()).not.toContain('Looked for')
  await stage.type('\u001b[B')
  await stage.type('\r')
  expect(choices).toHaveLength(1)
})

it('says by a mark that not all of the preview has room', () => {
  const theme = createTheme(true)
  const value = `session:${startData.sessions[0]?.key}`
  const rows = detailLines(startData, value, { width: 58, most: 2 }, theme).map((row) => row[0]?.text)
  expect(rows).toHaveLength(2)
  expect(rows[0]).toMatch(/^ {2}Open question: Pausing for review/)
  expect(rows[1]).toMatch(/…$/)
})

it('the rows for what is known are the same whichever row is lit, also beside a long list', () => {
  expect(startRows(7, 11)).toEqual({ list: 7, detail: 4 })
  expect(startRows(40, 11)).toEqual({ list: 7, detail: 4 })
  expect(startRows(40, 20)).toEqual({ list: 15, detail: 5 })
  expect(startRows(4, 20)).toEqual({ list: 5, detail: 15 })
})

it('where there is no Unicode, signs in what others wrote have their form in ASCII too', async () => {
  const title = 'Tidy up \u2014 the \u201csecond\u201d try\u2026'
  const candidates = [{ workflow: 'harness', subject: 'docs/a.md', title, size: '2 phases', detail: '' }]
  const data = { ...startData, sessions: [], candidates }
  const showing = { kind: 'choose' as const, data, onChoose: () => undefined }
  const stage = await openStage({ columns: 80, rows: 24, unicode: false }, showing)
  expect(stage.frame()).toContain('Tidy up - the "second" try~  docs/a.md')
  await stage.show({ kind: 'busy', text: title })
  expect(stage.frame()).toContain('Tidy up - the "second" try~')
})
