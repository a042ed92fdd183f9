import { describe, expect, it } from 'vitest'
import { createKeyPump } from '../../source/terminal/key-pump.js'
import { createLineReader, type LineReader, type ReadOptions } from '../../source/terminal/line-reader.js'
import { FakeKeyboard, settled } from '../ui/stage.js'

// Keys as they arrive from a terminal, and a clock that only moves when told.

interface Bench {
  reader: LineReader
  /** Everything that was written. */
  written(): string
  read(prompt: string, options?: ReadOptions): { line: string | undefined; done: boolean }
  /** One read of the keyboard with these bytes. */
  type(...chunks: string[]): Promise<void>
  wait(milliseconds: number): void
}

function bench(wholeLines = false): Bench {
  let time = 1000
  let out = ''
  const keyboard = new FakeKeyboard()
  const keys = createKeyPump(keyboard, () => time)
  const write = (text: string) => {
    out += text
  }
  const reader = createLineReader({ keys, write, armAfter: 500, wholeLines })
  keys.start()
  keys.open()
  return {
    reader,
    written: () => out,
    read(prompt, options) {
      const result: { line: string | undefined; done: boolean } = { line: undefined, done: false }
      void reader.read(prompt, options).then((line) => Object.assign(result, { line, done: true }))
      return result
    },
    async type(...chunks) {
      for (const chunk of chunks) {
        keyboard.emit('data', Buffer.from(chunk))
        await settled(12 + 3 * chunk.length)
      }
    },
    wait(milliseconds) {
      time += milliseconds
    },
  }
}

const gate: ReadOptions = { guarded: true }

describe('a line that decides', () => {
  it('counts what was typed after a silence, key by key', async () => {
    const { read, type, wait, written } = bench()
    const line = read('Answer: ', gate)
    wait(500)
    await type('1', '2', '\u007f', '\r')
    expect(line).toEqual({ line: '1', done: true })
    expect(written()).toBe('Answer: 12\b \b\n')
  })

  it('forgets what was typed too early, says so once, and waits for a new silence', async () => {
    const { read, type, wait, written } = bench()
    const line = read('Answer: ', gate)
    wait(100)
    await type('1', '\r', '1')
    wait(499)
    await type('\r')
    expect(line.done).toBe(false)
    expect(written().split('Not counted')).toHaveLength(2)
    wait(500)
    await type('3', '\r')
    expect(line.line).toBe('3')
  })

  it('never takes pasted text, in brackets or not', async () => {
    const { read, type, wait } = bench()
    const line = read('Answer: ', gate)
    wait(500)
    await type('1\r')
    await type('\u001b[200~1\r\u001b[201~')
    expect(line.done).toBe(false)
    await type('2', '\r')
    expect(line.line).toBe('2')
  })

  it('takes a line in one read where the terminal sends whole lines, after the silence', async () => {
    const { read, type, wait } = bench(true)
    const line = read('Answer: ', gate)
    await type('1\n')
    expect(line.done).toBe(false)
    wait(500)
    await type('2\n')
    expect(line.line).toBe('2')
  })
})

describe('a text', () => {
  it('keeps the lines of a paste, and a paste does not send itself', async () => {
    const { read, type, wait } = bench()
    const line = read('Text: ', { text: true })
    wait(500)
    await type('\u001b[200~one\rtwo\r\u001b[201~', '\r')
    expect(line.done).toBe(false)
    wait(500)
    await type('\r')
    expect(line.line).toBe('one\ntwo\n')
  })

  it('takes no Enter that was meant for what was there before', async () => {
    const { read, type, wait } = bench()
    const line = read('Text: ', { text: true })
    await type('\r')
    expect(line.done).toBe(false)
    wait(500)
    await type('a', '\r')
    expect(line.line).toBe('a')
  })
})

it('holds lines back while something is being typed, and shows the prompt again after them', async () => {
  const { read, reader, type, wait, written } = bench()
  const line = read('Answer: ', gate)
  reader.print(['one'])
  expect(written()).toBe('Answer: \none\nAnswer: ')
  wait(500)
  await type('1')
  reader.print(['two'])
  expect(written()).not.toContain('two')
  await type('\r')
  expect(line.line).toBe('1')
  expect(written()).toBe('Answer: \none\nAnswer: 1\ntwo\n')
})

it('gives an open read up for the next one', async () => {
  const { read, reader, type, wait } = bench()
  const first = read('')
  const second = read('Answer: ', gate)
  await settled()
  expect(first).toEqual({ line: undefined, done: true })
  reader.cancel()
  await settled()
  expect(second).toEqual({ line: undefined, done: true })
  wait(500)
  await type('1', '\r')
})
