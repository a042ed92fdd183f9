import { describe, expect, it } from 'vitest'
import { runHelp } from '../../source/ui/components/help.js'
import {
  actionOf,
  hintsOf,
  keymap,
  reservedLetters,
  type Scope,
  scopeTitles,
} from '../../source/ui/keymap.js'
import { optionLetters, optionOfLetter, safeOption } from '../../source/ui/layout/option-letters.js'
import { questionOf, questions } from './fixtures.js'

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
    const help = runHelp([reorder])
      .map((line) => line.map((span) => span.text).join(''))
      .join('\n')
    for (const row of keymap.filter((one) => one.scope === 'run' && one.id !== 'interlude'))
      expect(help).toContain(row.label)
    expect(help).toMatch(/\n {2}o +shuffle what is left\n/)
    expect(runHelp([]).some((line) => line.some((span) => span.text.includes('interlude')))).toBe(false)
    expect(help).toMatch(/Ctrl\+Z .*\n +agents go on working meanwhile;\n +P before it suspends them/)
    expect(actionOf('run', 'q')).toBe('stop')
    expect(actionOf('gate', 'q')).toBeUndefined()
  })
})

describe('letters of options', () => {
  it('are free, different, and part of the label', () => {
    for (const question of questions) {
      const letters = optionLetters(question.options)
      const given = letters.filter((letter) => letter !== undefined)
      expect(new Set(given).size).toBe(given.length)
      for (const [index, letter] of letters.entries()) {
        if (letter === undefined) continue
        expect(reservedLetters.has(letter)).toBe(false)
        expect(question.options[index]?.label.toLowerCase()).toContain(letter)
      }
    }
  })

  it('stop is s at every gate that has a stop', () => {
    for (const question of questions) {
      const stop = question.options.findIndex((option) => option.label === 'stop')
      if (stop >= 0) expect(optionLetters(question.options)[stop]).toBe('s')
    }
    expect(optionLetters(questionOf('Q-APPROVE').options)).toEqual(['y', 'r', 'i', 's'])
    expect(optionLetters(questionOf('Q-PR').options)).toEqual(['y', 'n'])
  })

  it('is the one that a label names itself by, as a capital, and the small one chooses it too', () => {
    const option = (label: string) => ({ value: label, label, consequence: '' })
    const labels = ['A) Start', 'B) Go on', 'C) Ask', 'D) Drop', 'E) End', 'F) Files']
    const stop = { ...option('stop'), stops: true }
    const letters = optionLetters([...labels.map(option), stop])
    expect(letters).toEqual(['A', 'B', 'C', 'D', 'E', 'F', 's'])
    expect(['a', 'A', 'e', 'F', 's', 'S', 'z'].map((key) => optionOfLetter(letters, key))).toEqual([
      0,
      0,
      4,
      5,
      6,
      undefined,
      undefined,
    ])
    // It opens the pane on the full screen, at a gate too.
    expect(optionOfLetter(letters, 'f')).toBeUndefined()
  })

  it('leaves an option without a letter rather than taking one twice', () => {
    const option = (label: string) => ({ value: label, label, consequence: '' })
    expect(optionLetters([option('a'), option('a'), option('pass'), option('?!')])).toEqual([
      'a',
      undefined,
      's',
      undefined,
    ])
  })
})

describe('where a menu opens', () => {
  it('is the recommended option, else the stop, else the last', () => {
    expect(safeOption(questionOf('Q-REVIEW').options)).toBe(0)
    expect(safeOption(questionOf('Q-APPROVE').options)).toBe(3)
    expect(safeOption(questionOf('Q-PR').options)).toBe(1)
  })
})
