import { useMemo, useRef, useState } from 'react'
import type { Action } from '../keymap.js'

export interface Scroll {
  top: number
  /** Something is hidden above or below of what is visible. */
  above: boolean
  below: boolean
  /** True if the action scrolled or could have. */
  act(action: Action | undefined): boolean
  to(top: number): void
}

/** Where a text was left; undefined stands for its end, of one that opens there. */
export interface Place {
  get(): number | undefined
  set(top: number | undefined): void
}

/** A place that lasts as long as who asks for it. */
export function usePlace(): Place {
  const top = useRef<number | undefined>(undefined)
  return useMemo(
    () => ({
      get: () => top.current,
      set(next) {
        top.current = next
      },
    }),
    [],
  )
}

/** First visible line of `count` lines in a window of `size`; `fromEnd` starts at the newest line and stays there. */
export function useScroll(count: number, size: number, fromEnd = false, place?: Place): Scroll {
  const [top, setTop] = useState<number | undefined>(place?.get() ?? (fromEnd ? undefined : 0))
  const newest = useRef(top)
  const last = Math.max(0, count - size)
  const now = (): number => Math.min(last, newest.current ?? last)

  function write(next: number): void {
    const clamped = Math.max(0, Math.min(last, next))
    newest.current = fromEnd && clamped === last ? undefined : clamped
    setTop(newest.current)
    place?.set(newest.current)
  }

  const shownTop = Math.min(last, top ?? last)
  return {
    top: shownTop,
    above: shownTop > 0,
    below: shownTop < last,
    to: write,
    act(action) {
      if (action === 'page-up') write(now() - Math.max(1, size - 1))
      else if (action === 'page-down') write(now() + Math.max(1, size - 1))
      else if (action === 'line-up') write(now() - 1)
      else if (action === 'line-down') write(now() + 1)
      else if (action === 'top') write(0)
      else if (action === 'bottom') write(last)
      else return false
      return true
    },
  }
}
