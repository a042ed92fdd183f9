import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createSanitizer, sanitizeLine, sanitizeText } from '../../source/terminal/sanitize.js'

const forbidden =
  /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u00ad]|\p{Cs}|[\u{e0000}-\u{e007f}]/u

/** Payload, and what is left of it between `a` and `z`. */
const payloads: Record<string, [string, string]> = {
  'clipboard, BEL': ['\u001b]52;c;ZXZpbA==\u0007', ''],
  'clipboard, ST': ['\u001b]52;c;ZXZpbA==\u001b\\', ''],
  title: ['\u001b]0;root@host\u0007', ''],
  link: ['\u001b]8;;http://evil\u001b\\text\u001b]8;;\u001b\\', 'text'],
  notification: ['\u001b]9;hello\u0007', ''],
  'notification 777': ['\u001b]777;notify;a;b\u0007', ''],
  'working directory': ['\u001b]7;file:///etc\u0007', ''],
  image: ['\u001b]1337;File=inline=1:AAAA\u0007', ''],
  'nested OSC': ['\u001b]0;\u001b]52;c;AAAA\u0007', ''],
  'OSC by C1': ['\u009d52;c;AAAA\u009c', ''],
  'OSC ended by CAN': ['\u001b]0;x\u0018', ''],
  'clear screen': ['\u001b[2J\u001b[3J\u001b[H', ''],
  cursor: ['\u001b[10;10H\u001b[5A\u001b7\u001b8', ''],
  'alternate screen': ['\u001b[?1049h\u001b[?1049l', ''],
  mouse: ['\u001b[?1000h\u001b[?1006h', ''],
  'paste mode': ['\u001b[?2004l\u001b[200~\u001b[201~', ''],
  'DA, DSR, XTVERSION': ['\u001b[c\u001b[6n\u001b[>q', ''],
  DECRQSS: ['\u001bP$qm\u001b\\', ''],
  'CSI by C1': ['\u009b2J', ''],
  'stray C1': ['\u0085\u008d', '\u2421\u2421'],
  sixel: ['\u001bPq#0;2;0;0;0\u001b\\', ''],
  APC: ['\u001b_Ga=T;AAAA\u001b\\', ''],
  'PM and SOS': ['\u001b^x\u001b\\\u001bXy\u001b\\', ''],
  reset: ['\u001bc', ''],
  charset: ['\u001b(0\u000e', '\u240e'],
  'BEL ENQ NUL VT FF DEL': ['\u0007\u0005\u0000\u000b\u000c\u007f', '\u2407\u2405\u2400\u240b\u240c\u2421'],
  'overwrite by BS': ['rm\b\bls', 'rm\u2408\u2408ls'],
  'overwrite by CR': ['bad\rgood', 'bad\u240dgood'],
  conceal: ['\u001b[8msecret\u001b[0m', 'secret'],
  colours: ['\u001b[38;2;1;2;3mred\u001b[m', 'red'],
  RLO: ['\u202egpj.exe', '\ufffdgpj.exe'],
  isolates: ['\u2066x\u2069', '\ufffdx\ufffd'],
  ZWJ: ['x\u200dy', 'x\ufffdy'],
  'ZWJ behind an emoji': ['\u{1f469}\u200dy', '\u{1f469}y'],
  'joined emoji': ['\u{1f469}\u200d\u{1f680}', '\u{1f469}'],
  'joined with tones and selectors': [
    '\u{1f469}\u{1f3fd}\u200d\u2764\ufe0f\u200d\u{1f468}\u{1f3fb}!',
    '\u{1f469}\u{1f3fd}!',
  ],
  family: ['\u{1f468}\u200d\u{1f469}\u200d\u{1f467} and', '\u{1f468} and'],
  'soft hyphen': ['x\u00ady', 'x\ufffdy'],
  'line separators': ['x\u2028y\u2029', 'x\ufffdy\ufffd'],
  tags: ['\u{e0041}\u{e0042}', '\ufffd\ufffd'],
  zalgo: [`e${'\u0301'.repeat(50)}`, `e${'\u0301'.repeat(4)}`],
  'emoji selector': ['\u2764\ufe0f', '\u2764'],
  'lone surrogates': ['\ud800x\udc00', '\ufffdx\ufffd'],
  'overlong CSI': [`\u001b[${'1;'.repeat(5000)}m`, ''],
  'escape before text': ['\u001b\u00e9', '\u00e9'],
  'CRLF and tab': ['x\r\n\ty', 'x\n    y'],
}

describe('sanitizeText', () => {
  for (const [name, [payload, left]] of Object.entries(payloads)) {
    it(`leaves nothing of ${name}, cut anywhere`, () => {
      const whole = `a${payload}z`
      expect(sanitizeText(whole)).toBe(`a${left}z`)
      for (let cut = 0; cut <= whole.length; cut += 1) {
        const sanitizer = createSanitizer()
        const pieces =
          sanitizer.push(whole.slice(0, cut)) + sanitizer.push(whole.slice(cut)) + sanitizer.end()
        expect(pieces).toBe(`a${left}z`)
      }
    })
  }

  it('swallows an unterminated string to its line end only, or to its limit', () => {
    expect(sanitizeText('a\u001b]0;never ended\nnext')).toBe('a\nnext')
    const rest = sanitizeText(`a\u001bP${'x'.repeat(70_000)}`)
    expect(rest.length).toBe(1 + 70_000 - 65_536)
  })

  it('gives the same for any text in any pieces, and nothing that a terminal obeys', () => {
    const nasty = fc.array(
      fc.oneof(
        fc.string({ unit: 'binary', maxLength: 8 }),
        fc.constantFrom(
          '\u001b',
          '\u001b[',
          '\u001b]',
          '\u001bP',
          '\u009b',
          '\u009d',
          '\r',
          '\n',
          '\u0007',
          '\u001b\\',
          '\ud83d',
          '\ude00',
          'm',
          ';1',
        ),
      ),
      { maxLength: 30 },
    )
    fc.assert(
      fc.property(nasty, (pieces) => {
        const sanitizer = createSanitizer()
        const streamed = pieces.map((piece) => sanitizer.push(piece)).join('') + sanitizer.end()
        expect(streamed).toBe(sanitizeText(pieces.join('')))
        expect(streamed).not.toMatch(forbidden)
        expect(sanitizeText(streamed)).toBe(streamed)
      }),
      { numRuns: 500 },
    )
  })

  it('keeps ordinary text of any script', () => {
    const text = 'Grüße, 日本語, עברית, हिन्दी, 👍 \u{1f1e9}\u{1f1ea}\n'
    expect(sanitizeText(text)).toBe(text)
  })
})

describe('sanitizeLine', () => {
  it('is one line', () => {
    expect(sanitizeLine('a\r\n\nb\u001b[2J')).toBe('a b')
  })
})
