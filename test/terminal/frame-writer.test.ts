import { createRequire } from 'node:module'
import fc from 'fast-check'
import stringWidth from 'string-width'
import { describe, expect, it } from 'vitest'
import { createFrameWriter } from '../../source/terminal/frame-writer.js'

const require = createRequire(import.meta.url)
const { Terminal } = require('@xterm/headless') as typeof import('@xterm/headless')

const esc = '\u001b['
const size = { columns: 40, rows: 8 }
const clear = `${esc}2J${esc}H`

/** A terminal as the owner of the screen sets it up: without line wrap. */
function openTerminal() {
  const terminal = new Terminal({ cols: size.columns, rows: size.rows, allowProposedApi: true })
  const feed = (bytes: string) => new Promise<void>((resolve) => terminal.write(bytes, resolve))
  const look = () => {
    const rows: string[] = []
    for (let row = 0; row < size.rows; row += 1) {
      const line = terminal.buffer.active.getLine(row)
      const cells: string[] = []
      for (let column = 0; column < size.columns; column += 1) {
        const cell = line?.getCell(column)
        const character = cell?.getChars() || (cell?.getWidth() === 0 ? '' : ' ')
        const style = `${cell?.getFgColor()}/${cell?.isBold()}/${cell?.isDim()}/${cell?.isUnderline()}`
        // What a blank looks like cannot be seen, but for its line.
        cells.push(character === ' ' ? ` ${cell?.isUnderline()}` : `${character}${style}`)
      }
      rows.push(cells.join('|'))
    }
    return rows
  }
  return { feed, look, setUp: () => feed(`${esc}?7l${esc}?25l`) }
}

const styles = ['', '1', '2', '4', '31', '1;92', '36'].map(
  (style) => (text: string) => (style === '' ? text : `${esc}${style}m${text}${esc}0m`),
)
const part = fc
  .tuple(
    fc.constantFrom(...styles),
    fc.oneof(
      fc.string({ unit: fc.constantFrom('a', 'b', ' ', '│', '─', '●', '·'), maxLength: 14 }),
      fc.constantFrom(' '.repeat(12), ' '.repeat(30), '日本', 'e\u0301', 'x'.repeat(40), '🙂'),
    ),
  )
  .map(([style, text]) => style(text))
const fits = (text: string) => stringWidth(text) <= size.columns
const row = fc.array(part, { maxLength: 5 }).map((parts) => {
  // Frames are cut to the width before they come here.
  const kept = parts.filter((_, index) => fits(parts.slice(0, index + 1).join('')))
  return fits(kept.join('')) ? kept.join('') : ''
})
const frame = fc.array(row, { minLength: 1, maxLength: 9 }).map((rows) => rows.join('\n'))

describe('the frame writer', () => {
  it('leaves the screen that a full paint would leave, whatever was there before', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(frame, { minLength: 2, maxLength: 5 }), async (frames) => {
        const step = openTerminal()
        await step.setUp()
        const writer = createFrameWriter()
        for (const each of frames) {
          await step.feed(writer.paint(each, size))
          const whole = openTerminal()
          await whole.setUp()
          await whole.feed(createFrameWriter().paint(each, size))
          expect(step.look()).toEqual(whole.look())
        }
      }),
      { numRuns: 120 },
    )
  })

  it('writes nothing for the same frame, and of another one the cells that changed', () => {
    const writer = createFrameWriter()
    const first = `${esc}1mTitle${esc}22m  12 s · ● running\n│ output │`
    expect(writer.paint(first, size).startsWith(clear)).toBe(true)
    expect(writer.paint(first, size)).toBe('')
    expect(writer.paint(first.replace('12 s', '13 s'), size)).toBe(`${esc}1;9H3`)
  })

  it('paints all of it on a cleared screen once that is not known any more', () => {
    const writer = createFrameWriter()
    const whole = writer.paint('one\ntwo', size)
    writer.forget()
    expect(writer.paint('one\ntwo', size)).toBe(whole)
  })

  it('never writes below the screen, and lets no sequence through but looks', () => {
    const writer = createFrameWriter()
    const rows = Array.from({ length: 12 }, (_, index) => `row ${index}`)
    expect(writer.paint(rows.join('\n'), size)).not.toContain('row 8')
    const hostile = writer.paint('a\u001b]52;c;eA==\u0007b\u001b[2Jc\u009b3Jd', size)
    expect(hostile.replace(/\u001b\[\d+;\d+H|\u001b\[K/g, '')).not.toContain('\u001b')
    expect(hostile).not.toContain('\u009b')
  })
})
