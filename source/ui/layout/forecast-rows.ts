import { counted } from '../../counted.js'
import { aboutText } from '../../durations.js'
import { hangingRows } from '../../terminal/width.js'
import type { Basis, Forecast, Measure, Range } from '../../view/forecast.js'
import { formatCost, formatTokens } from '../format.js'
import type { Line } from '../theme.js'
import { line } from './line.js'

// What is still to come, in words: docs/terminal.md "Forecast".

const measures: readonly { measure: Measure; name: string; text: (value: number) => string }[] = [
  { measure: 'workMs', name: 'time at work', text: aboutText },
  { measure: 'tokens', name: 'tokens', text: (value) => formatTokens(Math.round(value)) },
  { measure: 'usd', name: 'cost', text: formatCost },
]

/** `12m to 1h 10m`; one value where both ends read the same, and `up to 5m` from nothing on. */
function rangeText({ low, high }: Range, text: (value: number) => string): string {
  const [from, to] = [text(low), text(high)]
  if (from === to) return from
  return from === text(0) ? `up to ${to}` : `${from} to ${to}`
}

function basisText({ own, earlier, sessions }: Basis, word: string): string {
  const parts = [
    ...(own > 0 ? [`${counted(own, word)} of this run`] : []),
    ...(earlier > 0 ? [`${counted(earlier, word)} of ${counted(sessions, 'earlier session')}`] : []),
  ]
  return parts.join(' and ')
}

const phasesLeft = (open: number, word: string) => counted(open, `${word} is`, `${word}s are`)

/** What comes after the last phase, and whether it is in what is said of the phases. */
function closingTexts({ kind, closing }: Forecast, word: string): string[] {
  if (!closing) return []
  if (kind === 'finished') return [`All ${word}s are finished; the ${closing.name} is not yet.`]
  return [
    closing.isIn
      ? `The ${closing.name} is in it, as the reviews of this run took.`
      : `The ${closing.name} comes on top of it: too few like it have been measured in this run.`,
  ]
}

/** What the forecast says, one text for each row or paragraph; `word`: what the workflow calls a phase. */
export function forecastTexts(forecast: Forecast, word = 'phase'): string[] {
  const closing = closingTexts(forecast, word)
  return forecast.kind === 'finished' && closing.length > 0
    ? closing
    : [...phaseTexts(forecast, word), ...(['unknown', 'unread'].includes(forecast.kind) ? [] : closing)]
}

function phaseTexts(forecast: Forecast, word: string): string[] {
  switch (forecast.kind) {
    case 'finished':
      return [`Nothing: all ${word}s are finished.`]
    case 'unread':
      return [`Not known: the ${word}s have not been read yet.`]
    case 'unknown':
      return [
        `Not known: no ${word} has been finished in this project yet, in this run or an earlier one. The first one gives a measure.`,
      ]
    case 'single': {
      const { open, each, basis } = forecast
      const known = measures.flatMap(({ measure, name, text }) => {
        const value = each[measure]
        return value === undefined ? [] : [`${name} ${text(value)}`]
      })
      return [
        `${phasesLeft(open, word)} not finished. The only finished one came to: ${known.join(', ')}.`,
        `How far others differ from it is not known yet (${basisText(basis, word)}).`,
      ]
    }
    case 'range': {
      const { open, left, basis, sure } = forecast
      const ranges = measures.flatMap(({ measure, name, text }) => {
        const range = left[measure]
        if (!range) return []
        return [`${name.padEnd(13)} ${rangeText(range, text)}, most likely ${text(range.likely)}`]
      })
      return [
        ...ranges,
        `${phasesLeft(open, word)} not finished. 8 of 10 times it lies between both ends. Sureness: ${sure}, from ${basisText(basis, word)}.`,
      ]
    }
  }
}

/** What the run says that concerns its forecast. */
export interface ForecastFacts {
  /** What earlier sessions came to is known. */
  isRead: boolean
  /** What the workflow calls a phase. */
  word?: string | undefined
}

/** The same as rows of a view. */
export function forecastRows(forecast: Forecast, { isRead, word }: ForecastFacts, width: number): Line[] {
  const texts = forecastTexts(forecast, word)
  const more =
    isRead || forecast.kind === 'finished' ? [] : ['Earlier sessions of this project are still being read.']
  return [...texts, ...more].flatMap((text) =>
    hangingRows('  ', `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`, width).map((row) => line(row)),
  )
}

/** For the head of the screen: how much time at work is still to come; undefined where nobody knows. */
export function timeLeftText(forecast: Forecast): string | undefined {
  const range = forecast.kind === 'range' ? forecast.left.workMs : undefined
  return range && `left ${rangeText(range, aboutText)}`
}
