import { EventEmitter } from 'node:events'

/** The stdin that Ink sees: one key per `readable`, and nothing that Ink does to it touches the real one. */
export interface InkKeyboard extends EventEmitter {
  readonly isTTY: true
  give(sequence: string): void
  read(): string | null
  setRawMode(): void
  setEncoding(): void
  ref(): void
  unref(): void
}

function nothing(): void {}

export function createInkKeyboard(): InkKeyboard {
  let waiting: string | null = null
  const emitter = new EventEmitter()
  emitter.setMaxListeners(0)
  const keyboard: InkKeyboard = Object.assign(emitter, {
    isTTY: true as const,
    give(sequence: string) {
      waiting = sequence
      emitter.emit('readable')
      waiting = null
    },
    read() {
      const sequence = waiting
      waiting = null
      return sequence
    },
    setRawMode: nothing,
    setEncoding: nothing,
    ref: nothing,
    unref: nothing,
  })
  return keyboard
}
