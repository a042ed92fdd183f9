import { useEffect, useLayoutEffect, useRef } from 'react'
import type { Key } from '../../terminal/key-pump.js'
import { useDesk } from './desk.js'

/** Who is asked first: a field or list over a gate, a gate over its screen. */
export const rank = { screen: 0, gate: 1, field: 2, first: 3 } as const

/** Calls the newest `handler` for each key; true keeps the key from everybody else. */
export function useKeys(handler: (key: Key) => boolean, priority: number): void {
  const { keys } = useDesk()
  const latest = useRef(handler)
  useLayoutEffect(() => {
    latest.current = handler
  })
  useEffect(() => keys.onKey((key) => latest.current(key), priority), [keys, priority])
}

/** Calls the newest `handler` for each paste while it is the newest listener. */
export function usePaste(handler: (text: string) => void): void {
  const { keys } = useDesk()
  const latest = useRef(handler)
  useLayoutEffect(() => {
    latest.current = handler
  })
  useEffect(() => keys.onPaste((text) => latest.current(text)), [keys])
}
