import type { KeptAnswer } from '../ledger/visit.js'
import type { Answer, Question, QuestionDraft } from '../view/question.js'
import { again } from './gate-desk.js'
import { type Hide, hiddenQuestion, hiddenResult } from './hidden.js'
import { recorded } from './recorded-fact.js'
import type { GateBuild, GateResult, Run } from './run.js'
import type { RunContext } from './run-context.js'
import { QuestionWithdrawn, RunStopped } from './stopped.js'

const changedNotice =
  'This changed while the question was open. It is shown again as it is now; nothing was decided.'

/** A gate while it is open: its questions may change, its id stays. */
interface OpenGate<State extends object> {
  context: RunContext<State>
  /** Questions of all gates that are open now, by id: the state file names the first of them. */
  open: Map<string, Question>
  key: string
  id: string
}

/** The gate of a run: on disk before it is shown, open until a key answers it, answered once. */
export function createGate<State extends object>(context: RunContext<State>): Run<State>['gate'] {
  const open = new Map<string, Question>()

  return async <Subject>(
    key: string,
    build: () => Promise<GateBuild<Subject>>,
    onStop?: (state: State, subject: Subject) => State,
  ): Promise<GateResult<Subject>> => {
    context.claim(`ask ${key}`)
    const { visit } = context.ledger
    const before = visit.find('answered', key)
    if (before && !before.stop) return before.answer as GateResult<Subject>
    const gate: OpenGate<State> = { context, open, key, id: `${visit.number}.${visit.state}.${key}` }
    let notice: string[] = []
    const look = async () => hidden(context.hide, await build())
    for (;;) {
      const built = await look()
      context.stopIfAsked()
      if (!('question' in built)) {
        return recordSettled(gate, { answer: { value: built.settled }, subject: built.subject })
      }
      const kept = keptAnswer(visit.kept, built)
      if (kept) return recordKept(gate, kept)
      const question = await putQuestion(gate, built.question, notice)
      const result = await answerTo(gate, question, async (answer) => {
        const chosen = question.options.find((option) => option.value === answer.value)
        const settled = chosen?.stops || chosen?.rereads
        if (!settled && !(await isSame(built, look))) return 'changed'
        const given: GateResult<Subject> = { answer, subject: built.subject }
        if (!chosen?.stops) return recordAnswer(gate, given)
        await recordStop(gate, given, (state) => onStop?.(state, built.subject) ?? state)
        throw new RunStopped('gate')
      }).catch(async (error: unknown) => {
        // A key, or a signal, that stops the run is the same answer.
        if (error instanceof RunStopped && error.by === 'key' && onStop) {
          const stopped: GateResult<Subject> = { answer: { value: 'stop' }, subject: built.subject }
          await recordStop(gate, stopped, (state) => onStop(state, built.subject))
        }
        throw error
      })
      if (result !== again && result !== 'changed') return result
      if (result === 'changed' || !(await isSame(built, look))) notice = [changedNotice, '']
    }
  }
}

/** What a gate shows and what its answer is about, without secrets. */
function hidden<Subject>(hide: Hide, built: GateBuild<Subject>): GateBuild<Subject> {
  const subject = hiddenResult(hide, built.subject)
  return 'question' in built
    ? { subject, question: hiddenQuestion(hide, built.question) }
    : { subject, settled: built.settled }
}

/** Whether a gate would ask the same thing now. */
async function isSame<Built>(built: Built, build: () => Promise<Built>): Promise<boolean> {
  return JSON.stringify(await build()) === JSON.stringify(built)
}

/** On disk before it is shown, unless it is there already as it is. */
async function putQuestion<State extends object>(
  { context, open, key, id }: OpenGate<State>,
  draft: QuestionDraft,
  notice: readonly string[],
): Promise<Question> {
  const { ledger, machine, saver } = context
  const { visit } = ledger
  const asked = visit.find('asked', key)?.question as Question | undefined
  const question: Question = {
    ...draft,
    body: [...notice, ...draft.body],
    id,
    askedAt: asked?.askedAt ?? context.now().toISOString(),
  }
  open.set(id, question)
  if (JSON.stringify(asked) === JSON.stringify(question)) return question
  const fact = { type: 'asked', visit: visit.number, key, question } as const
  if (ledger.state === undefined) await saver.append(fact)
  else await saver.saveImage(fact, () => machine.withQuestion(context.saved(), firstOf(open)))
  return question
}

/**
 * Waits for the key, and shows the question until `keep` has the answer on disk. A question of a visit that ends under it
 * stays open for the next process.
 */
async function answerTo<State extends object, Kept>(
  { context }: OpenGate<State>,
  question: Question,
  keep: (answer: Answer) => Promise<Kept>,
): Promise<Kept | typeof again> {
  try {
    return await context.underWay(context.desk.keeping(question, context.visitSignal, keep))
  } catch (error) {
    throw error instanceof QuestionWithdrawn ? new RunStopped('gate') : error
  }
}

async function recordAnswer<State extends object, Subject>(
  { context, open, key, id }: OpenGate<State>,
  answer: GateResult<Subject>,
  kept = false,
): Promise<GateResult<Subject>> {
  const { ledger, machine, saver } = context
  open.delete(id)
  const own = {
    type: 'answered',
    visit: ledger.visit.number,
    key,
    questionId: id,
    answer,
    stop: false,
  } as const
  const fact = kept ? { ...own, kept } : own
  const record =
    ledger.state === undefined
      ? await saver.append(fact)
      : await saver.saveImage(fact, () => machine.withQuestion(context.saved(), firstOf(open)))
  return recorded(record, 'answered').answer as GateResult<Subject>
}

/** After a stop the question stays open, in the state file too: it is asked again on resume. */
async function recordStop<State extends object>(
  { context, open, key, id }: OpenGate<State>,
  answer: unknown,
  stopped: (state: State) => State,
): Promise<void> {
  const { ledger, saver } = context
  open.delete(id)
  const fact = {
    type: 'answered',
    visit: ledger.visit.number,
    key,
    questionId: id,
    answer,
    stop: true,
  } as const
  if (ledger.state === undefined) await saver.append(fact)
  else await saver.saveImage(fact, () => stopped(context.saved()))
}

async function recordSettled<State extends object, Subject>(
  { context, key, id }: OpenGate<State>,
  answer: GateResult<Subject>,
): Promise<GateResult<Subject>> {
  const visit = context.ledger.visit.number
  const own = { type: 'answered', visit, key, questionId: id, answer, stop: false } as const
  const record = await context.saver.append({ ...own, settled: true })
  return recorded(record, 'answered').answer as GateResult<Subject>
}

/** What the person answered to the same question, about the same subject, in the visit that this one begins again. */
function keptAnswer(
  kept: readonly KeptAnswer[],
  built: { subject: unknown; question: QuestionDraft },
): KeptAnswer | undefined {
  const wanted = contentOf(built.question, built.subject)
  return kept.find(({ question, answer }) => {
    const { answer: given, subject } = answer as GateResult<unknown>
    const rereads = question.options.some((option) => option.value === given.value && option.rereads)
    return !rereads && contentOf(question, subject) === wanted
  })
}

function recordKept<State extends object, Subject>(
  gate: OpenGate<State>,
  { answer }: KeptAnswer,
): Promise<GateResult<Subject>> {
  return recordAnswer(gate, answer as GateResult<Subject>, true)
}

/**
 * What a person decides about, without when and under which name it was asked, and without what is recommended or
 * lit first: an answer says the same whatever was marked beside it. Versions may order keys otherwise.
 */
function contentOf(question: QuestionDraft, subject: unknown): string {
  const { gate, title, body, list, evidence } = question
  const options = question.options.map(({ recommended: _mark, safe: _place, ...option }) => option)
  return JSON.stringify([gate, title, body, options, list, evidence, subject], (_key, value: unknown) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
    return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
  })
}

function firstOf(open: ReadonlyMap<string, Question>): Question | undefined {
  const [first] = open.values()
  return first
}
