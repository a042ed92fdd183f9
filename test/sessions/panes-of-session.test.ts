import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openDispatchLog } from '../../source/agents/log.js'
import type { DispatchDigest } from '../../source/ledger/digest.js'
import { paneLinesOfLog, panesOfSession } from '../../source/sessions/panes-of-session.js'
import { inTemporary } from '../support/temporary.js'

const sessionDir = '.harness/sessions/mail'

const at = (minute: number) => new Date(Date.UTC(2030, 3, 3, 9, minute)).toISOString()

function dispatched(
  id: string,
  minute: number,
  end: Partial<Pick<DispatchDigest, 'status' | 'endedAt'>> = {},
): DispatchDigest {
  return {
    id,
    persona: 'harness-planner',
    title: `Plan ${id}`,
    phase: '1',
    attempt: 1,
    status: 'running',
    startedAt: at(minute),
    ...end,
  }
}

describe('lines of a log', () => {
  it('are events as they were shown, other output as it is, and nothing of what went in', () => {
    const log = [
      '> the prompt',
      '  {"type":"tool","id":"1","name":"Run","title":"npm test","status":"ok"}',
      '  {"type":"text","id":"2","delta":"half a "}',
      '  {"type":"text","id":"2","delta":"line"}',
      '  plain \u001b[31mred\u001b[2J',
      '  {"unknown":"object"}',
      '! a warning',
      '# log full',
      '  {"type":"end","result":{}}',
      '',
    ].join('\n')
    expect(paneLinesOfLog(log).map(({ line }) => line)).toEqual([
      { kind: 'tool', text: 'Run: npm test', call: ' 1' },
      { kind: 'tool', text: 'Run: npm test ok', call: ' 1', outcome: 'ok' },
      { kind: 'text', text: 'half a line' },
      { kind: 'text', text: 'plain red' },
      { kind: 'text', text: '{"unknown":"object"}' },
      { kind: 'log', text: 'a warning' },
      { kind: 'note', text: 'log full' },
    ])
  })
})

describe('panes of a session', () => {
  it('are those of the last six dispatches, with how each ended', async () => {
    await inTemporary('panes', async (root) => {
      const log = openDispatchLog(join(root, sessionDir, 'logs/d8.log'), [], () => {})
      log.raw('stdout', Buffer.from('hello\n'))
      log.close()
      const dispatches = [
        ...Array.from({ length: 6 }, (_, index) => dispatched(`d${index + 1}`, index)),
        dispatched('d7', 6, { status: 'failed', endedAt: at(20) }),
        dispatched('d8', 7, { status: 'ok', endedAt: at(30) }),
      ]
      const panes = await panesOfSession(root, sessionDir, dispatches)
      expect(panes.map((pane) => [pane.title, pane.status])).toEqual([
        ['Plan d3', 'stopped'],
        ['Plan d4', 'stopped'],
        ['Plan d5', 'stopped'],
        ['Plan d6', 'stopped'],
        ['Plan d7', 'failed'],
        ['Plan d8', 'ok'],
      ])
      const last = panes[5]
      expect(last?.lines.slice(0, 9)).toEqual([{ kind: 'text', text: 'hello' }])
      expect((last?.endedAt ?? 0) - (last?.startedAt ?? 0)).toBe(23 * 60_000)
      expect(panes[0]?.lines.slice(0, 9)).toEqual([
        { kind: 'note', text: `Its log is not there any more: ${panes[0]?.logPath}` },
      ])
      expect(panes[0]?.isTail).toBeUndefined()
    })
  })

  it('read only the end of a huge log, from a whole line on', async () => {
    await inTemporary('panes', async (root) => {
      await mkdir(join(root, sessionDir, 'logs'), { recursive: true })
      const rows = Array.from({ length: 40_000 }, (_, index) => `  row ${index}\n`)
      await writeFile(join(root, sessionDir, 'logs/d1.log'), rows.join(''))
      const [pane] = await panesOfSession(root, sessionDir, [dispatched('d1', 1)])
      expect(pane?.lines.length).toBe(500)
      expect(pane?.lines.slice(0, 1)).toEqual([{ kind: 'text', text: 'row 39500' }])
      expect(pane?.lines.slice(499, 500)).toEqual([{ kind: 'text', text: 'row 39999' }])
      // What is in front of it is in the log alone, and ends where its first line does.
      expect(pane?.isTail).toBe(true)
      const first = rows.slice(0, 39_501).join('')
      expect(pane?.lines.oldestAt).toBeGreaterThanOrEqual(first.length)
      expect(pane?.lines.oldestAt).toBeLessThan(first.length + 16 * 256)
    })
  })
})
