import type { QuitKind, Ui } from '../../source/ui/ui.js'
import type { Answer, Question } from '../../source/view/question.js'
import type { RunControls, RunSnapshot } from '../../source/view/view.js'

// Takes the place of source/ui/ui.ts in the bundle that is tested: the whole program, with a channel to the test where
// the screen would be. A question is answered, and a run stopped, by the test alone.

/** What the program tells the test. */
export type FromProgram =
  | { kind: 'question'; question: Question; running: boolean; state: string }
  | { kind: 'closed'; id: string }
  | { kind: 'state'; state: string }
  | { kind: 'pane'; persona: string; status: string }
  | { kind: 'said'; text: string }
  | { kind: 'pong'; count: number }
  | { kind: 'finish'; lines: string[] }

export type ToProgram =
  | { kind: 'answer'; id: string; answer: Answer }
  | { kind: 'quit' }
  | { kind: 'ping'; count: number }

export async function openUi(): Promise<Ui> {
  const tell = (message: FromProgram) => void process.send?.(message)
  const quitListeners = new Set<(how: QuitKind) => void>()
  let asking: { id: string; settle(answer: Answer | 'quit'): void } | undefined
  let controls: RunControls | undefined
  let dismiss: (() => void) | undefined

  const hear = (message: ToProgram) => {
    if (message.kind === 'ping') tell({ kind: 'pong', count: message.count })
    if (message.kind === 'answer' && asking?.id === message.id) asking.settle(message.answer)
    else if (message.kind === 'answer') controls?.answer(message.id, message.answer)
    if (message.kind === 'quit') {
      if (asking) asking.settle('quit')
      else if (dismiss) dismiss()
      else for (const listener of quitListeners) listener('stop')
    }
  }
  process.on('message', hear)
  // Nobody is left to answer.
  if (process.listenerCount('disconnect') === 0) process.on('disconnect', () => process.exit(70))

  return {
    choose: async () => ({ kind: 'quit' }),
    ask: (question) =>
      new Promise((resolve) => {
        asking = {
          id: question.id,
          settle(answer) {
            asking = undefined
            tell({ kind: 'closed', id: question.id })
            resolve(answer)
          },
        }
        tell({ kind: 'question', question, running: false, state: '' })
      }),
    watch(store, given) {
      controls = given
      const look = follow(tell)
      store.subscribe(() => look(store.getSnapshot()))
      look(store.getSnapshot())
    },
    busy: () => undefined,
    done: async () => undefined,
    onQuit(listener) {
      quitListeners.add(listener)
      return () => quitListeners.delete(listener)
    },
    interrupt: () => undefined,
    async finish(lines) {
      tell({ kind: 'finish', lines })
      process.off('message', hear)
      // The channel would keep the process, unless it waits for another run.
      if (process.listenerCount('message') === 0) process.channel?.unref()
    },
  }
}

/** Tells what is new in each snapshot, agents' words before the question that follows from them. */
function follow(tell: (message: FromProgram) => void): (snapshot: RunSnapshot) => void {
  let state = ''
  let question = ''
  const panes = new Map<string, { status: string; read: number }>()
  return (snapshot) => {
    for (const pane of snapshot.panes) {
      const known = panes.get(pane.id) ?? { status: '', read: 0 }
      panes.set(pane.id, known)
      const unread = Math.min(pane.lines.total - known.read, pane.lines.length)
      for (const line of pane.lines.slice(pane.lines.length - unread, pane.lines.length)) {
        const text = /liar: (.*)$/.exec(line.text)?.[1]
        if (text !== undefined) tell({ kind: 'said', text })
      }
      known.read = pane.lines.total
      if (pane.status !== known.status) tell({ kind: 'pane', persona: pane.persona, status: pane.status })
      known.status = pane.status
    }
    if (snapshot.view.state !== state) {
      state = snapshot.view.state
      tell({ kind: 'state', state })
    }
    const open = snapshot.question
    if ((open?.id ?? '') === question) return
    if (question !== '') tell({ kind: 'closed', id: question })
    question = open?.id ?? ''
    if (open) tell({ kind: 'question', question: open, running: true, state })
  }
}
