import { useEffect, useRef } from 'react'
import { useSize } from '../hooks/desk.js'
import { rank, useKeys } from '../hooks/keys.js'
import type { RunState } from '../hooks/run-state.js'
import { type Place, type Scroll, useScroll } from '../hooks/scroll.js'
import { findRow } from '../hooks/text-search.js'
import { textActionOf } from '../keymap.js'
import type { RowSource } from '../layout/row-source.js'
import { litLine } from '../layout/styled-text.js'
import type { Shown } from '../views/view-id.js'
import { ScrolledText, type TextTitle } from './help.js'

export interface TextViewProps {
  state: RunState
  view: Shown
  title: TextTitle | string
  lines: RowSource
  height: number
  /** It opens at its newest line and stays there. */
  fromEnd?: boolean
  /** First rows of its parts, such as the files of a diff; `n` goes to the next one. */
  parts?: readonly number[]
  /** Pieces in which it is read. */
  pages?: number
  /** Where it was left; without it, where the view was. */
  place?: Place
  /** It is searched by the view itself, whose hits are lit already. */
  searchedElsewhere?: boolean
}

/** Rows above a hit, so that it is seen with what led to it. */
const leadRows = 2

/** The first part behind, or the last before, a row. */
function partFrom(parts: readonly number[], row: number, by: 1 | -1): number | undefined {
  return by === 1 ? parts.find((part) => part > row) : parts.findLast((part) => part < row)
}

/** Lets the keys of the screen search in the text, and know what it is like. */
function useShownText(props: TextViewProps, scroll: Scroll, size: number): void {
  const { state, lines, parts = [], pages = 1, searchedElsewhere = false } = props
  const { find, show } = state.textSearch
  const hit = useRef<number | undefined>(undefined)
  useEffect(() => {
    show({ scrolls: lines.length > size, parts: parts.length, pages })
    if (searchedElsewhere) return
    find.current = (wanted, by, begin) => {
      const from = begin ? undefined : hit.current
      const found =
        findRow(lines, wanted, from ?? (by === 1 ? scroll.top - 1 : scroll.top), by) ??
        (begin ? findRow(lines, wanted, -1, 1) : undefined)
      if (found === undefined) return false
      hit.current = found
      scroll.to(found - leadRows)
      return true
    }
    return () => {
      find.current = undefined
    }
  })
}

/** A text that has the screen: scrolled and searched by keys, and where it was when it is opened again. */
export function TextView(props: TextViewProps) {
  const { state, view, title, lines, height, fromEnd = false, parts = [] } = props
  const { rows } = useSize()
  const size = Math.max(1, height - 1)
  const scroll = useScroll(lines.length, size, fromEnd, props.place ?? state.places.of(view))
  const wanted = state.textSearch.wanted(view)
  useShownText(props, scroll, size)
  useKeys((key) => {
    const action = textActionOf(key.name)
    if (action !== 'next-part' && action !== 'previous-part') return scroll.act(action)
    // With a search under way this key is that of its next hit.
    if (parts.length === 0 || (action === 'next-part' && wanted !== undefined)) return false
    const next = partFrom(parts, scroll.top, action === 'next-part' ? 1 : -1)
    // A part that begins in the last rows is seen already.
    if (next !== undefined && (action === 'next-part' ? scroll.below : scroll.above)) scroll.to(next)
    else state.tell(action === 'next-part' ? 'That was the last part.' : 'That was the first part.')
    return true
  }, rank.gate)
  const shown: RowSource =
    wanted === undefined
      ? lines
      : {
          length: lines.length,
          slice: (from, to) => lines.slice(from, to).map((row) => litLine(row, wanted)),
        }
  return <ScrolledText key={rows} title={title} lines={shown} top={scroll.top} height={height} />
}
