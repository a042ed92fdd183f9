import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { createProject } from '../support/project.js'
import { openTerminal } from '../support/terminal.js'
import { answer, waitForGate } from './journey.js'

// A terminal while agents flood it: docs/terminal.md "Speed". Nothing here is about how fast it is, which is bench/screen.js.

const kit = fileURLToPath(new URL('../../bench/kit.mjs', import.meta.url))

test('three agents stream while the terminal changes its size all the time', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'autopilot-test-'))
  onTestFinished(() => rm(dir, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 }))
  const { bundle } = (await import(kit)) as { bundle(source: string, outfile: string): Promise<void> }
  const driver = join(dir, 'driver.mjs')
  await bundle('./screen-driver.ts', driver)
  const terminal = openTerminal({
    command: [process.execPath, driver, join(dir, 'result.json'), 'flood', '60'],
    cwd: dir,
    env: { HOME: dir },
    cols: 120,
    rows: 40,
  })
  const sizes = [
    [60, 15],
    [200, 60],
    [80, 24],
    [61, 33],
    [120, 40],
  ] as const
  await terminal.waitFor(/agent \d says in line \d+/, { timeoutMs: 60_000 })
  for (let round = 0; round < 5; round += 1) {
    for (const [cols, rows] of sizes) {
      terminal.resize(cols, rows)
      // Drawn for this size: the hints stand in its last row but one, and nothing is wider than it.
      await terminal.waitFor(
        (screen) => {
          const lines = screen.split('\n')
          return (
            lines.length === rows - 1 &&
            (lines.at(-1) ?? '').includes('hold') &&
            lines.every((row) => row.length <= cols)
          )
        },
        { timeoutMs: 60_000 },
      )
    }
  }
  // Still at it.
  const [, line] = /says in line (\d+)/.exec(terminal.screen()) ?? []
  await terminal.waitFor((screen) => Number(/says in line (\d+)/.exec(screen)?.[1]) > Number(line))
  terminal.kill()
  await terminal.exit
  expect(terminal.count('\u001b[3J')).toBe(0)
  expect(terminal.raw()).not.toContain('\ufffd')
})

test('what an agent said first is found among 100,000 lines', async () => {
  const specPath = 'docs/changes/talk/proposal.md'
  const spec =
    '# Talk\n\n## Implementation Order\n\n### Phase 1: Words\n<!-- complexity: low -->\n\nTasks: one\n'
  const project = await createProject({ files: { [specPath]: spec } })
  const talker = join(project.root, 'talker.mjs')
  const program = `
    process.stdout.write('the needle is said first\\n')
    for (let line = 0; line < 100; line += 1) process.stdout.write(('straw of line ' + line + '\\n').repeat(1000))
    process.stdout.write('that was all\\n')
    setInterval(() => undefined, 1000)`
  await project.write('../talker.mjs', program)
  const terminal = openTerminal({
    argv: [specPath, '--agent', `command:${process.execPath} ${talker}`],
    cwd: project.dir,
    env: project.env,
    cols: 100,
    rows: 30,
  })
  await waitForGate(terminal, 'Q-TRUST')
  await answer(terminal, { choose: 'yes' })
  await terminal.waitFor('that was all', { timeoutMs: 60_000 })
  await terminal.press('/')
  await terminal.waitFor('Search in the pane')
  terminal.type('NEEDLE')
  await terminal.waitFor(/NEEDLE/)
  await terminal.press('enter')
  await terminal.waitFor('the needle is said first', { timeoutMs: 60_000 })
  await terminal.press('q')
  expect((await terminal.exit).code).toBe(3)
})
