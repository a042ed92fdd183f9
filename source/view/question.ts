/** One choice of a gate. The label is shown and stored exactly as written; `value` is what code compares. */
export interface QuestionOption {
  value: string
  label: string
  /** What happens next, in one short line. */
  consequence: string
  recommended?: boolean
  /** The run ends here and is resumable; the question is asked again on resume. */
  stops?: boolean
  /** The answer is about no version of what is shown: it is read again afterwards anyway. */
  rereads?: boolean
  /** Ask for text after this option was chosen: a rationale, a note, a path. */
  text?: { label: string; required: boolean }
  /** Open the list editor of the question (`Question.editor`) and answer with its items. */
  edits?: boolean
}

/** One phase in the list editor, for confirming a reading and for reordering open phases. */
export interface PhaseDraft {
  /** Label of the phase in its source, or its 1-based number. */
  id: string
  name: string
  complexity: 'low' | 'medium' | 'high'
  /** 1-based source line; absent for phases that were typed. */
  line?: number
  /** Dropped from a reading, or skipped when reordering. */
  dropped?: boolean
}

/** The list that an option with `edits` opens. `reading`: rename, drop, merge, set complexity, add. `order`: move, skip. */
export interface PhaseEditor {
  kind: 'reading' | 'order'
  phases: PhaseDraft[]
}

/** A gate as data. It is on disk before it is shown, and stays open until a key answers it. */
export interface Question {
  /** Unique in the session; the same question has the same id after a restart. */
  id: string
  /** Name of the gate in its workflow reference, such as `Q-APPROVE`. */
  gate: string
  title: string
  /** Shown above the options; already plain text without control characters. */
  body: string[]
  options: QuestionOption[]
  editor?: PhaseEditor
  /** Answers itself with this option at that time (ISO), unless a key answers first. Shown as a countdown. */
  countdown?: { until: string; value: string }
  /** ISO time at which it was first asked. */
  askedAt: string
}

/** What a question is built from; the run adds id and time. */
export type QuestionDraft = Omit<Question, 'id' | 'askedAt'>

/** How a question was answered. `text` belongs to an option with `text`, `phases` to one with `edits`. */
export interface Answer {
  value: string
  text?: string
  phases?: PhaseDraft[]
}
