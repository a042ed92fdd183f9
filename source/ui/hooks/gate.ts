import { useCallback, useEffect, useReducer, useRef, useState } from 'react'
import type { Key } from '../../terminal/key-pump.js'
import type { QuestionOption } from '../../view/question.js'
import { actionOf, counts } from '../keymap.js'
import { optionOfLetter } from '../layout/option-letters.js'
import { useDesk } from './desk.js'
import { rank, useKeys, usePaste } from './keys.js'

export interface Gate {
  index: number
  armed: boolean
  /** Keys came before it was armed, and nothing was done with them; until the first key that counts. */
  dropped: boolean
}

export interface GateOptions {
  options: readonly QuestionOption[]
  initial: number
  onDecide(index: number): void
  /** What Enter does instead of deciding, while something else than an option is lit. */
  onOpen?: () => void
  /** Another option is lit. */
  onMove(): void
}

/** The option that a key chooses, or undefined. */
function decided(key: Key, options: readonly QuestionOption[], current: number): number | undefined {
  if (actionOf('gate', key.name) === 'decide') return current
  if (/^[1-9]$/.test(key.name)) return Number(key.name) <= options.length ? Number(key.name) - 1 : undefined
  return optionOfLetter(options, key.name)
}

/**
 * Keys of a gate: docs/terminal.md "Gates". It is armed after its frame was on the screen and silent for a while; a key that
 * it ignores starts that again. A deciding key must have come alone. It decides once.
 */
export function useGate({ options, initial, onDecide, onOpen, onMove }: GateOptions): Gate {
  const { keys, armAfter, afterFrame, onUnsettled } = useDesk()
  const index = useRef(initial)
  const done = useRef(false)
  const quietSince = useRef(Number.POSITIVE_INFINITY)
  const timer = useRef<NodeJS.Timeout | undefined>(undefined)
  const [armed, setArmed] = useState(false)
  const [dropped, setDropped] = useState(false)
  const [, repaint] = useReducer((count: number) => count + 1, 0)

  const restart = useCallback(() => {
    quietSince.current = keys.now()
    setArmed(false)
    clearTimeout(timer.current)
    timer.current = setTimeout(() => setArmed(true), armAfter)
  }, [keys, armAfter])

  useEffect(() => {
    if (keys.drop() > 0) setDropped(true)
    const cancel = afterFrame(restart)
    const forget = onUnsettled(restart)
    // The rest of a reply that came in pieces looks like keys.
    const uncut = keys.onCut(restart)
    return () => {
      cancel()
      forget()
      uncut()
      clearTimeout(timer.current)
    }
  }, [keys, afterFrame, onUnsettled, restart])

  function isArmed(key: Key): boolean {
    return key.at - quietSince.current >= armAfter
  }

  function move(by: number): void {
    setDropped(false)
    index.current = (index.current + by + options.length) % options.length
    onMove()
    repaint()
  }

  function ignore(): void {
    setDropped(true)
    if (quietSince.current !== Number.POSITIVE_INFINITY) restart()
  }

  useKeys((key) => {
    const action = actionOf('gate', key.name)
    // Steps between the options and the evidence decide nothing, and neither does a note: they need no arming.
    if (action === 'next-evidence' || action === 'previous-evidence' || action === 'note') return false
    if (action === 'decide' && onOpen) {
      if (key.alone) onOpen()
      return true
    }
    const choice = decided(key, options, index.current)
    if (action === undefined && choice === undefined) {
      // Keys of the screen keep their meaning; any other key is typing that was meant for something else.
      const other = actionOf('run', key.name)
      if (other === undefined || other === 'interlude' || !counts(other, key.alone)) ignore()
      return false
    }
    if (done.current) return true
    if (!isArmed(key)) {
      ignore()
    } else if (action === 'move-up' || action === 'move-down') {
      move(action === 'move-up' ? -1 : 1)
    } else if (choice === undefined || !key.alone) {
      ignore()
    } else {
      done.current = true
      index.current = choice
      onDecide(choice)
    }
    return true
  }, rank.gate)
  usePaste(ignore)
  return { index: index.current, armed, dropped }
}
