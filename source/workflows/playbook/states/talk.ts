import { readText, writeText } from '../../../project/text-files.js'
import type { Transition } from '../../../run/machine.js'
import type { Run } from '../../../run/run.js'
import { RunHalted } from '../circuit.js'
import { contextFileOf, readFacts } from '../phase-facts.js'
import { tell } from '../progress.js'
import { qDiscuss, qNoQuestions } from '../questions/discuss.js'
import {
  type AnsweredQuestion,
  discussPath,
  mapPath,
  type OpenQuestion,
  type TalkEntry,
  withDiscussion,
  withEntry,
} from '../records/talks.js'
import { send } from '../send.js'
import { withEvents } from '../state/events.js'
import type { PlaybookState } from '../state/schema.js'
import { isTalkOnly, mapLines, toAskOf, withAsked } from '../state/talks.js'
import { lackingOf } from '../steps/pre-spawn.js'
import { giveBack } from '../steps/put-aside.js'
import type { PlaybookTools } from '../tools.js'
import { type PhaseFacts, type PhaseWork, save } from '../work.js'
import { haltRun } from './after-phase.js'
import { settleDirectory } from './settle-directory.js'

// Before any phase begins people are asked what only they can say (docs/playbook.md, "Questions first"): one phase a
// visit, one question at a time.

/** MAP: what is missing to know of the next phase that was not looked at. */
export function mapPhase(state: PlaybookState, run: Run<PlaybookState>, tools: PlaybookTools) {
  const [id] = toAskOf(state, 'to_map')
  return visit({ run, tools }, id, async (work) => {
    const lacks = await run.step('lacks', () => lackingOf(work))
    await begins(work, 'context_mapping_started', { lacks })
    if (lacks.length > 0) await tell(work, 'lacks-says', `The phase has ${lacks.join(', ')}.`, 'warning')
    const { at, questions } = await talk(work)
    const entry = { id: work.facts.id, name: work.facts.name, at, questions, lacks }
    await run.step('map', () => keepEntry(work, mapPath, 'mapped_at', entry))
    const isLast = toAskOf(state, 'to_map').length === 1 && isTalkOnly(state)
    if (isLast) await giveBack(work, 'give-back')
    return {
      finished: isLast,
      change: (latest) => {
        const told = withEvents(withAsked(latest, 'to_map', entry.id), at, [
          { event: 'context_mapping_completed', phase: entry.id, details: { ...counted(questions), lacks } },
        ])
        return isLast ? over(told, at) : told
      },
    }
  })
}

/** DISCUSS: what a person wants of the next phase that was not talked about. */
export function discussPhase(state: PlaybookState, run: Run<PlaybookState>, tools: PlaybookTools) {
  const [id] = toAskOf(state, 'to_discuss')
  return visit({ run, tools }, id, async (work) => {
    await begins(work, 'discuss_session_started', {})
    const { at, questions } = await talk(work)
    const entry = { id: work.facts.id, name: work.facts.name, at, questions }
    await run.step('discussion', () => keepDiscussion(work, entry))
    await run.step('answers', () => keepEntry(work, discussPath, 'discussed_at', entry))
    return {
      change: (latest) =>
        withEvents(withAsked(latest, 'to_discuss', entry.id), at, [
          { event: 'discuss_answers_recorded', phase: entry.id, details: counted(questions) },
        ]),
    }
  })
}

async function visit(
  { run, tools }: Pick<PhaseWork, 'run' | 'tools'>,
  id: string | undefined,
  action: (work: PhaseWork) => Promise<Transition<PlaybookState>>,
): Promise<Transition<PlaybookState>> {
  if (id === undefined) throw new Error('no phase is left to be asked about')
  await settleDirectory({ run, tools }, id)
  const facts = (await run.step('facts', () => readFacts(tools, run.state, id))) as PhaseFacts
  const work: PhaseWork = { run, tools, facts, at: '', git: tools.git }
  try {
    return await action(work)
  } catch (error) {
    if (error instanceof RunHalted) return haltRun(work, error)
    throw error
  }
}

function begins(
  work: PhaseWork,
  event: 'context_mapping_started' | 'discuss_session_started',
  details: Record<string, unknown>,
): Promise<PlaybookState> {
  const { id } = work.facts
  return save(
    work,
    'begins',
    (state) => ({ ...state, _meta: { ...state._meta, current_phase: id, current_step: null } }),
    [{ event, phase: id, details }],
  )
}

/** What has to be asked, and what the person says to each. */
async function talk(work: PhaseWork): Promise<{ at: string; questions: AnsweredQuestion[] }> {
  const { run, tools } = work
  const asked = await openQuestions(work)
  if (asked.length === 0) await tell(work, 'nothing-says', 'Nothing has to be asked about this phase.')
  const questions: AnsweredQuestion[] = []
  for (const [index, one] of asked.entries()) {
    const place = { phase: work.facts, number: index + 1, total: asked.length }
    const answer = await run.ask(`ask-${index + 1}`, qDiscuss(place, one))
    if (answer.value === 'enough') break
    const at = await run.step(`answered-${index + 1}`, () => tools.now().toISOString())
    questions.push(answered(one, answer, at))
  }
  return { at: await run.step('talked-at', () => tools.now().toISOString()), questions }
}

async function openQuestions(work: PhaseWork): Promise<OpenQuestion[]> {
  const { description, requirements, contextPaths, id, name } = work.facts
  for (let round = 1; ; round += 1) {
    const sent = await send(
      work,
      'questions',
      { description, requirements, contextPaths },
      { key: `questions-${round}`, title: `What to ask about phase ${id}: ${name}`, attempt: round },
    )
    if (sent.ok) return sent.result.questions
    const answer = await work.run.ask(`no-questions-${round}`, qNoQuestions(work.facts, sent.message))
    if (answer.value === 'without') return []
  }
}

function answered(
  { id, question, why, options, recommendation }: OpenQuestion,
  answer: { value: string; text?: string | undefined },
  at: string,
): AnsweredQuestion {
  const chosen = /^option:(\d+)$/.exec(answer.value)?.[1]
  const said = chosen === undefined ? (answer.text ?? null) : (options[Number(chosen)] ?? null)
  return {
    id,
    question,
    why,
    options: [...options],
    recommendation: recommendation ?? null,
    answer: answer.value === 'open' ? null : said,
    answered_at: at,
  }
}

function counted(questions: readonly AnsweredQuestion[]) {
  return { questions: questions.length, answered: questions.filter(({ answer }) => answer !== null).length }
}

async function keepDiscussion({ run, tools, facts }: PhaseWork, entry: TalkEntry): Promise<null> {
  const path = (await contextFileOf(tools, facts.dir)) ?? `${facts.dir}/CONTEXT.md`
  const text = await readText(tools, path)
  await writeText(tools, path, withDiscussion(text, run.state._meta.run_id, entry))
  return null
}

/** A file that cannot be read is moved aside; what was said is not lost for it. */
async function keepEntry(
  { tools }: PhaseWork,
  path: string,
  time: 'mapped_at' | 'discussed_at',
  entry: TalkEntry,
): Promise<null> {
  const text = await readText(tools, path)
  const next = withEntry(text, time, entry)
  if (next === undefined) await writeText(tools, `${path}.unreadable`, text ?? '')
  await writeText(tools, path, next ?? withEntry(undefined, time, entry) ?? '')
  return null
}

/** The run that was only to ask has come to its end. */
function over(state: PlaybookState, at: string): PlaybookState {
  const { _meta } = state
  const done = {
    ...state,
    _meta: { ..._meta, status: 'completed' as const, queue: [], last_checkpoint: at },
  }
  return withEvents(done, at, [{ event: 'run_completed', details: { report: mapLines(state) } }])
}
