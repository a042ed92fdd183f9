import type { Question } from '../../view/question.js'
import type { RunControls, RunStore } from '../../view/view.js'
import type { Lines } from './lines.js'
import { askByLines } from './question-dialog.js'
import { doCommand } from './run-commands.js'
import { createRunTeller } from './run-teller.js'

/** Milliseconds between two looks at what a run has to tell. */
const tellEvery = 500

export interface WatchParts {
  store: RunStore
  controls: RunControls
  lines: Lines
  onStop(): void
}

/** The question with what there is to read of the run beside it. */
function readable(question: Question, store: RunStore): Question {
  const { documents = [] } = store.getSnapshot().view
  const own = question.evidence ?? []
  // A copy that the question shows carries the name of its original.
  const isShown = (path: string) => own.some((one) => one.path === path || one.title === path)
  const others = documents.filter(({ path }) => path === undefined || !isShown(path))
  return { ...question, evidence: [...own, ...others] }
}

/** Tells a run and asks its questions until the returned function is called, which gives back the report that was told last. */
export function watchByLines({ store, controls, lines, onStop }: WatchParts): () => readonly string[] {
  const teller = createRunTeller(store.getSnapshot())
  let over = false
  let asked: string | undefined
  let answered: string | undefined
  let timer: NodeJS.Timeout | undefined

  /** What has to be asked now. A run that is stopping takes no answers. */
  function openQuestion() {
    const { question, status } = store.getSnapshot()
    return status === 'stopping' || question?.id === answered ? undefined : question
  }

  function tellNews(): void {
    clearTimeout(timer)
    timer = undefined
    lines.tell(teller.news(store.getSnapshot(), asked === undefined))
  }

  function changed(): void {
    if (over) return
    const question = openQuestion()
    if (question?.id !== asked) {
      asked = question?.id
      tellNews()
      lines.cancel()
      if (question && !lines.read) unheard(question.title, question.countdown !== undefined)
    } else timer ??= setTimeout(tellNews, tellEvery)
  }

  /** Nobody can answer. A question that answers itself is left to do so; any other ends the run, resumable. */
  function unheard(title: string, goesOn: boolean): void {
    lines.show([`A question waits: ${title}`])
    if (goesOn) return
    lines.show([
      'There is no terminal to answer it in, so the run stops here. Start it again in a terminal to go on.',
    ])
    onStop()
  }

  async function converse(): Promise<void> {
    while (!over && lines.read) {
      const question = openQuestion()
      asked = question?.id
      if (!question) {
        const typed = await lines.read('')
        if (typed !== undefined && !over)
          lines.tell(doCommand(typed, store.getSnapshot(), { ...controls, stop: onStop }))
        continue
      }
      tellNews()
      const answer = await askByLines(readable(question, store), lines, controls.readEvidence)
      if (over) return
      if (answer === 'quit') onStop()
      else if (answer) {
        answered = question.id
        asked = undefined
        teller.answered()
        controls.answer(question.id, answer)
      }
    }
  }

  lines.tell(teller.opening(lines.read !== undefined))
  const unsubscribe = store.subscribe(changed)
  void converse()
  changed()
  return () => {
    if (over) return store.getSnapshot().reports
    tellNews()
    over = true
    clearTimeout(timer)
    unsubscribe()
    lines.cancel()
    return store.getSnapshot().reports
  }
}
