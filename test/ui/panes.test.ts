import { describe, expect, it } from 'vitest'
import { groupPanes, nextFocus, untouched } from '../../source/ui/layout/pane-choices.js'
import type { PaneArea } from '../../source/ui/layout/pane-rows.js'
import { paneSection } from '../../source/ui/layout/pane-section.js'
import { findLine, paneRows, paneTitle, rawRows, scrolled } from '../../source/ui/layout/panes.js'
import { phaseLines } from '../../source/ui/layout/pipeline.js'
import { createTheme, type Line } from '../../source/ui/theme.js'
import type { PaneLine } from '../../source/view/panes.js'
import { pane, snapshotOf, startOfRun } from './fixtures.js'

const theme = createTheme(false)
const area: PaneArea = { width: 60, height: 20, theme }
const textOf = (line: Line) => line.map(({ text }) => text).join('')
const texts = (lines: readonly Line[]) => lines.map(textOf)
const of = (...lines: PaneLine[]) => pane('p', 'Work', 'running', lines)
const say = (text: string, more: Partial<PaneLine> = {}): PaneLine => ({ kind: 'text', text, ...more })
const spanOf = (lines: readonly Line[], text: string) => lines.flat().find((span) => span.text === text)

const start: PaneLine = { kind: 'tool', text: 'Bash: npm test', call: '1' }
const printed = ['one', 'two', 'three', 'four', 'five'].map((text): PaneLine => ({ kind: 'log', text }))
const ended = (outcome: 'ok' | 'failed' | 'denied'): PaneLine => ({
  kind: outcome === 'ok' ? 'tool' : 'error',
  text: `Bash: npm test ${outcome}`,
  call: '1',
  outcome,
  ...(outcome === 'denied' ? {} : { folded: printed }),
})

describe('calls of tools', () => {
  it('are one row with their outcome, and unfolded on request', () => {
    const run = of(start, ended('ok'), say('next'))
    expect(texts(paneRows(run, undefined, area))).toEqual([
      '> Bash: npm test  + ok, 5 lines folded',
      '| next',
    ])
    expect(texts(paneRows(run, undefined, { ...area, unfolded: true }))).toEqual([
      '> Bash: npm test  + ok',
      ...printed.map(({ text }) => `|   ${text}`),
      '| next',
    ])
  })

  it('show the end of what failed, and say what was not permitted', () => {
    expect(texts(paneRows(of(start, ended('failed')), undefined, area))).toEqual([
      '> Bash: npm test  x failed, 2 lines folded',
      '|   three',
      '|   four',
      '|   five',
    ])
    expect(texts(paneRows(of(start, ended('denied')), undefined, area))).toEqual([
      '> Bash: npm test  x not permitted',
    ])
  })

  it('that overlap are told apart', () => {
    const other = { ...start, text: 'Bash: npm run lint', call: '2' }
    expect(texts(paneRows(of(start, other, ended('ok')), undefined, area))).toEqual([
      '> Bash: npm test',
      '> Bash: npm run lint',
      '> Bash: npm test ok',
    ])
  })

  it('never lose their outcome to a long title', () => {
    for (let length = 40; length < 70; length += 1) {
      const long = { ...start, text: 'x'.repeat(length) }
      for (const unwrapped of [true, false]) {
        const rows = texts(paneRows(of(long, ended('ok')), undefined, { ...area, unwrapped }))
        expect(rows.join('\n')).toMatch(/ {2}\+ ok(?:, 5(?: lines)? folded)?(?:\n|$)/)
        expect(Math.max(...rows.map((row) => row.length))).toBeLessThanOrEqual(60)
      }
    }
  })

  it('stay one row while how it ended has room, which says how much is folded as long as it can', () => {
    const rowsAt = (length: number) =>
      texts(paneRows(of({ ...start, text: 'x'.repeat(length) }, ended('ok')), undefined, area))
    const beside = (length: number) => `> ${'x'.repeat(length)}`
    expect(rowsAt(36)).toEqual([`${beside(36)}  + ok, 5 lines folded`])
    expect(rowsAt(42)).toEqual([`${beside(42)}  + ok, 5 folded`])
    expect(rowsAt(50)).toEqual([`${beside(50)}  + ok`])
    expect(rowsAt(56)).toEqual([beside(56), '|  + ok, 5 lines folded'])
  })

  it('are unfolded where a hit of the search is, and found there', () => {
    const run = of(say('before'), start, ended('ok'), say('after'))
    expect(findLine(run, 'FOUR', 4)).toBe(2)
    const rows = paneRows(run, undefined, { ...area, wanted: 'four' })
    expect(texts(rows)).toContain('|   four')
    expect(spanOf(rows, 'four')).toMatchObject({ tone: 'warn', strong: true })
  })

  it('are shown whole at the top, where their beginning is scrolled out', () => {
    const rows = paneRows(of(start, ended('ok'), say('next')), 1, { ...area, height: 2 })
    expect(texts(rows)).toEqual(['> Bash: npm test ok', '| next'])
  })
})

describe('a hit of the search in the last lines', () => {
  const run = of(...Array.from({ length: 30 }, (_, index) => say(`line ${index}`)))
  const small = { ...area, height: 10 }

  it('stands among what led to it, and no row below it is blank', () => {
    const hit = findLine(run, 'line 28', run.lines.total)
    for (const rows of [paneRows(run, hit, small), rawRows(run, hit, small)]) {
      expect(rows).toHaveLength(10)
      expect(textOf(rows[0] ?? [])).toMatch(/line 20$/)
      expect(textOf(rows[8] ?? [])).toMatch(/line 28$/)
    }
    // What is shorter than its room is shown from its first line.
    const short = of(say('one'), say('two'))
    expect(texts(paneRows(short, 1, small))).toEqual(['| one', '| two'])
    expect(texts(rawRows(short, 1, small))).toEqual(['one', 'two'])
  })

  it('is no place from which the next key up does nothing', () => {
    expect(scrolled(run, 28, -1, 10)).toBe(19)
    expect(scrolled(run, 28, 1, 10)).toBeUndefined()
    expect(scrolled(run, 5, -1, 10)).toBe(4)
  })
})

describe('what agents write', () => {
  it('has its colours, also across rows, and a hit lit over them', () => {
    const colours = [{ from: 4, to: 11, colour: 'red' as const, underline: true as const }]
    const rows = paneRows(of(say('the red one here', { colours })), undefined, {
      ...area,
      width: 11,
      wanted: 'one',
    })
    expect(texts(rows)).toEqual(['| the red', '| one here'])
    expect(spanOf(rows, 'red')).toMatchObject({ colour: 'red', underline: true })
    expect(spanOf(rows, 'one')).toMatchObject({ tone: 'warn', strong: true })
    expect(spanOf(rows, ' here')?.colour).toBeUndefined()
  })

  it('is Markdown without its marks', () => {
    const rows = paneRows(of(say('## What **now**'), say('- [x] `done` it'), say('* plain')), undefined, area)
    expect(texts(rows)).toEqual(['| What now', '| + done it', '| - plain'])
    expect(spanOf(rows, 'What now')).toMatchObject({ strong: true })
    expect(spanOf(rows, 'done')).toMatchObject({ tone: 'info' })
    expect(texts(paneRows(of(say('# a comment', { as: 'code' })), undefined, area))).toEqual([
      '| # a comment',
    ])
  })

  it('is JSON with room where it is long, and a diff in colour', () => {
    const value = { name: 'x'.repeat(40), list: [1, 2], deep: { more: true } }
    const long = paneRows(of(say(JSON.stringify(value))), undefined, area)
    expect(texts(long).slice(0, 3)).toEqual(['| {', `|   "name": "${'x'.repeat(40)}",`, '|   "list": ['])
    expect(spanOf(long, '"name"')).toMatchObject({ tone: 'info' })
    expect(texts(paneRows(of(say('{"a":1}'), say('{no json}')), undefined, area))).toEqual([
      '| {"a":1}',
      '| {no json}',
    ])
    const diff = paneRows(of(say('-old', { as: 'diff' }), say('+new', { as: 'diff' })), undefined, area)
    expect(spanOf(diff, '-old')?.tone).toBe('bad')
    expect(spanOf(diff, '+new')?.tone).toBe('good')
  })

  it('is cut instead of wrapped on request, and raw without anything', () => {
    const run = of(say('**word** '.repeat(20)), start, ended('ok'))
    const cut = texts(paneRows(run, undefined, { ...area, unwrapped: true }))
    expect(cut).toHaveLength(2)
    expect(cut[0]).toMatch(/^\| word word .*~$/)
    expect(texts(rawRows(run, undefined, { ...area, width: 200 }))).toEqual([
      '**word** '.repeat(20),
      'Bash: npm test',
      'Bash: npm test ok',
      ...printed.map(({ text }) => text),
    ])
  })
})

describe('several agents', () => {
  const working = (count: number) =>
    Array.from({ length: count }, (_, index) =>
      pane(`p${index}`, `Task ${index}`, 'running', [say('begins'), say(`says ${index}`)], {
        phase: String((index % 4) + 1),
      }),
    )
  const drawn = (panes: ReturnType<typeof working>, height: number) =>
    texts(paneSection(snapshotOf({ panes }), untouched, { width: 120, height, now: startOfRun, theme }))

  it('of several phases are grouped by phase, with a heading where there is room', () => {
    const rows = drawn(working(8), 40)
    expect(rows.filter((row) => /^ (?:Phase \d: .*2 agents . 2 at work)/.test(row))).toHaveLength(4)
    expect(rows.findIndex((row) => row.includes('Task 4'))).toBeLessThan(
      rows.findIndex((row) => row.includes('Task 1 ')),
    )
    expect(drawn(working(8), 12).join('\n')).not.toContain('at work')
    // Without a heading each title says it.
    expect(drawn(working(8), 12).join('\n')).toMatch(/\d Task 4/)
  })

  it('are all counted in the heading of their phase, also those whose titles have no room', () => {
    const past = Array.from({ length: 30 }, (_, index) =>
      pane(`e${index}`, `Ended ${index}`, 'ok', [say('done')], { phase: '1', endedAt: startOfRun }),
    )
    const talks = Array.from({ length: 60 }, (_, index) => say(`line ${index}`))
    const rows = drawn([...past, pane('w', 'Works', 'running', talks, { phase: '2' })], 38)
    expect(rows.filter((row) => row.includes('Ended')).length).toBeLessThan(30)
    expect(rows.find((row) => row.startsWith(' Phase 1'))).toContain('30 agents')
  })

  it('twenty at work are twenty titles with what each says last', () => {
    const rows = drawn(working(20), 56)
    for (let index = 0; index < 20; index += 1) {
      expect(rows.filter((row) => row.includes(`Task ${index} `))).toHaveLength(1)
      expect(rows.filter((row) => row.endsWith(`says ${index}`))).toHaveLength(1)
    }
    expect(rows.length).toBeLessThanOrEqual(56)
  })

  it('that have ended fill what the open one leaves', () => {
    const done = working(40).map((one) => ({ ...one, status: 'ok' as const }))
    for (const height of [12, 20, 56]) {
      const rows = drawn(done, height)
      expect(rows.length).toBeGreaterThanOrEqual(Math.min(height, 42) - 1)
      expect(rows.length).toBeLessThanOrEqual(height)
      expect(rows.join('\n')).toContain('says 39')
    }
  })

  it('of which one works show it, whichever other one somebody looks at', () => {
    const done = working(30).map((one) => ({ ...one, status: 'ok' as const }))
    const panes = [...done, pane('now', 'At work', 'running', [say('says it now')], { phase: '4' })]
    for (const height of [12, 20])
      for (const focus of ['p0', 'p7', 'p29']) {
        const choices = { ...untouched, focus, opened: new Map([[focus, true]]), tops: new Map([[focus, 0]]) }
        const at = { width: 120, height, now: startOfRun, theme }
        const rows = texts(paneSection(snapshotOf({ panes }), choices, at))
        expect(rows.filter((row) => row.includes('At work'))).toHaveLength(1)
        expect(rows.some((row) => row.includes(`Task ${focus.slice(1)} `))).toBe(true)
      }
  })

  it('leave no row blank where titles have none: one that is scrolled, or open and out of sight, needs no more than it shows', () => {
    const done = working(40).map((one) => ({ ...one, status: 'ok' as const }))
    for (const choices of [
      { ...untouched, focus: 'p20', opened: new Map([['p20', true]]), tops: new Map([['p20', 0]]) },
      { ...untouched, focus: 'p20', opened: new Map(done.map(({ id }) => [id, id < 'p15'])) },
    ]) {
      const at = { width: 120, height: 30, now: startOfRun, theme }
      const rows = texts(paneSection(snapshotOf({ panes: done }), choices, at))
      expect(rows.length).toBeGreaterThanOrEqual(29)
    }
  })

  it('are called by their role where all of it has room, and by half of it never', () => {
    const look = { open: true, focused: true, follow: true, suspended: false, now: startOfRun }
    const one = pane('p', 'Execute phase 1', 'ok', [], {
      endedAt: startOfRun,
      persona: 'harness-task-executor',
    })
    for (let width = 30; width < 90; width += 1) {
      const text = textOf(paneTitle(one, look, width, theme))
      expect(text).toContain('Execute phase 1')
      if (text.includes('harness')) expect(text).toContain('  harness-task-executor ')
    }
    expect(textOf(paneTitle(one, look, 89, theme))).toContain('harness-task-executor')
  })

  it('are walked through in the order on the screen', () => {
    const panes = working(6)
    const order = groupPanes(panes).flatMap((group) => group.panes.map(({ id }) => id))
    expect(order).toEqual(['p0', 'p4', 'p1', 'p5', 'p2', 'p3'])
    const walked: (string | undefined)[] = []
    let choices = untouched
    for (let step = 0; step < 7; step += 1) {
      choices = { ...choices, focus: nextFocus(panes, choices, 1) }
      walked.push(choices.focus)
    }
    expect(walked).toEqual([...order, undefined])
  })

  it('say what each has used and how long it took', () => {
    const used = { ...working(1)[0]!, usage: { inputTokens: 12_000, outputTokens: 345, usd: 0.5 } }
    const look = { open: true, focused: true, follow: true, suspended: false, now: startOfRun + 65_000 }
    expect(textOf(paneTitle(used, look, 100, theme))).toContain('12.3k tokens $0.50 | 1m 5s')
    // They stay as long as the title is whole beside them, and the role goes before they do.
    expect(textOf(paneTitle(used, look, 60, theme))).toMatch(/Task 0 +12\.3k tokens/)
    expect(textOf(paneTitle(used, look, 40, theme))).not.toContain('tokens')
  })
})

it('names of phases stand below each other, whatever their numbers are', () => {
  const base = snapshotOf()
  const rows = (labels: readonly string[]) =>
    texts(
      phaseLines(
        {
          phaseUsage: new Map(),
          view: {
            ...base.view,
            phases: labels.map((id) => ({ id, name: 'Name', status: 'pending' as const, facts: [] })),
          },
        },
        40,
        labels.length,
        theme,
      ),
    ).map((row) => row.trimEnd().replace(/ +pending$/, ''))
  expect(rows(['8', '9', '10'])).toEqual(['o  8 Name', 'o  9 Name', 'o 10 Name'])
  expect(rows(['2', '2.1', '12A'])).toEqual(['o 2   Name', 'o 2.1 Name', 'o 12A Name'])
  expect(rows(['1', 'a-very-long-id'])).toEqual(['o 1 Name', 'o a-very-long-id Name'])
})
