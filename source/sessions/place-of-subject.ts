import type { Answer, Question } from '../view/question.js'
import type { Place } from '../workflows/place.js'
import type { AnyWorkflow } from '../workflows/workflow.js'
import { asked, qImport, qMoved } from './session-questions.js'

/**
 * The session of a subject. Where an earlier one is about it under another path, which is gone, or another tool has kept
 * a record of one, the person says which; undefined to start nothing.
 */
export async function placeOfSubject(
  about: { root: string; workflow: Pick<AnyWorkflow, 'moved' | 'record' | 'locate'>; subject: string },
  ask: (question: Question) => Promise<Answer | 'quit'>,
): Promise<Place | undefined> {
  const { root, workflow, subject } = about
  const moved = await workflow.moved?.(root, subject)
  if (moved) {
    const answer = await ask(asked(qMoved(subject, moved.from, moved.place.slug)))
    if (answer === 'quit' || answer.value === 'stop') return undefined
    return answer.value === 'go on' ? moved.place : workflow.locate(root, subject)
  }
  const record = await workflow.record?.(root, subject)
  if (!record) return workflow.locate(root, subject)
  const answer = await ask(asked(qImport(record.from, record.lines)))
  if (answer === 'quit' || answer.value === 'stop') return undefined
  return answer.value === 'import' ? record.take() : workflow.locate(root, subject)
}
