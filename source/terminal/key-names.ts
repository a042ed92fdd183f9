const finals: Record<string, string> = {
  A: 'up',
  B: 'down',
  C: 'right',
  D: 'left',
  E: 'clear',
  F: 'end',
  H: 'home',
  P: 'f1',
  Q: 'f2',
  R: 'f3',
  S: 'f4',
  Z: 'shift+tab',
}

const numbers: Record<string, string> = {
  1: 'home',
  2: 'insert',
  3: 'delete',
  4: 'end',
  5: 'pageup',
  6: 'pagedown',
  7: 'home',
  8: 'end',
  11: 'f1',
  12: 'f2',
  13: 'f3',
  14: 'f4',
  15: 'f5',
  17: 'f6',
  18: 'f7',
  19: 'f8',
  20: 'f9',
  21: 'f10',
  23: 'f11',
  24: 'f12',
}

function modified(name: string, parameter: string | undefined): string {
  const bits = parameter === undefined ? 0 : Number(parameter) - 1
  const parts = [bits & 4 ? 'ctrl' : '', bits & 2 ? 'alt' : '', bits & 1 ? 'shift' : '', name]
  return parts.filter((part) => part !== '').join('+')
}

function escapeName(sequence: string): string {
  if (sequence === '\u001b') return 'escape'
  const shape = /^\u001b(?:O|\[)(?:(\d+)(?:;(\d+))?)?([A-Za-z~])$/.exec(sequence)
  if (shape) {
    const [, number, modifier, final] = shape
    const name = final === '~' ? numbers[number ?? ''] : finals[final ?? '']
    return name === undefined ? 'unknown' : modified(name, modifier)
  }
  if (sequence.startsWith('\u001b[') || sequence.startsWith('\u001bO')) return 'unknown'
  return `alt+${keyName(sequence.slice(1))}`
}

/**
 * Name of a key by the sequence that it sends: `enter`, `up`, `shift+tab`, `ctrl+c`, `alt+x`, `unknown`, or the typed
 * character itself.
 */
export function keyName(sequence: string): string {
  if (sequence.startsWith('\u001b')) return escapeName(sequence)
  const code = sequence.codePointAt(0) ?? 0
  if (sequence === '\r') return 'enter'
  if (sequence === '\t') return 'tab'
  if (sequence === ' ') return 'space'
  if (code === 0x7f || code === 0x08) return 'backspace'
  if (code === 0) return 'ctrl+space'
  if (code <= 26) return `ctrl+${String.fromCharCode(code + 96)}`
  if (code < 0x20) return 'unknown'
  return sequence
}

/** Whether the key types its own character. */
export function isTyped(sequence: string): boolean {
  return !/^[\u0000-\u001f\u007f-\u009f]/.test(sequence)
}
