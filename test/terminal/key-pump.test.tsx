import { EventEmitter } from 'node:events'
import { render } from 'ink'
import SelectInput from 'ink-select-input'
import { useEffect, useSyncExternalStore } from 'react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createKeyPump, type Key, type KeyPump } from '../../source/terminal/key-pump.js'
import { FakeKeyboard, settled } from '../ui/stage.js'

interface Bench {
  keyboard: FakeKeyboard
  pump: KeyPump
  keys: string[]
  full: Key[]
  pastes: string[]
  urgent: string[]
  /** Each one is a read of its own. */
  read(...chunks: (string | Buffer)[]): Promise<void>
}

let time = 0

function bench(open = true): Bench {
  time = 0
  const keyboard = new FakeKeyboard()
  const pump = createKeyPump(keyboard, () => time)
  const full: Key[] = []
  const keys: string[] = []
  const pastes: string[] = []
  const urgent: string[] = []
  pump.onKey((key) => {
    keys.push(key.name)
    full.push(key)
    return true
  })
  pump.onPaste((text) => void pastes.push(text))
  pump.onUrgent((key) => void urgent.push(key))
  pump.start()
  if (open) pump.open()
  return {
    keyboard,
    pump,
    keys,
    full,
    pastes,
    urgent,
    async read(...chunks) {
      for (const chunk of chunks) keyboard.emit('data', Buffer.isBuffer(chunk) ? chunk : Buffer.from(chunk))
      await settled(8 * 70)
    },
  }
}

afterEach(() => {
  vi.useRealTimers()
})

function Barrier({ pump }: { pump: KeyPump }) {
  const count = useSyncExternalStore(pump.pace.subscribe, pump.pace.current)
  useEffect(() => pump.pace.acknowledge(count), [pump, count])
  return null
}

describe('the pump', () => {
  it('owns raw mode', async () => {
    const { keyboard, pump } = bench()
    expect(keyboard.raw).toBe(true)
    pump.suspend()
    expect(keyboard.raw).toBe(false)
    pump.resume()
    expect(keyboard.raw).toBe(true)
    await pump.stop()
    expect(keyboard.raw).toBe(false)
    expect(keyboard.listenerCount('data')).toBe(0)
  })

  it('throws away what was typed before the first frame', async () => {
    const { read, keys, pump } = bench(false)
    await read('2', '\r', '\u001b[200~x\u001b[201~')
    pump.open()
    await read('j')
    expect(keys).toEqual(['j'])
  })

  it('says when a key was read and whether it came alone', async () => {
    const { read, full } = bench()
    time = 40
    await read('j')
    time = 90
    await read('k\r')
    expect(full).toEqual([
      { sequence: 'j', name: 'j', at: 40, alone: true },
      { sequence: 'k', name: 'k', at: 90, alone: false },
      { sequence: '\r', name: 'enter', at: 90, alone: false },
    ])
  })

  it('takes three equal arrows of one read for a wheel, and never gives them to Ink', async () => {
    const { keys, pump, read } = bench()
    const given: unknown[] = []
    pump.inkStdin.on('readable', () => given.push(pump.inkStdin.read()))
    await read('\u001b[A\u001b[A', '\u001bOB\u001bOB\u001bOB', '\u001b[B\u001b[B\r')
    expect(keys).toEqual(['up', 'up', 'wheel-down', 'wheel-down', 'wheel-down', 'down', 'down', 'enter'])
    expect(given).toEqual([])
  })

  it('gives whole characters, cut at every byte', async () => {
    const bytes = Buffer.from('é日👍')
    const { read, keys } = bench()
    await read(...Array.from(bytes, (_, index) => bytes.subarray(index, index + 1)))
    expect(keys).toEqual(['é', '日', '👍'])
  })

  it('waits for the rest of an escape, then takes ESC for Escape and drops anything longer', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const { read, keys } = bench()
    await read('\u001b')
    vi.advanceTimersByTime(20)
    await read('[A')
    expect(keys).toEqual(['up'])
    await read('\u001b')
    vi.advanceTimersByTime(90)
    await read('[A')
    expect(keys).toEqual(['up', 'escape', '[', 'A'])
    await read('\u001b[1;')
    vi.advanceTimersByTime(200)
    await read('\r')
    expect(keys).toEqual(['up', 'escape', '[', 'A', 'enter'])
  })

  it('gives a paste in five reads once, as text, and never to Ink', async () => {
    const { read, keys, pastes, urgent, pump } = bench()
    const toInk: string[] = []
    pump.inkStdin.on('readable', () => toInk.push(pump.inkStdin.read() ?? ''))
    await read('\u001b[20', '0~1', '\r\u0003', 'x\u001b[2', '01~')
    expect([keys, pastes, urgent, toInk]).toEqual([[], ['1\r\u0003x'], [], []])
  })

  it('drops a paste that does not end, and hears the next key', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const { read, keys, pastes } = bench()
    await read('\u001b[200~half')
    vi.advanceTimersByTime(2500)
    await read('\r')
    expect([keys, pastes]).toEqual([['enter'], []])
  })

  it('lets Ctrl+C, Ctrl+Z and Ctrl+L pass the queue and empties it', async () => {
    const { read, keys, urgent } = bench()
    await read('abc\u0003')
    expect(urgent).toEqual(['interrupt'])
    expect(keys.length).toBeLessThanOrEqual(1)
    await read('\u001a', '\u000c')
    expect(urgent).toEqual(['interrupt', 'suspend', 'repaint'])
    await read(`${'y\r'.repeat(4500)}\u0003${'y\r'.repeat(4500)}`)
    expect(urgent.at(-1)).toBe('interrupt')
    expect(urgent).toHaveLength(4)
  })

  it('keeps at most 256 keys', async () => {
    const { keyboard, keys } = bench()
    for (let count = 0; count < 20; count += 1) keyboard.emit('data', Buffer.from('\u001b[B'.repeat(40)))
    await settled(8 * 900)
    expect(keys.length).toBeGreaterThan(200)
    expect(keys.length).toBeLessThanOrEqual(257)
  })

  it('asks the highest rank first, and gives Ink what nobody took', async () => {
    const keyboard = new FakeKeyboard()
    const pump = createKeyPump(keyboard, () => 0)
    const seen: string[] = []
    pump.onKey((key) => seen.push(`screen ${key.name}`) > 0 && key.name === 's', 0)
    const off = pump.onKey((key) => seen.push(`field ${key.name}`) > 0 && key.name === 'f', 2)
    pump.onKey((key) => seen.push(`gate ${key.name}`) > 0 && key.name === 'g', 1)
    pump.inkStdin.on('readable', () => seen.push(`ink ${pump.inkStdin.read()}`))
    pump.start()
    pump.open()
    keyboard.emit('data', Buffer.from('fgsx'))
    await settled(60)
    expect(seen).toEqual([
      'field f',
      'field g',
      'gate g',
      'field s',
      'gate s',
      'screen s',
      'field x',
      'gate x',
      'screen x',
      'ink x',
    ])
    off()
    keyboard.emit('data', Buffer.from('f'))
    await settled(30)
    expect(seen.slice(-3)).toEqual(['gate f', 'screen f', 'ink f'])
  })

  it('gives the next key only after the effects of this one', async () => {
    const keyboard = new FakeKeyboard()
    const pump = createKeyPump(keyboard, () => 0)
    const chosen: string[] = []
    const items = ['one', 'two', 'three', 'four'].map((value) => ({ label: value, value }))
    const stdout = Object.assign(new EventEmitter(), { columns: 80, write: () => true })
    const app = render(
      <>
        <SelectInput items={items} onSelect={(item) => void chosen.push(item.value)} />
        <Barrier pump={pump} />
      </>,
      {
        stdin: pump.inkStdin as never,
        stdout: stdout as never,
        debug: true,
        exitOnCtrlC: false,
        patchConsole: false,
      },
    )
    pump.start()
    pump.open()
    await settled()
    for (let round = 0; round < 20; round += 1) {
      keyboard.emit('data', Buffer.from('\u001b[B\u001b[B\r'))
      await settled(60)
      keyboard.emit('data', Buffer.from('kk'))
      await settled(60)
    }
    app.unmount()
    expect(chosen).toEqual(Array.from({ length: 20 }, () => 'three'))
  })
})
