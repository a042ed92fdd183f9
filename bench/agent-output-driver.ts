// One talkative agent for bench/agent-output.js: driver.mjs <dir> plain|events|short <bytes>. Prints one line of JSON.
import { mkdtempSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { createLiveStore } from '../source/run/live-store.js'
import { paneRows } from '../source/ui/layout/panes.js'
import { createTheme } from '../source/ui/theme.js'
import type { RunSnapshot } from '../source/view/view.js'
import { dispatchTalker } from './talking-agent.js'

const [dir = '', kind = 'plain', wanted = '0'] = process.argv.slice(2)
const line = {
  plain: `${'the quick brown fox jumps over the lazy dog 12345'}\n`,
  short: 'ok\n',
  events: `${JSON.stringify({ type: 'text', id: 'a', full: 'the quick brown fox jumps over the lazy dog' })}\n`,
}[kind]
if (line === undefined) throw new Error(`no such case: ${kind}`)

const program = `
  const block = Buffer.from(${JSON.stringify(line)}.repeat(Math.floor(65536 / ${line.length})))
  let left = Math.ceil(${wanted} / block.length)
  const more = () => {
    while (left > 0) {
      left -= 1
      if (!process.stdout.write(block)) return void process.stdout.once('drain', more)
    }
    process.stdout.write('{"type":"end","result":{"ok":true}}\\n')
  }
  more()
`

const root = mkdtempSync(join(dir, 'project-'))
const live = createLiveStore({ panes: [], paneRevision: 0, timeline: [] } as unknown as RunSnapshot)
const pane = live.openPane({ id: 'd', persona: 'p', title: 't', attempt: 1, startedAt: 0 })
const theme = createTheme(true)
let drawn = -1
let rss = 0
// A screen that shows ten frames a second.
const screen = setInterval(() => {
  rss = Math.max(rss, process.memoryUsage.rss())
  const { paneRevision } = live.getSnapshot()
  if (paneRevision !== drawn) paneRows(pane, undefined, { width: 118, height: 30, theme })
  drawn = paneRevision
}, 100)

const before = process.cpuUsage()
const { log } = await dispatchTalker(root, program, { live, pane })
const { user, system } = process.cpuUsage(before)
clearInterval(screen)
const lines = Math.ceil(Number(wanted) / line.length)
if (pane.lines.total < lines * 0.99) throw new Error(`only ${pane.lines.total} of ${lines} lines arrived`)
process.stdout.write(JSON.stringify({ seconds: (user + system) / 1e6, lines, rss, log: statSync(log).size }))
