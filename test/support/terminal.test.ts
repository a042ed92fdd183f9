import { describe, expect, test } from 'vitest'
import { createProject } from './project.js'
import { openTerminal } from './terminal.js'

const node = (script: string) => [process.execPath, '-e', script]

/** Prints every chunk that arrives as JSON, so that a test sees what was one write and what were two. */
const echo = `
process.stdin.setRawMode(true)
process.stdout.write('ready\\r\\n')
process.stdin.on('data', (chunk) => {
  const text = chunk.toString()
  process.stdout.write(JSON.stringify(text) + '\\r\\n')
  if (text.includes('q')) process.exit(7)
})`

describe('openTerminal', () => {
  test('shows parsed rows, sends keys and text, and tells the exit code', async () => {
    const { dir } = await createProject({ git: false })
    const terminal = openTerminal({ command: node(echo), cwd: dir })
    await terminal.waitFor('ready')
    await terminal.press('up', 'enter')
    await terminal.waitFor(/u001b\[A/)
    await terminal.waitFor(/\\r/)
    terminal.type('hello')
    await terminal.waitFor('"hello"')
    await terminal.press('q')
    expect(await terminal.exit).toEqual({ code: 7, signal: 0 })
  })

  test('pastes in brackets only when the program asked for it', async () => {
    const { dir } = await createProject({ git: false })
    const terminal = openTerminal({
      command: node(`process.stdout.write('\\u001b[?2004h');${echo}`),
      cwd: dir,
    })
    await terminal.waitFor('ready')
    terminal.paste('some text')
    await terminal.waitFor('[200~some text')
    const plain = openTerminal({ command: node(echo), cwd: dir })
    await plain.waitFor('ready')
    plain.paste('some text')
    expect(await plain.waitFor('some text')).not.toContain('200~')
  })

  test('a resize reaches the program, sequences are counted, the alternate screen is told', async () => {
    const { dir } = await createProject({ git: false })
    const terminal = openTerminal({
      command: node(`
        const show = () => process.stdout.write('\\u001b[?1049h\\u001b[3J' + process.stdout.columns + 'x' + process.stdout.rows)
        process.stdout.on('resize', show)
        show()
        setInterval(() => {}, 1000)`),
      cwd: dir,
      cols: 100,
      rows: 30,
    })
    await terminal.waitFor('100x30')
    terminal.resize(60, 15)
    await terminal.waitFor('60x15')
    expect(terminal.alternate()).toBe(true)
    expect(terminal.count('\u001b[3J')).toBe(2)
    terminal.kill()
    expect((await terminal.exit).signal).toBe(9)
  })

  test('an emoji of several code points takes two cells, as in a current terminal', async () => {
    const { dir } = await createProject({ git: false })
    const terminal = openTerminal({
      command: node("process.stdout.write('\u{1F469}\u200D\u{1F467}x'); setInterval(() => {}, 1000)"),
      cwd: dir,
    })
    await terminal.waitFor('x')
    expect(terminal.cursor()).toEqual({ x: 3, y: 0 })
  })

  test('a wait that ends in vain throws with the screen, at once when the program is gone', async () => {
    const { dir } = await createProject({ git: false })
    const terminal = openTerminal({ command: node("process.stdout.write('only this')"), cwd: dir })
    await expect(terminal.waitFor('something else')).rejects.toThrow(/the program ended[\s\S]*only this/)
    await expect(terminal.waitFor('something else', { timeoutMs: 1 })).rejects.toThrow(/only this/)
  })

  test('the child inherits nothing of the environment of the tests but PATH', async () => {
    const { dir, env } = await createProject({ git: false })
    process.env.AUTOPILOT_TEST_LEAK = 'yes'
    const terminal = openTerminal({
      command: node(
        "console.log(process.env.AUTOPILOT_TEST_LEAK ?? 'clean', process.env.TERM, process.env.CI ?? 'no CI')",
      ),
      cwd: dir,
      env,
    })
    delete process.env.AUTOPILOT_TEST_LEAK
    await terminal.waitFor('clean xterm-256color no CI')
  })
})
