import type { RunControls } from '../view/view.js'
import type { DrivenRun } from './durable-run.js'
import type { Hold } from './hold.js'
import type { LiveStore } from './live-store.js'

/** Binds what keys can do to a run. `stop` and `interlude` belong to whoever drives it. */
export function createControls<State extends object>(parts: {
  run: DrivenRun<State>
  hold: Hold
  live: LiveStore
  stop(): void
  interlude(id: string): void
}): RunControls {
  const { run, hold, live } = parts
  const stopping = () => live.getSnapshot().status === 'stopping'

  function goOn(): void {
    run.suspendAgent(false)
    hold.release()
    live.patch({ status: 'running' })
  }

  return {
    answer: (questionId, answer) => run.desk.answer(questionId, answer),
    stop: parts.stop,
    interlude: parts.interlude,
    say: (text) => run.say(text),
    toggleHold() {
      if (stopping()) return
      if (hold.held) return goOn()
      hold.toggle()
      live.patch({ status: 'holding' })
    },
    suspend() {
      if (stopping()) return
      const { status } = live.getSnapshot()
      if (status === 'suspended' || status === 'held') return goOn()
      if (!hold.held) hold.toggle()
      live.patch({ status: run.suspendAgent(true) ? 'suspended' : 'holding' })
    },
    interrupt() {
      const { status } = live.getSnapshot()
      if (stopping() || !run.interruptAgent()) return false
      // The turn ends, and the run stops in front of the next step as it was told to.
      if (status === 'suspended') live.patch({ status: 'holding' })
      return true
    },
  }
}
