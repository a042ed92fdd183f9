import { createContext, useContext } from 'react'
import type { ScreenSize } from '../../terminal/capabilities.js'
import type { EditorEnd } from '../../terminal/editor.js'
import type { KeyPump } from '../../terminal/key-pump.js'
import type { Theme } from '../theme.js'

/** What every part of the screen may need: keys, characters, and when a frame is on the screen. */
export interface Desk {
  keys: KeyPump
  theme: Theme
  /** Milliseconds of silence before a gate takes a key: docs/terminal.md "Gates". */
  armAfter: number
  /** Calls back once, when the next frame has been written. Returns a function that cancels. */
  afterFrame(listener: () => void): () => void
  /** After a resize or a wake-up, when what a person saw may have changed. */
  onUnsettled(listener: () => void): () => void
  /** Opens a file (absolute path) in the editor of the person; resolves when it has ended. */
  edit(path: string): Promise<EditorEnd>
}

export const DeskContext = createContext<Desk | undefined>(undefined)
export const SizeContext = createContext<ScreenSize>({ columns: 80, rows: 24 })

export function useDesk(): Desk {
  const desk = useContext(DeskContext)
  if (!desk) throw new Error('A screen is drawn outside of its desk.')
  return desk
}

export function useTheme(): Theme {
  return useDesk().theme
}

export function useSize(): ScreenSize {
  return useContext(SizeContext)
}
