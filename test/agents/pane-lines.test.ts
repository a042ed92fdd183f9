import { describe, expect, it } from 'vitest'
import type { AgentEvent } from '../../source/agents/agent.js'
import { createPaneWriter, paneLines } from '../../source/agents/pane-lines.js'
import { redactingLines } from '../../source/agents/shown-lines.js'
import { createRedactor } from '../../source/secrets/redact.js'
import { createLineRing, linesOf, type PaneBlock, type PaneLine, unfolded } from '../../source/view/panes.js'

function shown(...events: AgentEvent[]): string[] {
  const lines: string[] = []
  const writer = createPaneWriter((told) =>
    lines.push(
      ...linesOf(told).flatMap((line) =>
        unfolded(line).map(({ kind, text }, index) => `${index > 0 ? 'folded ' : ''}${kind}|${text}`),
      ),
    ),
  )
  for (const event of events) writer.event(event)
  writer.end()
  return lines
}

const delta = (id: string, text: string): AgentEvent => ({ type: 'text', id, delta: text })
const full = (id: string, text: string): AgentEvent => ({ type: 'text', id, full: text })
const tool = (status: 'running' | 'ok' | 'failed' | 'denied', more: object = {}): AgentEvent => ({
  type: 'tool',
  id: '1',
  name: 'Bash',
  kind: 'exec',
  title: 'npm test',
  status,
  ...more,
})

describe('createPaneWriter', () => {
  it('puts deltas together to lines', () => {
    expect(shown(delta('a', 'on'), delta('a', 'e\ntw'), delta('a', 'o'))).toEqual(['text|one', 'text|two'])
  })

  it('shows of a full text only what its deltas did not', () => {
    expect(shown(delta('a', 'one\ntw'), full('a', 'one\ntwo\nthree'))).toEqual([
      'text|one',
      'text|two',
      'text|three',
    ])
    expect(shown(delta('a', 'one\n'), full('a', 'one\n'))).toEqual(['text|one'])
    expect(shown(delta('a', 'one\ntw'), full('a', 'other'))).toEqual(['text|one', 'text|other'])
  })

  it('ends a half line before anything else is shown', () => {
    const thought: AgentEvent = { type: 'thinking', id: 't', delta: 'hm' }
    expect(shown(delta('a', 'half'), thought, delta('b', 'next'))).toEqual([
      'text|half',
      'thinking|hm',
      'text|next',
    ])
  })

  it('shows texts that come interleaved apart, each line whole', () => {
    const [one, other] = ['a', 'b']
    expect(
      shown(delta(one, 'Hello '), delta(other, 'Good '), delta(one, 'world\nagain'), delta(other, 'bye\n')),
    ).toEqual(['text|Hello world', 'text|Good bye', 'text|again'])
    // A full text shows what is missing of its own, whatever was said meanwhile.
    expect(shown(delta('a', 'one\ntw'), delta('b', 'x'), full('a', 'one\ntwo'), full('b', 'xy'))).toEqual([
      'text|one',
      'text|two',
      'text|xy',
    ])
  })

  it('marks what a subagent says and does', () => {
    const by = { agent: 'explorer\u001b[2J' }
    expect(
      shown(delta('a', 'I '), { ...delta('a', 'look\n'), ...by } as AgentEvent, delta('a', 'wait\n')),
    ).toEqual(['text|[explorer] look', 'text|I wait'])
    expect(shown(tool('running', by), tool('failed', { ...by, output: 'boom' }))).toEqual([
      'tool|[explorer] Bash: npm test',
      'error|[explorer] Bash: npm test failed',
      'folded log|boom',
    ])
    // Its tools do not end the line of the one that called it.
    expect(shown(delta('a', 'half '), tool('running', by), delta('a', 'line'))).toEqual([
      'tool|[explorer] Bash: npm test',
      'text|half line',
    ])
  })

  it('forgets the text that began first where too many are under way', () => {
    const many = Array.from({ length: 40 }, (_, index) => delta(`id ${index}`, `half ${index}`))
    expect(shown(...many)).toEqual(many.map((_, index) => `text|half ${index}`))
  })

  it('keeps empty lines of a text', () => {
    expect(shown(full('a', 'one'), full('b', ''), full('c', 'two\n\nthree\n'))).toEqual([
      'text|one',
      'text|',
      'text|two',
      'text|',
      'text|three',
    ])
  })

  it('joins an escape sequence that is cut between deltas', () => {
    expect(shown(delta('a', 'x\u001b[3'), delta('a', '1my\n'))).toEqual(['text|xy'])
  })

  it('shows the title of a tool once, then how it ended, with what it printed folded', () => {
    expect(shown(tool('running'), tool('running'), tool('ok', { output: 'a\nb\n' }))).toEqual([
      'tool|Bash: npm test',
      'tool|Bash: npm test ok',
      'folded log|a',
      'folded log|b',
    ])
    expect(shown(tool('failed', { output: 'boom' }))).toEqual([
      'tool|Bash: npm test',
      'error|Bash: npm test failed',
      'folded log|boom',
    ])
    expect(shown(tool('denied'))).toEqual(['tool|Bash: npm test', 'error|Bash: npm test was not permitted'])
  })

  it('tells of calls that overlap which of them ended', () => {
    const other = { id: '2', title: 'npm run lint' }
    const told: PaneLine[] = []
    const writer = createPaneWriter((each) => told.push(...linesOf(each)))
    // Some agents do not repeat the title.
    for (const event of [
      tool('running'),
      tool('running', other),
      tool('ok', { title: '' }),
      tool('failed', other),
    ])
      writer.event(event)
    expect(told.map(({ text, call, outcome }) => [text, call, outcome])).toEqual([
      ['Bash: npm test', ' 1', undefined],
      ['Bash: npm run lint', ' 2', undefined],
      ['Bash: npm test ok', ' 1', 'ok'],
      ['Bash: npm run lint failed', ' 2', 'failed'],
    ])
  })

  it('keeps beginning and end of long output, cuts long lines, and says so', () => {
    const output = Array.from({ length: 100 }, (_, index) => `x${index}`).join('\n')
    const lines = shown(tool('ok', { output }))
    expect(lines).toHaveLength(19)
    expect(lines.slice(9, 12)).toEqual([
      'folded log|x7',
      'folded log|(84 more lines in the log)',
      'folded log|x92',
    ])
    expect(shown(full('a', 'y'.repeat(5000)))).toEqual([
      `text|${'y'.repeat(4000)} (1000 more characters in the log)`,
    ])
  })

  it('shows of a line that was drawn over what stood there last', () => {
    expect(shown(full('a', '10 %\r50 %\r100 %\r'), { type: 'log', stream: 'stderr', line: 'a\rb' })).toEqual([
      'text|100 %',
      'log|b',
    ])
  })
})

describe('the look of a line', () => {
  function looks(...events: AgentEvent[]): PaneLine[] {
    const told: PaneLine[] = []
    const writer = createPaneWriter((each) => told.push(...linesOf(each)))
    for (const event of events) writer.event(event)
    writer.end()
    return told
  }

  it('keeps the colours of an agent, also behind the name of a subagent', () => {
    const coloured = full('a', '\u001b[1;31mred\u001b[0m')
    expect(looks(coloured)).toEqual([
      { kind: 'text', text: 'red', colours: [{ from: 0, to: 3, strong: true, colour: 'red' }] },
    ])
    expect(looks({ ...coloured, agent: 'sub' } as AgentEvent)[0]?.colours).toEqual([
      { from: 6, to: 9, strong: true, colour: 'red' },
    ])
  })

  it('tells code and diffs from prose, however the text comes', () => {
    const text = ['see', '```diff', '-a', '```', 'and', '```js', '# no', '```', 'end']
    const as = [undefined, 'code', 'diff', 'code', undefined, 'code', 'code', 'code', undefined]
    const whole = text.join('\n')
    const long = [...text, ...Array.from({ length: 40 }, (_, index) => `line ${index}`)].join('\n')
    expect(looks(full('a', whole)).map((one) => one.as)).toEqual(as)
    expect(looks(...[...whole].map((each) => delta('a', each))).map((one) => one.as)).toEqual(as)
    expect(
      looks(full('a', long))
        .slice(0, 9)
        .map((one) => one.as),
    ).toEqual(as)
    expect(looks(tool('running', { diff: '-a\n+b' }))[0]?.folded).toEqual([
      { kind: 'tool', text: '-a', as: 'diff' },
      { kind: 'tool', text: '+b', as: 'diff' },
    ])
  })

  it('hides secrets in what is folded and in what has colours', () => {
    const secret = 'quite-secret-value'
    const told: PaneLine[] = []
    const writer = createPaneWriter(redactingLines([secret], (each) => told.push(...linesOf(each))))
    writer.event(full('a', `\u001b[31mthe ${secret.slice(0, 6)}\u001b[32m${secret.slice(6)}\u001b[0m`))
    writer.event(full('b', '\u001b[31mred'))
    const key = ['-----BEGIN PRIVATE KEY-----', ...Array(60).fill('MIIE'), '-----END PRIVATE KEY-----']
    for (const output of [`it is ${secret}`, key.join('\n'), [...Array(20).fill('x'), ...key].join('\n')])
      writer.event(tool('ok', { output }))
    expect(JSON.stringify(told)).not.toMatch(/quite-secret|MIIE/)
    expect(told[0]).toEqual({ kind: 'text', text: 'the [redacted]' })
    expect(told[1]?.colours).toEqual([{ from: 0, to: 3, colour: 'red' }])
  })
})

describe('much text at once', () => {
  const text = Array.from({ length: 10_000 }, (_, index) => `line ${index}\u0007\r`).join('\n')

  it('makes only lines that are looked at: those that leave the ring are never sanitised', () => {
    const ring = createLineRing(100)
    const looked: [number, number][] = []
    const writer = createPaneWriter((told) => {
      if (!('count' in told)) return expect.fail('a line was made')
      const watched: PaneBlock = {
        count: told.count,
        slice(from, to) {
          looked.push([from, to])
          return told.slice(from, to)
        },
        includes: (text) => told.includes(text),
      }
      ring.push(watched)
    })
    for (let id = 0; id < 20; id += 1) writer.event(full(`${id}`, text))
    expect(ring.total).toBe(200_000)
    expect(looked).toEqual([])
    expect(ring.slice(98, 100).map((line) => line.text)).toEqual(['line 9998\u2407', 'line 9999\u2407'])
    expect(looked).toEqual([[9998, 10_000]])
  })

  it('is shown as line by line', () => {
    const lines = text.split('\n')
    expect(shown(full('a', `${text}\n`))).toEqual(
      shown(...lines.map((each, index) => full(`${index}`, each))),
    )
  })

  it('with long lines keeps no more of it than is shown', () => {
    const told: (PaneLine | PaneBlock)[] = []
    const writer = createPaneWriter((each) => told.push(each))
    writer.event(full('a', `${'x'.repeat(100_000)}\n`.repeat(20)))
    expect(told.map((each) => ('count' in each ? each.count : each.text.length))).toEqual(
      new Array(20).fill(4035),
    )
  })
})

it('secrets are hidden in blocks as line by line, keys over several lines and blocks too', () => {
  const filler = Array.from({ length: 300 }, (_, index) => `line ${index}`)
  const texts = [
    ['the word is quite-secret-value', ...filler],
    [...filler, '-----BEGIN PRIVATE KEY-----', 'MIIE'],
    [...filler.map(() => 'MIIE').slice(0, 100), '-----END PRIVATE KEY----- quite-secret-value', ...filler],
    ['quite-secret-value again', ...filler, ...filler],
  ]
  const lines: string[] = []
  let blocks = 0
  const writer = createPaneWriter(
    redactingLines(['quite-secret-value'], (told) => {
      blocks += 'count' in told ? 1 : 0
      lines.push(...linesOf(told).map(({ text }) => text))
    }),
  )
  texts.forEach((each, index) => {
    writer.event(full(`${index}`, each.join('\n')))
  })
  const redact = createRedactor(['quite-secret-value'])
  expect(lines).toEqual(texts.flat().map(redact))
  expect(lines.join('')).not.toContain('quite-secret')
  expect(lines.slice(301, 800)).not.toContain('MIIE')
  expect(blocks).toBe(2)
})

describe('paneLines', () => {
  it.each<[AgentEvent, string[]]>([
    [
      {
        type: 'plan',
        items: [
          { text: 'a', status: 'completed' },
          { text: 'b', status: 'in_progress' },
          { text: 'c', status: '' },
        ],
      },
      ['note|[x] a', 'note|[>] b', 'note|[ ] c'],
    ],
    [
      { type: 'retry', attempt: 2, max: 4, delayMs: 1500, cause: 'overloaded' },
      ['note|retry 2 of 4 in 2s: overloaded'],
    ],
    [
      { type: 'limit', status: 'rejected', resetsAt: Date.UTC(2030, 0, 1), window: '5h', usedPct: 100 },
      ['error|usage limit reached (5h), 100 % used, resets at 2030-01-01T00:00:00.000Z'],
    ],
    [
      { type: 'limit', status: 'warning', resetsAt: 1e99 },
      ['note|usage limit near, resets at an unknown time'],
    ],
    [{ type: 'log', stream: 'stderr', line: 'w\u0007' }, ['log|w\u2407']],
    [{ type: 'usage', input: 1, output: 1, cached: 0, scope: 'turn' }, []],
    [{ type: 'session', id: 's' }, []],
    [
      {
        type: 'ask',
        askId: '1',
        kind: 'permission',
        title: 'run it',
        detail: 'rm x',
        options: [],
        defaultNo: true,
      },
      ['note|asks: run it', 'note|rm x'],
    ],
    [
      {
        type: 'end',
        outcome: {
          ok: false,
          error: 'crash',
          message: 'a\nb',
          retry: 'now',
          usage: { input: 0, output: 0, cached: 0 },
        },
      },
      ['error|a', 'error|b'],
    ],
  ])('%#', (event, lines) => {
    expect(paneLines(event).map((line) => `${line.kind}|${line.text}`)).toEqual(lines)
  })
})
