import type { RunControls } from '../view/view.js'
import type { DrivenRun } from './durable-run.js'
import type { Hold } from './hold.js'
import type { LiveStore } from './live-store.js'

export interface ControlParts<State extends object> {
  run: DrivenRun<State>
  hold: Hold
  live: LiveStore
  stop(): void
  interlude(id: string): void
}

/** Binds what keys can do to a run. `stop` and `interlude` belong to whoever drives it. */
export function createControls<State extends object>(parts: ControlParts<State>): RunControls {
  const { run, hold, live } = parts
  const stopping = () => live.getSnapshot().status === 'stopping'

  function goOn(): void {
    run.suspendAgent(false)
    hold.release()
    live.patch({ status: 'running' })
  }

  function suspendAll(): void {
    const { status } = live.getSnapshot()
    if (status === 'suspended' || status === 'held') {
      goOn()
      return
    }
    if (!hold.held) hold.toggle()
    live.patch({ status: run.suspendAgent(true) ? 'suspended' : 'holding' })
  }

  return {
    answer: (questionId, answer) => run.desk.answer(questionId, answer),
    lookAgain: (questionId) => run.desk.lookAgain(questionId),
    askLater: (questionId) => run.desk.askLater(questionId),
    stop: parts.stop,
    interlude: parts.interlude,
    say: (text, paneId) => run.say(text, paneId),
    toggleHold() {
      if (stopping()) return
      if (hold.held) return goOn()
      hold.toggle()
      live.patch({ status: 'holding' })
    },
    suspend(paneId) {
      if (stopping()) return
      if (paneId === undefined) return suspendAll()
      run.suspendAgent(!run.agentSuspended(paneId), paneId)
      // One agent that goes on ends a hold of all no more than one that is suspended begins it.
      if (live.getSnapshot().status === 'suspended' && !run.agentSuspended())
        live.patch({ status: 'holding' })
    },
    interrupt(paneId) {
      const { status } = live.getSnapshot()
      if (stopping() || !run.interruptAgent(paneId)) return false
      // The turn ends, and the run stops in front of the next step as it was told to.
      if (status === 'suspended' && !run.agentSuspended()) live.patch({ status: 'holding' })
      return true
    },
  }
}
