/** One choice of a gate. The label is shown and stored exactly as written; `value` is what code compares. */
export interface QuestionOption {
  value: string
  label: string
  /** What happens next, in one short line. */
  consequence: string
  /** Whoever asks recommends it: an agent, a rule of the docs, or the program where evidence speaks for it. */
  recommended?: boolean
  /** The menu opens on it where nothing is recommended, since it lets nothing pass; shown without a mark. */
  safe?: boolean
  /** The run ends here and is resumable; the question is asked again on resume. */
  stops?: boolean
  /** The answer is about no version of what is shown: it is read again afterwards anyway. */
  rereads?: boolean
  /** Ask for text after this option was chosen: a rationale, a note, a path. */
  text?: { label: string; required: boolean }
  /** Open the list of the question (`Question.list`) and answer with its items. */
  edits?: boolean
}

/** One row of a list that a person edits. */
export interface ListItem {
  /** Label of the row in its source, or a number of its own. */
  id: string
  name: string
  /** One of `ListEditor.choice.values`. */
  choice?: string
  /** 1-based source line; absent for rows that were typed. */
  line?: number
  /** Source lines of rows that were merged into it. */
  merged?: number[]
  /** Dropped from a reading, or left out when ordering. */
  dropped?: boolean
  /** Why it was dropped. */
  reason?: string
}

/** The list that an option with `edits` opens. `reading`: rename, drop, merge, choose, add. `order`: move, skip. */
export interface ListEditor {
  kind: 'reading' | 'order'
  items: ListItem[]
  /** What each row has one of, from the lightest to the heaviest; of merged rows the heavier one stays. */
  choice?: { label: string; values: string[]; default: string } | undefined
}

/** What can be opened and read before a gate is answered. */
export interface Evidence {
  /** Unique in its question. */
  id: string
  kind: 'plan' | 'diff' | 'findings' | 'log' | 'text'
  title: string
  /** Repo-relative file that it comes from. */
  path?: string
  /** Commit since which the changes are shown, of a `diff` that comes from git. */
  since?: string
  /** Such changes are those of the whole session, and not of a part of it. */
  whole?: boolean
  /** Its text, when it is short enough to be part of the question; else `path` is read when it is opened. */
  lines?: string[]
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
  evidence?: Evidence[]
  options: QuestionOption[]
  list?: ListEditor
  /** Answers itself with this option at that time (ISO), unless a key answers first. Shown as a countdown. */
  countdown?: { until: string; value: string }
  /** ISO time at which it was first asked. */
  askedAt: string
}

/** A question that waits behind the one that is shown. */
export type WaitingQuestion = Pick<Question, 'id' | 'gate' | 'title' | 'askedAt'>

/** What a question is built from; the run adds id and time. */
export type QuestionDraft = Omit<Question, 'id' | 'askedAt'>

/** How a question was answered. `text` belongs to an option with `text`, `items` to one with `edits`. */
export interface Answer {
  value: string
  text?: string
  items?: ListItem[]
}
