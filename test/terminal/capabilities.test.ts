import { describe, expect, it } from 'vitest'
import { decideTerminal, hasUnicode, prepareEnvironment, sizeOf } from '../../source/terminal/capabilities.js'

const tty = { isTTY: true }
const decide = (environment: NodeJS.ProcessEnv) => decideTerminal(environment, tty, tty, 'linux')

describe('decideTerminal', () => {
  it('takes the screen only where there is a terminal on both sides', () => {
    expect(decideTerminal({}, {}, tty).kind).toBe('plain')
    expect(decideTerminal({}, tty, {}).kind).toBe('plain')
    expect(decide({ TERM: 'dumb' }).kind).toBe('plain')
    expect(decide({ INK_SCREEN_READER: 'true' }).kind).toBe('plain')
    expect(decide({ ACCESSIBLE: '1' }).kind).toBe('plain')
    expect(decide({ TERM: 'xterm', CI: 'true' }).kind).toBe('screen')
    // A terminal that nobody knows is one all the same.
    for (const TERM of ['what-is-this', '', undefined]) expect(decide({ TERM }).kind).toBe('screen')
  })

  it('says in plain mode whether anybody can type, and whether paste can be told from typing', () => {
    expect(decideTerminal({}, {}, tty)).toMatchObject({ input: 'none' })
    expect(decideTerminal({}, tty, {})).toMatchObject({ input: 'keys' })
    expect(decideTerminal({ TERM: 'dumb' }, tty, {})).toMatchObject({ input: 'dumb' })
    expect(decide({ ACCESSIBLE: '1', TERM: 'xterm' })).toMatchObject({ input: 'keys' })
  })

  it('draws with ASCII where the locale or the console knows nothing else', () => {
    expect(decide({ LANG: 'en_US.UTF-8' })).toEqual({ kind: 'screen', unicode: true, color: true })
    expect(decide({ LANG: 'C' })).toMatchObject({ unicode: false })
    expect(decide({})).toMatchObject({ unicode: false })
    expect(decide({ LC_ALL: 'C', LANG: 'en_US.UTF-8' })).toMatchObject({ unicode: false })
    expect(decide({ LANG: 'C.utf8', TERM: 'linux' })).toMatchObject({ unicode: false })
  })

  it('obeys NO_COLOR unless it is empty', () => {
    expect(decide({ NO_COLOR: '1' })).toMatchObject({ color: false })
    expect(decide({ NO_COLOR: '' })).toMatchObject({ color: true })
  })
})

describe('prepareEnvironment', () => {
  it('takes away what confuses Ink and gives back the environment for children', () => {
    const environment: NodeJS.ProcessEnv = { CI: '1', CONTINUOUS_INTEGRATION: '1', NO_COLOR: '1', HOME: '/h' }
    const saved = prepareEnvironment(environment)
    expect(environment).toEqual({ NO_COLOR: '1', FORCE_COLOR: '0', HOME: '/h' })
    expect(saved).toEqual({ CI: '1', CONTINUOUS_INTEGRATION: '1', NO_COLOR: '1', HOME: '/h' })
  })
})

describe('sizeOf', () => {
  it('takes 80x24 where the terminal does not know', () => {
    expect(sizeOf({})).toEqual({ columns: 80, rows: 24 })
    expect(sizeOf({ columns: 0, rows: 0 })).toEqual({ columns: 80, rows: 24 })
    expect(sizeOf({ columns: 120, rows: 40 })).toEqual({ columns: 120, rows: 40 })
  })
})

it('knows for lines too which signs a terminal has', () => {
  expect(hasUnicode({ LANG: 'de_DE.UTF-8' }, 'linux')).toBe(true)
  expect(hasUnicode({ LANG: 'C' }, 'linux')).toBe(false)
  expect(hasUnicode({ LANG: 'C.UTF-8', TERM: 'linux' }, 'linux')).toBe(false)
})
