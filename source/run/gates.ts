import type { Ledger } from '../ledger/ledger.js'
import type { Visit } from '../ledger/visit.js'
import type { Question } from '../view/question.js'
import { recordedAnswer, recordedQuestion } from '../view/recorded-question.js'
import type { GateDesk } from './gate-desk.js'
import type { LiveStore } from './live-store.js'
import type { Machine } from './machine.js'
import type { GateBuild, GateResult, Run } from './run.js'
import type { Saver } from './saver.js'
import { RunStopped } from './stopped.js'

const changedNotice =
  'This changed while the question was open. It is shown again as it is now; nothing was decided.'

export interface GateParts<State extends object> {
  machine: Machine<State>
  ledger: Ledger<State>
  live: LiveStore
  desk: GateDesk
  saver: Saver<State>
  visit(): Visit
  claim(key: string): void
  stopIfAsked(): void
  now(): Date
}

/** The gate of a run: on disk before it is shown, open until a key answers it, answered once. */
export function createGate<State extends object>(parts: GateParts<State>): Run<State>['gate'] {
  const { machine, ledger, live, desk, saver } = parts

  const recordAsked = async (key: string, question: Question) => {
    const visit = parts.visit()
    const fact = { type: 'asked', visit: visit.number, key, question } as const
    const record = ledger.state
      ? await saver.saveImage(fact, machine.withQuestion(ledger.state, question))
      : await saver.append(fact)
    visit.add(record)
  }

  const recordAnswered = async (
    key: string,
    questionId: string,
    answer: unknown,
    stopped: ((state: State) => State) | undefined,
  ) => {
    const stop = stopped !== undefined
    const fact = { type: 'answered', visit: parts.visit().number, key, questionId, answer, stop } as const
    if (!ledger.state) await saver.append(fact)
    // After a stop the question stays open, in the state file too: it is asked again on resume.
    else if (stopped) await saver.saveImage(fact, stopped(ledger.state))
    else await saver.saveImage(fact, machine.withQuestion(ledger.state, undefined))
  }

  return async <Subject>(
    key: string,
    build: () => Promise<GateBuild<Subject>>,
    onStop?: (state: State, subject: Subject) => State,
  ): Promise<GateResult<Subject>> => {
    parts.claim(`ask ${key}`)
    const visit = parts.visit()
    const before = visit.find('answered', key)
    if (before && !before.stop) {
      const { answer, subject } = before.answer as GateResult<Subject>
      return { answer: recordedAnswer(answer), subject }
    }
    parts.stopIfAsked()
    const id = `${visit.number}.${visit.state}.${key}`
    for (let notice: string[] = []; ; notice = [changedNotice, '']) {
      const built = await build()
      if (!('question' in built)) {
        const settled: GateResult<Subject> = { answer: { value: built.settled }, subject: built.subject }
        await saver.append({
          type: 'answered',
          visit: visit.number,
          key,
          questionId: id,
          answer: settled,
          stop: false,
          settled: true,
        })
        return settled
      }
      const recorded = visit.find('asked', key)?.question
      const asked = recorded === undefined ? undefined : recordedQuestion(recorded)
      const question: Question = {
        ...built.question,
        body: [...notice, ...built.question.body],
        id,
        askedAt: asked?.askedAt ?? parts.now().toISOString(),
      }
      if (JSON.stringify(asked) !== JSON.stringify(question)) await recordAsked(key, question)
      const { answer } = await desk.open(question, (open) => live.patch({ question: open }))
      live.patch({ question: undefined })
      const chosen = question.options.find((option) => option.value === answer.value)
      if (!chosen?.stops && !chosen?.rereads && JSON.stringify(await build()) !== JSON.stringify(built))
        continue
      const result: GateResult<Subject> = { answer, subject: built.subject }
      const stopped = (state: State) => onStop?.(state, built.subject) ?? state
      await recordAnswered(key, id, result, chosen?.stops ? stopped : undefined)
      if (chosen?.stops) throw new RunStopped('gate')
      return result
    }
  }
}
