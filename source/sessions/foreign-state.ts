import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import { asidePath } from '../storage/beside-file.js'
import { readVerified } from '../storage/durable-file.js'
import type { Answer, Question, QuestionDraft } from '../view/question.js'
import type { SessionAt } from './session.js'
import { asked, stop } from './session-questions.js'

/**
 * A file of another tool at the place of the state is never written over: a person has it renamed, or nothing is begun
 * (docs/durability.md, "Opening a session"). Plain reads, before anything is locked or written.
 */
export async function settleForeign<State extends object>(
  { root, workflow, place }: SessionAt<State>,
  ask: (question: Question, header: string) => Promise<Answer | 'quit'>,
): Promise<'go on' | 'stop'> {
  if (!workflow.isForeign) return 'go on'
  const path = join(root, place.stateFile)
  const file = await readVerified(path)
  if (file.kind !== 'ok' || !workflow.isForeign(file.bytes.toString('utf8'))) return 'go on'
  const answer = await ask(asked(qForeign(place.stateFile)), place.slug)
  if (answer === 'quit' || answer.value !== 'rename') return 'stop'
  await rename(path, asidePath(path, 'foreign'))
  return 'go on'
}

/** Something lies where the state is kept that no session has written. */
export function qForeign(path: string): QuestionDraft {
  return {
    gate: 'Q-STATE',
    title: 'Another tool keeps a file at the place of the state',
    body: [
      path,
      'It does not say which run it is of, or of which phases. A run would have to write over it.',
    ],
    options: [
      {
        value: 'rename',
        label: 'rename',
        consequence: `keep it beside as ${path.slice(path.lastIndexOf('/') + 1)}.foreign-<time>, and begin a run`,
      },
      { ...stop, safe: true },
    ],
  }
}
