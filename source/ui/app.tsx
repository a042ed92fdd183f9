import { useEffect, useSyncExternalStore } from 'react'
import type { ScreenSize } from '../terminal/capabilities.js'
import type { Pace } from '../terminal/key-pump.js'
import type { Answer, Question } from '../view/question.js'
import type { RunControls } from '../view/view.js'
import type { StartChoice, StartData } from './contract.js'
import type { FrameStore } from './frame-store.js'
import { type Desk, DeskContext, SizeContext } from './hooks/desk.js'
import { AskScreen } from './screens/ask-screen.js'
import { BusyScreen } from './screens/busy-screen.js'
import { DoneScreen } from './screens/done-screen.js'
import { RunScreen } from './screens/run-screen.js'
import { StartScreen } from './screens/start-screen.js'

/** What is on the screen. */
export type Showing =
  | { kind: 'busy'; text: string }
  | { kind: 'choose'; data: StartData; onChoose(choice: StartChoice): void }
  | { kind: 'ask'; question: Question; header: string; onAnswer(answer: Answer | 'quit'): void }
  | { kind: 'run'; frames: FrameStore; controls: RunControls; onStop(): void }
  | { kind: 'done'; title: string; lines: readonly string[]; onClose(): void }

/** A value outside of React that parts of the screen subscribe to. */
export interface Cell<Value> {
  get(): Value
  set(value: Value): void
  subscribe(listener: () => void): () => void
}

export function createCell<Value>(initial: Value): Cell<Value> {
  const listeners = new Set<() => void>()
  let value = initial
  return {
    get: () => value,
    set(next) {
      value = next
      for (const listener of listeners) listener()
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

/** Last child of the root: its effect runs after all others, and tells the key pump that the key has had its effects. */
function Barrier({ pace }: { pace: Pace }) {
  const count = useSyncExternalStore(pace.subscribe, pace.current)
  useEffect(() => pace.acknowledge(count), [pace, count])
  return null
}

function Shown({ showing }: { showing: Showing }) {
  switch (showing.kind) {
    case 'busy':
      return <BusyScreen text={showing.text} />
    case 'choose':
      return <StartScreen key="choose" data={showing.data} onChoose={showing.onChoose} />
    case 'ask':
      return <AskScreen key={showing.question.id} {...showing} />
    case 'run':
      return <RunScreen {...showing} />
    case 'done':
      return <DoneScreen {...showing} />
  }
}

export interface AppProps {
  desk: Desk
  size: Cell<ScreenSize>
  showing: Cell<Showing>
}

/** The root of the screen. */
export function App({ desk, size, showing }: AppProps) {
  const currentSize = useSyncExternalStore(size.subscribe, size.get)
  const current = useSyncExternalStore(showing.subscribe, showing.get)
  return (
    <DeskContext value={desk}>
      <SizeContext value={currentSize}>
        <Shown showing={current} />
        <Barrier pace={desk.keys.pace} />
      </SizeContext>
    </DeskContext>
  )
}
