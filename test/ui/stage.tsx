import { EventEmitter } from 'node:events'
import { cleanup, render } from 'ink-testing-library'
import { createKeyPump, type Keyboard, type KeyPump } from '../../source/terminal/key-pump.js'
import { textWidth } from '../../source/terminal/width.js'
import { App, createCell, type Showing } from '../../source/ui/app.js'
import type { Desk } from '../../source/ui/hooks/desk.js'
import { createTheme } from '../../source/ui/theme.js'

/** A screen of a real size, real keys through the real pump, and a clock that only moves when told. */
export interface Stage {
  keys: KeyPump
  frame(): string
  show(showing: Showing): Promise<void>
  /** One read with these bytes, then everything that follows from it. */
  type(bytes: string): Promise<void>
  paste(text: string): Promise<void>
  /** Presses Escape, which the pump holds back for a while. */
  escape(): Promise<void>
  /** The beginning of a reply of the terminal, until nobody waits for its end any more. */
  typeCut(bytes: string): Promise<void>
  /** Lets time pass, for gates that arm. */
  wait(milliseconds: number): Promise<void>
  unsettle(): void
  resize(columns: number, rows: number): Promise<void>
}

export class FakeKeyboard extends EventEmitter implements Keyboard {
  isTTY = true
  raw = false
  setRawMode(on: boolean): void {
    this.raw = on
  }
  resume(): void {}
  pause(): void {}
}

export async function settled(turns = 12): Promise<void> {
  for (let turn = 0; turn < turns; turn += 1) await new Promise((resolve) => setImmediate(resolve))
}

export interface StageOptions {
  columns: number
  rows: number
  unicode?: boolean
  edit?: Desk['edit']
  /** Milliseconds until a gate is armed; far away, a frame does not depend on how fast it was drawn. */
  armAfter?: number
}

export async function openStage(options: StageOptions, showing: Showing): Promise<Stage> {
  let time = 10_000
  const keyboard = new FakeKeyboard()
  const keys = createKeyPump(keyboard, () => time)
  const size = createCell({ columns: options.columns, rows: options.rows })
  const cell = createCell(showing)
  const unsettled = new Set<() => void>()
  const desk = {
    keys,
    theme: createTheme(options.unicode ?? true),
    armAfter: options.armAfter ?? 500,
    afterFrame(listener: () => void) {
      listener()
      return () => undefined
    },
    edit: options.edit ?? (async () => ({ kind: 'missing' as const })),
    onUnsettled(listener: () => void) {
      unsettled.add(listener)
      return () => unsettled.delete(listener)
    },
  }
  const instance = render(<App desk={desk} size={size} showing={cell} />)
  keys.inkStdin.on('readable', () => {
    const sequence = keys.inkStdin.read()
    if (sequence !== null) instance.stdin.write(sequence)
  })
  keys.start()
  keys.open()
  await settled()
  return {
    keys,
    frame: () => instance.lastFrame() ?? '',
    async show(next) {
      cell.set(next)
      await settled()
    },
    async type(bytes) {
      keyboard.emit('data', Buffer.from(bytes))
      await settled(12 + 6 * Math.min(bytes.length, 300))
    },
    async paste(text) {
      keyboard.emit('data', Buffer.from(`\u001b[200~${text}\u001b[201~`))
      await settled()
    },
    async escape() {
      const delivered = new Promise<void>((resolve) => {
        const off = keys.onKey((key) => {
          if (key.name !== 'escape') return false
          off()
          resolve()
          return false
        }, 9)
      })
      keyboard.emit('data', Buffer.from('\u001b'))
      await delivered
      await settled()
    },
    async typeCut(bytes) {
      const cut = new Promise<void>((resolve) => {
        const off = keys.onCut(() => {
          off()
          resolve()
        })
      })
      keyboard.emit('data', Buffer.from(bytes))
      await cut
      await settled()
    },
    async wait(milliseconds) {
      time += milliseconds
      await settled()
    },
    unsettle() {
      for (const listener of unsettled) listener()
    },
    async resize(columns, rows) {
      size.set({ columns, rows })
      await settled()
    },
  }
}

/** What holds for every frame: docs/terminal.md, "How it is tested". */
export function frameFaults(frame: string, columns: number, rows: number): string[] {
  const lines = frame.split('\n')
  const faults = lines.flatMap((text, index) =>
    textWidth(text) >= columns
      ? [`line ${index + 1} has ${textWidth(text)} cells of ${columns}: ${text}`]
      : [],
  )
  return lines.length > rows - 1 ? [...faults, `${lines.length} lines of ${rows - 1}`] : faults
}

export { cleanup }
