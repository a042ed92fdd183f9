import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isTyped, keyName } from '../../source/terminal/key-names.js'
import { createTokenizer, type Token } from '../../source/terminal/key-tokens.js'

function keys(...chunks: string[]): string[] {
  const tokenizer = createTokenizer()
  const tokens = chunks.flatMap((chunk) => tokenizer.push(chunk))
  return [...tokens, ...tokenizer.expire()].map((token) =>
    token.kind === 'key' ? keyName(token.sequence) : `paste:${token.text}`,
  )
}

describe('tokens', () => {
  it('is one token per key', () => {
    expect(keys('\u001b[B\u001b[B\r')).toEqual(['down', 'down', 'enter'])
    expect(keys('jj\r')).toEqual(['j', 'j', 'enter'])
    expect(keys('\u001bx\u001bOA\u001b[1;5C\u001b[Z\u001b[5~\t\u007f')).toEqual([
      'alt+x',
      'up',
      'ctrl+right',
      'shift+tab',
      'pageup',
      'tab',
      'backspace',
    ])
    expect(keys('e\u0301👍日')).toEqual(['e\u0301', '👍', '日'])
    expect(keys('\u001b')).toEqual(['escape'])
    expect(keys('\u001b\u001b[A')).toEqual(['escape', 'up'])
    expect(keys('\u001b[[A')).toEqual(['unknown'])
  })

  it('takes replies of the terminal for what they are', () => {
    const replies = [
      '\u001b[?62;4c',
      '\u001b[?2026;2$y',
      '\u001b]11;rgb:0000/0000/0000\u0007',
      '\u001b]11;rgb:00/00/00\u001b\\',
      '\u001b[12;40R',
      '\u001b[I',
      '\u001b[O',
      '\u001bP>|term 1\u001b\\',
      '\u001b[<0;5;5M',
      '\u001b[M abc',
      '\u001b_x\u001b\\',
    ]
    for (const reply of replies) {
      expect(keys(`${reply}y`)).toEqual(reply.endsWith('abc') ? ['c', 'y'] : ['y'])
    }
    expect(keys(replies.slice(0, 9).join(''))).toEqual([])
  })

  it('keeps a paste together, whatever is in it and wherever it is cut', () => {
    const text = '1\r\u0003\u001b[A y'
    const whole = `\u001b[200~${text}\u001b[201~`
    for (let cut = 1; cut < whole.length; cut += 1)
      expect(keys(whole.slice(0, cut), whole.slice(cut))).toEqual([`paste:${text}`])
    expect(keys(...whole)).toEqual([`paste:${text}`])
  })

  it('takes a flood without escapes for pasted text, and still hears Ctrl+C in it', () => {
    expect(keys('y\r'.repeat(33))).toEqual([`paste:${'y\r'.repeat(33)}`])
    expect(keys('y\r'.repeat(32))).toHaveLength(64)
    expect(keys(`${'x'.repeat(9000)}\u0003${'x'.repeat(9000)}`).at(-1)).toBe('ctrl+c')
  })

  it('drops what never ends', () => {
    for (const start of ['\u001b[1;', '\u001b[200~half of a paste\r', '\u001b]11;rgb', '\u001bO']) {
      const tokenizer = createTokenizer()
      expect([...tokenizer.push(start), ...tokenizer.expire()]).toEqual([])
      expect(tokenizer.push('\r')).toEqual([{ kind: 'key', sequence: '\r' }])
    }
  })

  it('keeps at most a megabyte of a paste', () => {
    const tokenizer = createTokenizer()
    const tokens: Token[] = [...tokenizer.push('\u001b[200~')]
    for (let count = 0; count < 40; count += 1) tokens.push(...tokenizer.push('x'.repeat(100_000)))
    tokens.push(...tokenizer.push('\u001b[201~'))
    expect(tokens.map((token) => token.kind === 'paste' && token.text.length)).toEqual([1_000_000])
  })

  it('gives the same keys however the bytes are cut', () => {
    const pieces = fc.array(
      fc.constantFrom(
        'a',
        '\r',
        '\u001b[A',
        '\u001b[1;2B',
        '\u001bOP',
        '\u001b[200~p\r\u001b[201~',
        '\u001b[?1;2c',
        '日',
        '\t',
      ),
      { minLength: 1, maxLength: 12 },
    )
    fc.assert(
      fc.property(pieces, fc.array(fc.nat(80), { maxLength: 6 }), (parts, cuts) => {
        const text = parts.join('')
        const at = [
          0,
          ...cuts.filter((cut) => cut < text.length).sort((one, other) => one - other),
          text.length,
        ]
        const chunks = at.slice(1).map((end, index) => text.slice(at[index], end))
        expect(keys(...chunks)).toEqual(keys(text))
      }),
    )
  })
})

describe('isTyped', () => {
  it('is true for characters only', () => {
    expect(['a', 'é', '日', ' ', '👍'].every(isTyped)).toBe(true)
    expect(['\r', '\u001b[A', '\u007f', '\u0001', '\u001bx'].some(isTyped)).toBe(false)
  })
})
