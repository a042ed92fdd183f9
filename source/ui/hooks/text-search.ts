import { useRef, useState } from 'react'
import type { RowSource } from '../layout/row-source.js'
import type { Line } from '../theme.js'
import type { Shown } from '../views/view-id.js'

// Search in a text that has the screen: a plan, a diff, findings, the timeline, the help.

/** A text that has the screen, as keys outside of it see it. */
export interface ShownText {
  /** It is longer than its room. */
  scrolls: boolean
  /** Parts that keys step through: files of a diff, headings of a plan. */
  parts: number
  /** Pieces in which it is read, such as those of a log. */
  pages: number
}

export const noText: ShownText = { scrolls: false, parts: 0, pages: 1 }

/** Goes to the next row with a text; false if there is none. `begin`: a new search, which begins where one looks. */
export type FindInText = (wanted: string, by: 1 | -1, begin: boolean) => boolean

export interface TextSearch {
  /** What was searched in the text that is shown, if anything. */
  wanted(view: Shown): string | undefined
  want(view: Shown, text: string | undefined): void
  /** Set by the text that has the screen. */
  find: { current: FindInText | undefined }
  shown: ShownText
  show(text: ShownText): void
}

export function useTextSearch(): TextSearch {
  const [wanted, setWanted] = useState<{ view: Shown; text: string }>()
  const [shown, setShown] = useState(noText)
  const find = useRef<FindInText | undefined>(undefined)
  return {
    wanted: (view) => (wanted?.view === view ? wanted.text : undefined),
    want: (view, text) => setWanted(text === undefined ? undefined : { view, text }),
    find,
    shown,
    show: (next) =>
      setShown((now) =>
        now.scrolls === next.scrolls && now.parts === next.parts && now.pages === next.pages ? now : next,
      ),
  }
}

const textOf = (row: Line | undefined) => row?.map(({ text }) => text).join('') ?? ''

/** Rows that are looked at before others are made. */
const chunk = 500

/** The next row behind `from`, or before it, with a text in any case; one that goes on in the next row counts too. */
export function findRow(rows: RowSource, wanted: string, from: number, by: 1 | -1): number | undefined {
  const small = wanted.toLowerCase()
  let begin = Number.NaN
  let made: readonly Line[] = []
  const at = (index: number): string => {
    if (!(index >= begin && index < begin + made.length)) {
      begin = Math.floor(index / chunk) * chunk
      made = rows.slice(begin, Math.min(rows.length, begin + chunk))
    }
    return textOf(made[index - begin]).toLowerCase()
  }
  for (let index = from + by; index >= 0 && index < rows.length; index += by) {
    const text = at(index)
    const next = index + 1 < rows.length ? ` ${at(index + 1).trimStart()}` : ''
    const found = `${text}${next}`.indexOf(small)
    if (found >= 0 && found < text.length) return index
  }
  return undefined
}
