import { counted } from '../../../counted.js'
import type { QuestionDraft, QuestionOption } from '../../../view/question.js'
import { withListed } from '../../evidence/questions.js'
import { stop } from '../../options.js'
import type { PhaseRecord } from '../state/schema.js'

/** What a person knows at a verdict beside the record of the phase. */
export interface VerdictMatter {
  /** Tasks that were left to a person, with what their plan says of them. */
  tasks: readonly { id: string; title: string; action: string }[]
  /** How sure its verifier was, and from which confidence on nobody is asked; null where nobody knows. */
  sure: { confidence: number; least: number } | null
  /** What was said of the phase before in this run, and what came of it; a line each. */
  before: readonly string[]
  /** Cycles of mending that are left to the phase. */
  cyclesLeft: number
  /** Phases that are asked about after this one. */
  behind: number
  /** What nobody was asked about, and should be seen. */
  beside: readonly string[]
}

const nothing: VerdictMatter = { tasks: [], sure: null, before: [], cyclesLeft: 1, behind: 0, beside: [] }

/** Lines of a task that are part of the question; the plan, one key away, has them all. */
const mostLines = 4

/** What only a person can say of a phase. */
export function qVerdict(
  id: string,
  name: string,
  record: PhaseRecord,
  matter: Partial<VerdictMatter> = {},
): QuestionDraft {
  const { tasks, sure, before, cyclesLeft, behind, beside } = { ...nothing, ...matter }
  const { human_verify_justification: why, alignment_score: score } = record
  return {
    gate: 'Q-VERDICT',
    title: `Phase ${id} ${name} waits for your verdict`,
    body: [
      ...(tasks.length > 0
        ? tasks.flatMap(taskLines)
        : why
          ? [`Task ${why.checkpoint_task_id}: ${why.task_description}`]
          : sure
            ? [
                `No task asks for a person: the verifier is ${sure.confidence} of 10 sure, and from ${sure.least} on nobody is asked.`,
              ]
            : []),
      ...(why ? [`${why.auto_tasks_passed} of ${counted(why.auto_tasks_total, 'other task')} passed.`] : []),
      `Score: ${score === null ? 'none' : `${score.toFixed(1)}/10`}`,
      ...withListed(before),
      ...withListed(beside),
      ...withListed(
        behind > 0
          ? [`After this one ${counted(behind, 'phase')} more ${behind > 1 ? 'wait' : 'waits'}.`]
          : [],
      ),
    ],
    options: [
      { value: 'pass', label: 'pass', consequence: 'the phase is completed' },
      ...found(cyclesLeft),
      stop,
    ],
  }
}

function taskLines({ id, title, action }: VerdictMatter['tasks'][number]): string[] {
  const lines = action.split('\n').filter((line) => line.trim() !== '')
  const more = lines.length > mostLines ? ['  (the plan says more)'] : []
  return [`Task ${id}: ${title}`, ...lines.slice(0, mostLines).map((line) => `  ${line.trim()}`), ...more]
}

/** Both ways to say that it is not as it should be. */
function found(cyclesLeft: number): QuestionOption[] {
  const text = { label: 'What is wrong? One line each.', required: true }
  const spent = 'the phase fails and is taken back: its cycles of mending are used up'
  const left = cyclesLeft > 0
  return [
    {
      value: 'fail',
      label: 'fail',
      consequence: left ? 'the phase is mended by what you say, and asked about again' : spent,
      text,
    },
    {
      value: 'issues_found',
      label: 'issues',
      consequence: left ? 'what you list is mended, and the phase is asked about again' : spent,
      text,
    },
  ]
}
