import type { Answer, ListEditor, ListItem, Question } from './question.js'

// Questions and answers as version 0.1.0 wrote them: the list of a question was its `editor` with `phases`, an answer
// held `phases`, and each phase had a `complexity`.

interface OldItem extends Omit<ListItem, 'choice'> {
  complexity: string
}

interface OldQuestion extends Omit<Question, 'list'> {
  editor?: { kind: ListEditor['kind']; phases: OldItem[] }
}

interface OldAnswer extends Omit<Answer, 'items'> {
  phases?: OldItem[]
}

/** The choices that lists of 0.1.0 had, lightest first. */
const oldChoice = { label: 'complexity', values: ['low', 'medium', 'high'], default: 'medium' }

function itemOf({ complexity, ...item }: OldItem): ListItem {
  return { ...item, choice: complexity }
}

/** A question of a journal, whichever version wrote it. */
export function recordedQuestion(recorded: unknown): Question {
  const { editor, ...question } = recorded as Question & OldQuestion
  if (!editor) return question
  return { ...question, list: { kind: editor.kind, items: editor.phases.map(itemOf), choice: oldChoice } }
}

/** An answer of a journal, whichever version wrote it. */
export function recordedAnswer(recorded: unknown): Answer {
  const { phases, ...answer } = recorded as Answer & OldAnswer
  return phases ? { ...answer, items: phases.map(itemOf) } : answer
}
