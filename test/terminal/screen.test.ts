import { EventEmitter } from 'node:events'
import { describe, expect, it, vi } from 'vitest'
import { createScreen, type TerminalProcess } from '../../source/terminal/screen.js'
import { settled } from '../ui/stage.js'

class FakeStream extends EventEmitter {
  text = ''
  columns = 80
  rows = 24
  write = ((data: string | Uint8Array) => {
    this.text += data.toString()
    return true
  }) as NodeJS.WriteStream['write']
}

class FakeProcess extends EventEmitter {
  stdout = new FakeStream()
  stderr = new FakeStream()
  platform: NodeJS.Platform = 'linux'
  pid = 4711
  kills: [number, string][] = []
  kill(pid: number, signal: string): void {
    this.kills.push([pid, signal])
  }
}

const enter = '\u001b[?1049h\u001b[?1007s\u001b[?1007l\u001b[?7l\u001b[?25l\u001b[?2004h\u001b[2J\u001b[H'
const leave = '\u001b[0m\u001b[?2004l\u001b[?7h\u001b[?25h\u001b[?1007r\u001b[?1049l'
const cleared = '\u001b[2J\u001b[H'

function open(options: { onStray?: (stream: string, text: string) => void } = {}) {
  const host = new FakeProcess()
  const events: string[] = []
  const screen = createScreen({
    ...options,
    onSuspend: () => events.push('suspend'),
    onResume: () => events.push('resume'),
    process: host as unknown as TerminalProcess,
  })
  return { host, screen, events }
}

describe('the screen', () => {
  it('mends the terminal, enters once and leaves once', () => {
    const { host, screen } = open()
    screen.enter()
    screen.enter()
    expect(host.stdout.text).toBe(`\u001b[0m\u001b[?2004l\u001b[?7h\u001b[?25h${enter}`)
    host.stdout.text = ''
    screen.leave()
    screen.leave()
    expect(host.stdout.text).toBe(leave)
    expect(
      host.listenerCount('SIGTSTP') + host.listenerCount('SIGCONT') + host.stdout.listenerCount('resize'),
    ).toBe(0)
  })

  it('restores the terminal when the process ends by itself', () => {
    const { host, screen } = open()
    screen.enter()
    host.stdout.text = ''
    host.emit('exit')
    expect(host.stdout.text).toBe(leave)
  })

  it('keeps what others write away from the terminal while it is open', async () => {
    const strays: string[] = []
    const { host, screen } = open({ onStray: (stream, text) => strays.push(`${stream}: ${text}`) })
    const before = host.stdout.write
    screen.enter()
    host.stdout.text = ''
    host.stdout.write('noise')
    host.stderr.write(Buffer.from('warning'))
    screen.inkStdout.write('frame')
    await settled()
    expect(host.stdout.text).toBe(`${cleared}\u001b[1;1Hframe`)
    expect(host.stderr.text).toBe('')
    expect(strays).toEqual(['stdout: noise', 'stderr: warning'])
    screen.leave()
    expect(host.stdout.write).toBe(before)
    host.stdout.text = ''
    screen.inkStdout.write('late frame')
    await settled()
    expect(host.stdout.text).toBe('')
    screen.print(['summary'])
    expect(host.stdout.text).toBe('summary\n')
  })

  it('paints the newest frame of a turn, and of the next ones what changed', async () => {
    const { host, screen } = open()
    screen.enter()
    host.stdout.text = ''
    screen.inkStdout.write('one\nold')
    screen.inkStdout.write('one\ntwo')
    expect(host.stdout.text).toBe('')
    await settled()
    expect(host.stdout.text).toBe(`${cleared}\u001b[1;1Hone\u001b[2;1Htwo`)
    host.stdout.text = ''
    screen.inkStdout.write('one\ntwo')
    await settled()
    expect(host.stdout.text).toBe('')
    screen.inkStdout.write('one\ntoo')
    await settled()
    expect(host.stdout.text).toBe('\u001b[2;2Ho')
  })

  it('paints everything after a resize, as wide as it is then', async () => {
    const { host, screen } = open()
    screen.enter()
    const widths: number[] = []
    const sizes: unknown[] = []
    screen.inkStdout.on('resize', () => widths.push(screen.inkStdout.columns))
    screen.onResize(() => sizes.push(screen.size()))
    screen.inkStdout.write('frame')
    await settled()
    host.stdout.text = ''
    Object.assign(host.stdout, { columns: 120, rows: 40 })
    host.stdout.emit('resize')
    await settled()
    expect(sizes).toEqual([{ columns: 120, rows: 40 }])
    expect(widths).toEqual([120])
    expect(host.stdout.text).toBe(`${cleared}\u001b[1;1Hframe`)
  })

  it('sleeps with the terminal restored and wakes with everything drawn again', async () => {
    const { host, screen, events } = open()
    screen.enter()
    screen.inkStdout.write('frame')
    await settled()
    host.stdout.text = ''
    screen.suspend()
    expect(host.stdout.text).toBe(leave)
    expect(host.kills).toEqual([[0, 'SIGTSTP']])
    expect(host.listenerCount('SIGTSTP')).toBe(0)
    host.stdout.text = ''
    host.emit('SIGCONT')
    await settled()
    expect(host.stdout.text).toBe(`${enter}${cleared}\u001b[1;1Hframe`)
    expect(host.kills.at(-1)).toEqual([4711, 'SIGWINCH'])
    expect(host.listenerCount('SIGTSTP')).toBe(1)
    expect(events).toEqual(['suspend', 'resume'])
    screen.leave()
  })

  it('wakes by itself where nothing could put it to sleep', () => {
    vi.useFakeTimers()
    const { host, screen, events } = open()
    screen.enter()
    screen.suspend()
    vi.advanceTimersByTime(1000)
    expect(events).toEqual(['suspend', 'resume'])
    vi.useRealTimers()
    screen.leave()
    expect(host.stdout.text.endsWith(leave)).toBe(true)
  })

  it('tells when a frame is on the screen, once', async () => {
    const { screen } = open()
    screen.enter()
    const listener = vi.fn()
    const cancelled = vi.fn()
    screen.inkStdout.afterWrite(listener)
    screen.inkStdout.afterWrite(cancelled)()
    screen.inkStdout.write('')
    await settled()
    expect(listener).not.toHaveBeenCalled()
    screen.inkStdout.write('frame')
    expect(listener).not.toHaveBeenCalled()
    await settled()
    screen.inkStdout.write('frame')
    await settled()
    expect(listener).toHaveBeenCalledTimes(1)
    expect(cancelled).not.toHaveBeenCalled()
    screen.leave()
  })
})
