import { isObject, parseJson } from '../../../documents/json.js'
import type { QuestionsResult } from '../results.js'

// What people said of phases before they began (docs/playbook.md, "Questions first"). Pure.

export type OpenQuestion = QuestionsResult['questions'][number]

/** A question with what a person said; null where they left it open. */
export interface AnsweredQuestion {
  id: string
  question: string
  why: string
  options: string[]
  recommendation: string | null
  answer: string | null
  /** ISO time. */
  answered_at: string
}

export interface TalkEntry {
  id: string
  name: string
  /** ISO time. */
  at: string
  questions: AnsweredQuestion[]
  /** What the program itself found missing; `--map` only. */
  lacks?: string[]
}

export const mapPath = '.autopilot/context-map.json'
export const discussPath = '.autopilot/discuss-context.json'

/**
 * A file of answers with those of one phase in it; what is known of other phases stays. Undefined for a text that is
 * there and cannot be read: it is never written over.
 */
export function withEntry(
  text: string | undefined,
  time: 'mapped_at' | 'discussed_at',
  { id, name, at, questions, lacks }: TalkEntry,
): string | undefined {
  const read = text === undefined ? { value: {} } : parseJson(text)
  if (!('value' in read) || !isObject(read.value)) return undefined
  const before = isObject(read.value.phases) ? read.value.phases : {}
  const entry = {
    phase_name: name,
    ...(lacks === undefined ? {} : { lacks }),
    questions,
    [time]: at,
  }
  const next = { ...read.value, version: '1.0', last_updated: at, phases: { ...before, [id]: entry } }
  return `${JSON.stringify(next, null, 2)}\n`
}

/**
 * The context file of a phase with what was said in this run. What somebody else has written there stays, and so do
 * discussions of other runs.
 */
export function withDiscussion(text: string | undefined, runId: string, talk: TalkEntry): string {
  const heading = `## Discussion of ${runId}`
  const title = `# Phase ${talk.id}: ${talk.name} - context`
  const before = text === undefined || text.trim() === '' ? title : without(text, heading).trimEnd()
  const said = talk.questions.flatMap(({ question, why, answer }) => [
    `### ${question.replace(/\s+/g, ' ').trim()}`,
    '',
    ...(why.trim() === '' ? [] : [`What depends on it: ${why}`, '']),
    answer === null
      ? '**Left open**: the agents decide.'
      : `**Decided**: ${answer.replaceAll('\n', '\n  ').trim()}`,
    '',
  ])
  const none = ['Nothing had to be asked.', '']
  return [before, '', heading, '', talk.at.slice(0, 10), '', ...(said.length > 0 ? said : none)].join('\n')
}

/** The text without the section of this heading, so that it can be written once more. */
function without(text: string, heading: string): string {
  const lines = text.split('\n')
  const from = lines.findIndex((line) => line.trimEnd() === heading)
  if (from === -1) return text
  const next = lines.findIndex((line, index) => index > from && /^#{1,2} /.test(line))
  return [...lines.slice(0, from), ...(next === -1 ? [] : lines.slice(next))].join('\n')
}
