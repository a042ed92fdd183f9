import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { aboutText, ageText, agoText, durationText, exactText } from '../source/durations.js'

const second = 1000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour

describe('durations', () => {
  it('tell whole units that are over, two of them', () => {
    const all = [-5, 0, 59_999, minute, 725 * second, 3 * hour + 4 * minute, 51 * hour, Number.NaN]
    expect(all.map(durationText)).toEqual(['0s', '0s', '59s', '1m 0s', '12m 5s', '3h 4m', '2d 3h', '0s'])
  })

  it('are rounded where they are about right only', () => {
    const all = [400, 59_600, 89 * second, 91 * second, hour - 20 * second, hour - 40 * second, 125 * minute]
    expect(all.map(aboutText)).toEqual(['0s', '1m', '1m', '2m', '1h', '59m', '2h 5m'])
    expect([day, day + hour + 10 * minute, 6001 * hour].map(aboutText)).toEqual(['1d', '1d 1h', '250d 1h'])
  })

  it('of ages begin with a minute', () => {
    expect([59_999, minute, 119_999, 72 * minute, 51 * hour, Number.NaN].map(ageText)).toEqual([
      undefined,
      '1m',
      '1m',
      '1h 12m',
      '2d 3h',
      undefined,
    ])
    const now = Date.parse('2030-04-03T12:00:00.000Z')
    const ago = (ms: number) => agoText(new Date(now - ms).toISOString(), now)
    expect([0, 12 * minute, 3 * hour + minute, 50 * hour].map(ago)).toEqual([
      'just now',
      '12m ago',
      '3h ago',
      '2d ago',
    ])
    expect(agoText('never', now)).toBe('')
  })

  it('have tenths where seconds are too coarse', () => {
    expect([40, 1234, 59_940, 59_960, 90_500].map(exactText)).toEqual([
      '0.0s',
      '1.2s',
      '59.9s',
      '1m 0s',
      '1m 30s',
    ])
  })

  it('are spelled by one formatter everywhere', () => {
    const source = join(import.meta.dirname, '../source')
    const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((path) =>
      /\.tsx?$/.test(path),
    )
    const loose = files
      .filter((path) => path !== 'durations.ts')
      .flatMap((path) =>
        readFileSync(join(source, path), 'utf8')
          .split('\n')
          .filter((text) => looseUnit.test(text) && !allowed.some((part) => text.includes(part)))
          .map((text) => `${path}: ${text.trim()}`),
      )
    expect(files.length).toBeGreaterThan(300)
    expect(loose).toEqual([])
  })
})

/** A number and a unit of time behind it; a word may have an s behind it. */
const looseUnit =
  /\$\{(?![^}]*(?:[wW]ord|noun))[^}]*\}(?: ?(?:ms|s|sec|seconds|min|mins|minutes|h|hours|d|days)| m)\b(?! ?=)/

const allowed = [
  // The report of a plan, word for word (docs/harness.md, "Plan gate").
  'Estimated time: ',
  // The sample project of the demo.
  'days} days',
]
