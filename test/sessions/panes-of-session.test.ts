import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openDispatchLog } from '../../source/agents/log.js'
import type { JournalFact, JournalRecord } from '../../source/ledger/journal.js'
import { paneLinesOfLog, panesOfSession } from '../../source/sessions/panes-of-session.js'
import { inTemporary } from '../support/temporary.js'

const sessionDir = '.harness/sessions/mail'

function record(fact: JournalFact, minute: number): JournalRecord {
  const at = new Date(Date.UTC(2030, 3, 3, 9, minute)).toISOString()
  return { v: 1, id: `r${minute}`, rev: minute, epoch: 1, lockId: 'l', at, ...fact }
}

function dispatched(dispatchId: string, minute: number): JournalRecord {
  const meta = {
    persona: 'harness-planner',
    title: `Plan ${dispatchId}`,
    phase: '1',
    attempt: 1,
    visit: 1,
    key: dispatchId,
  }
  return record({ type: 'dispatched', dispatchId, ...meta }, minute)
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
    expect(paneLinesOfLog(log)).toEqual([
      { kind: 'tool', text: 'Run: npm test' },
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
      const reply = { ok: false, error: 'crash' }
      const records = [
        ...Array.from({ length: 8 }, (_, index) => dispatched(`d${index + 1}`, index)),
        record(
          {
            type: 'agent',
            visit: 1,
            key: 'd7',
            dispatchId: 'd7',
            reply,
            persona: 'p',
            title: 't',
            phase: '1',
          },
          20,
        ),
        record(
          {
            type: 'agent',
            visit: 1,
            key: 'd8',
            dispatchId: 'd8',
            reply: { ok: true },
            persona: 'p',
            title: 't',
            phase: '1',
          },
          30,
        ),
      ]
      const panes = await panesOfSession(root, sessionDir, records)
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
      expect(panes[0]?.lines.length).toBe(0)
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
    })
  })
})
