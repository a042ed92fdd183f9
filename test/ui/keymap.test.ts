import { afterEach, describe, expect, it } from 'vitest'
import { runHelp } from '../../source/ui/components/help.js'
import { bindKeys } from '../../source/ui/key-bindings.js'
import {
  actionOf,
  hintsOf,
  interludeHelp,
  interludeOf,
  keymap,
  type Scope,
  scopeTitles,
} from '../../source/ui/keymap.js'
import { optionLetters, optionOfLetter, safeOption } from '../../source/ui/layout/option-letters.js'
import { runHints } from '../../source/ui/layout/run-hints.js'
import { questionOf, snapshotOf } from './fixtures.js'

const reorder = { id: 'reorder', label: 'shuffle what is left', hint: 'shuffle' }
const scopes = Object.keys(scopeTitles) as Scope[]

describe('keymap', () => {
  it('gives each key one meaning in a scope, and each row a label', () => {
    for (const scope of scopes) {
      const keys = keymap.filter((row) => row.scope === scope).flatMap((row) => row.keys)
      expect(new Set(keys).size).toBe(keys.length)
      expect(keys.length).toBeGreaterThan(0)
    }
    for (const row of keymap) expect(row.label.length).toBeGreaterThan(0)
  })

  it('binds neither [ nor O, which a slow escape sequence leaves behind', () => {
    expect(keymap.flatMap((row) => row.keys).filter((key) => key === '[' || key === 'O')).toEqual([])
  })

  it('is what hints and help are made of', () => {
    expect(hintsOf('run')[0]).toMatchObject({ key: 'p', word: 'hold' })
    const shown = (panes = snapshotOf().panes) =>
      runHints(snapshotOf({ panes }), 'menu').map(({ key, word }) => `${key} ${word}`)
    expect(shown()).toEqual(expect.arrayContaining(['T tools', 'W wrap']))
    // Without an agent there is nothing that these keys could show.
    expect(shown([])).not.toEqual(expect.arrayContaining(['T tools']))
    const help = runHelp([reorder], 200)
      .map((line) => line.map((span) => span.text).join(''))
      .join('\n')
    for (const row of keymap.filter((one) => one.scope === 'run' && one.id !== 'interlude'))
      expect(help).toContain(row.label)
    expect(help).toMatch(/\n {2}o +shuffle what is left\n/)
    expect(runHelp([], 200).some((line) => line.some((span) => span.text.includes('interlude')))).toBe(false)
    expect(help).toMatch(/Ctrl\+Z .*Agents go on working meanwhile; P before it suspends them/)
    // On a narrow screen nothing of it is cut.
    const narrow = runHelp([reorder], 59).map((row) => row.map(({ text }) => text).join(''))
    expect(narrow.filter((row) => row.length > 59)).toEqual([])
    expect(narrow.join(' ').replace(/ +/g, ' ')).toContain('next view: what there is to see of the run')
    expect(actionOf('run', 'q')).toBe('stop')
    expect(actionOf('gate', 'q')).toBeUndefined()
  })
})

describe('keys of a person', () => {
  afterEach(() => bindKeys())

  it('take the place of ours in handlers, hints and help', () => {
    bindKeys({ hold: 'H', stop: ['ctrl+q', 'X'], timeline: 'p' })
    expect(['H', 'p', 'q', 'ctrl+q', 'X'].map((key) => actionOf('run', key))).toEqual([
      'hold',
      'timeline',
      undefined,
      'stop',
      'stop',
    ])
    expect(hintsOf('run').slice(0, 2)).toMatchObject([{ key: 'H' }, { key: 'Ctrl+Q' }])
    const help = runHelp([], 200)
      .map((line) => line.map((span) => span.text).join(''))
      .join('\n')
    expect(help).toMatch(/\n {2}Ctrl\+Q X +stop; the state is saved\n/)
    bindKeys({ interlude: ['I', 'U'] })
    expect(interludeOf([reorder], 'I')).toBe(reorder)
    expect(interludeHelp([reorder])[0]?.key).toBe('I')
  })

  it('are refused, with the setting and the reason, where they would mean two things or none', () => {
    for (const [wishes, why] of [
      [{ hold: 'a' }, /keys\.hold .*answer questions/],
      [{ hold: '3' }, /answer questions/],
      [{ hold: 'm' }, /note/],
      [{ hold: 'q' }, /"q" is both hold and stop/],
      [{ hold: 'x', stop: 'x' }, /is both/],
      [{ say: 'P' }, /keys\.say .*"P" is both suspend and say/],
      [{ hold: '[' }, /slow terminal/],
      [{ hold: 'ctrl+c' }, /everywhere/],
      [{ hold: 'pgup' }, /no such key/],
      [{ hold: [] }, /names no key/],
      [{ decide: 'y' }, /keys\.decide .*nothing of that name; there are hold, /],
      [{ hodl: 'H' }, /keys\.hodl .*nothing of that name, did you mean hold; there are hold, /],
    ] as const) {
      expect(() => bindKeys(wishes)).toThrow(why)
      expect(actionOf('run', 'p')).toBe('hold')
    }
  })

  it('may change places with each other', () => {
    bindKeys({ hold: 'q', stop: 'p' })
    expect(actionOf('run', 'q')).toBe('hold')
  })
})

describe('letters of options', () => {
  it('are a to f, in the order of the options', () => {
    expect(optionLetters(questionOf('Q-APPROVE').options)).toEqual(['a', 'b', 'c', 'd'])
    const eight = Array.from({ length: 8 }, (_, index) => ({
      value: `${index}`,
      label: 'x',
      consequence: '',
    }))
    expect(optionLetters(eight)).toEqual(['a', 'b', 'c', 'd', 'e', 'f', undefined, undefined])
  })

  it('is the one that a label names itself by, and its capital chooses too', () => {
    const option = (label: string) => ({ value: label, label, consequence: '' })
    const options = ['B) Go on', 'A) Start', 'stop'].map(option)
    expect(optionLetters(options)).toEqual(['b', 'a', 'c'])
    expect(['a', 'A', 'b', 'c', 'C', 'z'].map((key) => optionOfLetter(options, key))).toEqual([
      1,
      1,
      0,
      2,
      undefined,
      undefined,
    ])
  })
})

describe('where a menu opens', () => {
  it('is the recommended option, else the safe one, else the stop, else the last', () => {
    const no = { value: 'no', label: 'no', consequence: '', safe: true }
    const yes = { value: 'yes', label: 'yes', consequence: '' }
    const stop = { value: 'stop', label: 'stop', consequence: '', stops: true }
    expect(safeOption([stop, yes, no])).toBe(2)
    expect(safeOption([stop, no, { ...yes, recommended: true }])).toBe(2)
    expect(safeOption(questionOf('Q-REVIEW').options)).toBe(0)
    expect(safeOption(questionOf('Q-APPROVE').options)).toBe(3)
    expect(safeOption(questionOf('Q-PR').options)).toBe(1)
  })
})
