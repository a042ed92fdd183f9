import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { readChooseBox } from '../../source/documents/choose-box.js'

const rule = '\u2550'.repeat(38)
const box = `Before it.

${rule}
 DECISION REQUIRED: Decompose complete \u2014 start implementation?
${rule}
 A) Start a new conversation for implementation (recommended for context freshness)
 B) Continue implementation in this conversation
${rule}
 Recommendation: A \u2014 implementation is the longest phase, fresh context helps
${rule}
`

describe('a choose box', () => {
  test('as it is printed', () => {
    expect(readChooseBox(box)).toEqual({
      question: 'Decompose complete \u2014 start implementation?',
      options: [
        'Start a new conversation for implementation (recommended for context freshness)',
        'Continue implementation in this conversation',
      ],
      recommendation: 'A \u2014 implementation is the longest phase, fresh context helps',
    })
    expect(readChooseBox(box.replaceAll('\n', '\r\n'))).toEqual(readChooseBox(box))
  })

  test('in one part, with rules of ten signs, a long option and no recommendation', () => {
    const short = '\u2550'.repeat(10)
    const text = `${short}\nWhich store?\n A) Files,\n    one a day\n B) SQLite\n C) None\n${short}`
    expect(readChooseBox(text)).toEqual({
      question: 'Which store?',
      options: ['Files, one a day', 'SQLite', 'None'],
    })
  })

  test('with a question, options and a recommendation of several lines each', () => {
    const text = `${rule}\n DECISION REQUIRED: Which store,\n   and where?\n${rule}\n A) Files,\n    one a day\n B) SQLite\n${rule}\n Recommendation: B,\n   as it is one file\n${rule}\n`
    expect(readChooseBox(text)).toEqual({
      question: 'Which store, and where?',
      options: ['Files, one a day', 'SQLite'],
      recommendation: 'B, as it is one file',
    })
  })

  it.each([
    [
      'seven options',
      `${rule}\n q\n${rule}\n${[...'ABCDEFG'].map((letter) => ` ${letter}) x\n`).join('')}${rule}`,
    ],
    ['one option', `${rule}\n q\n${rule}\n A) x\n${rule}`],
    ['letters out of order', `${rule}\n A) x\n C) y\n${rule}`],
    ['short rules', box.replaceAll(rule, '\u2550'.repeat(9))],
    ['no rule behind it', `${rule}\n A) x\n B) y\n`],
    ['nothing', ''],
  ])('is none: %s', (_, text) => {
    expect(readChooseBox(text)).toBeUndefined()
  })

  test('any text is read without a crash, and never more than six options come of it', () => {
    const line = fc.constantFrom(rule, ' A) x', ' B) y', ' C) z', 'F) f', 'Recommendation: A', 'words', '')
    fc.assert(
      fc.property(fc.array(line, { maxLength: 20 }), (lines) => {
        const found = readChooseBox(lines.join('\n'))
        return found === undefined || (found.options.length >= 2 && found.options.length <= 6)
      }),
    )
  })
})
