import { appendFileSync, readFileSync } from 'node:fs'
import { openGit } from '../../../source/project/git.js'
import { createGateDesk } from '../../../source/run/gate-desk.js'
import { createLiveStore } from '../../../source/run/live-store.js'
import { readAnyEvidence } from '../../../source/sessions/evidence-text.js'
import { openUi } from '../../../source/ui/ui.js'
import type { Question } from '../../../source/view/question.js'
import { snapshotOf } from '../../ui/fixtures.js'
import type { Order } from './order.js'

// The real screen, its desk of questions and its reader, with nothing else of a run: node program.js <order.json>. One
// question after the other is put on the screen, and what a key has answered is written down.

const [path = ''] = process.argv.slice(2)
const order = JSON.parse(readFileSync(path, 'utf8')) as Order

const ui = await openUi()
const live = createLiveStore({ ...snapshotOf({ panes: [], tasks: [], timeline: [] }) })
live.patch({ view: { ...live.getSnapshot().view, ...order.view } })
const ended = new AbortController()
const desk = createGateDesk(ended.signal, (question, waiting) => live.patch({ question, waiting }))
const git = openGit(order.root)

ui.onQuit(() => {
  // No answer of the tests is a key that stops, so this one was meant for something else.
  void ui.finish(['stopped by a key']).then(() => process.exit(3))
})

function watch(): void {
  ui.watch(live, {
    answer: desk.answer,
    lookAgain: desk.lookAgain,
    askLater: desk.askLater,
    toggleHold: () => undefined,
    suspend: () => undefined,
    say: () => 'kept',
    interrupt: () => false,
    stop: () => undefined,
    interlude: () => undefined,
    readEvidence: (evidence) => readAnyEvidence(order.root, evidence, git.diffSince),
  })
}

let watched = false
for (const [index, { draft, before }] of order.asked.entries()) {
  const question: Question = { ...draft, id: `${index}/${draft.gate}`, askedAt: new Date().toISOString() }
  if (!before && !watched) watch()
  watched = !before
  const answer = before ? await ui.ask(question, 'Start') : (await desk.open(question)).answer
  appendFileSync(order.record, `${JSON.stringify({ gate: draft.gate, answer })}\n`)
}
await ui.finish([`${order.asked.length} questions were answered.`])
process.exit(0)
