import type { Answer, QuestionDraft } from '../../../source/view/question.js'
import type { WorkflowView } from '../../../source/view/view.js'

/** One question that is put on the screen. */
export interface Asked {
  draft: QuestionDraft
  /** Asked before there is a run: it has the whole screen. */
  before: boolean
}

/** What the program of the questions is told. */
export interface Order {
  /** The project in which evidence lies. */
  root: string
  /** Absolute path of the file in which each answer becomes a line. */
  record: string
  view: Pick<WorkflowView, 'documents' | 'findings' | 'work'>
  asked: readonly Asked[]
}

/** A line of the record. */
export interface Recorded {
  gate: string
  answer: Answer | 'quit'
}
