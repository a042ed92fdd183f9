import type { Evidence, Question, QuestionOption } from '../../view/question.js'
import { formatTime } from '../format.js'
import { isPath } from '../layout/titles.js'

/** What a typed line is to a question. */
export type Reply =
  | { kind: 'option'; index: number }
  | { kind: 'read'; evidence: Evidence }
  /** Show the question again. */
  | { kind: 'again' }
  | { kind: 'quit' }
  /** Nothing that can be acted on; the text says why and what can be typed. */
  | { kind: 'unclear'; why: string }

/** The word that chooses an option: its label in small letters. */
function wordOf(option: QuestionOption): string {
  return option.label.trim().toLowerCase()
}

/** An option that lets something pass, and not one that is safe: where paste cannot be told, a number is too little. */
function wantsWord(option: QuestionOption): boolean {
  return !option.recommended && !option.safe && !option.stops
}

function optionLines(question: Question, wantsWords: boolean): string[] {
  return question.options.map((option, index) => {
    if (wantsWords && wantsWord(option)) return `  type "${wordOf(option)}": ${option.consequence}`
    const mark = option.recommended ? ' (recommended)' : ''
    return `  ${index + 1}. ${option.label}${mark}: ${option.consequence}`
  })
}

/** Its title and the file that it is; a copy that carries the name of its original lies where nobody looks for it. */
function nameOf({ title, path }: Evidence): string {
  return path === undefined || isPath(title) ? title : `${title}, ${path}`
}

function evidenceLines({ evidence = [] }: Question): string[] {
  if (evidence.length === 0) return []
  return ['To read first:', ...evidence.map((one, index) => `  r${index + 1}. ${nameOf(one)}`)]
}

function countdownLines({ countdown, options }: Question): string[] {
  if (!countdown) return []
  const label = options.find(({ value }) => value === countdown.value)?.label ?? countdown.value
  return [`Goes on by itself at ${formatTime(countdown.until)}: ${label}.`]
}

/** The whole question. */
export function questionLines(question: Question, wantsWords: boolean): string[] {
  return [
    '',
    `Question (${question.gate}): ${question.title}`,
    ...question.body.map((text) => `  ${text}`),
    ...evidenceLines(question),
    'Answers:',
    ...optionLines(question, wantsWords),
    ...countdownLines(question),
  ]
}

/** What to type, before the cursor. */
export function questionPrompt({ evidence = [] }: Question): string {
  return evidence.length > 0 ? 'Answer, or r1 to read, ? to see it again: ' : 'Answer, or ? to see it again: '
}

function byWord({ options }: Question, typed: string): number {
  const exact = options.findIndex((option) => wordOf(option) === typed)
  if (exact >= 0) return exact
  const begins = options.flatMap((option, index) => (wordOf(option).startsWith(typed) ? [index] : []))
  return typed.length >= 3 && begins.length === 1 ? (begins[0] ?? -1) : -1
}

/** What a line means that was typed at a question. Pure. */
export function replyOf(question: Question, line: string, wantsWords: boolean): Reply {
  const typed = line.trim().toLowerCase()
  const { options, evidence = [] } = question
  if (typed === '') return { kind: 'unclear', why: 'Nothing was typed, so nothing was decided.' }
  if (typed === '?') return { kind: 'again' }
  if (typed === 'q') return { kind: 'quit' }
  const read = /^r ?(\d{1,3})$/.exec(typed)
  const wanted = read && evidence[Number(read[1]) - 1]
  if (wanted) return { kind: 'read', evidence: wanted }
  if (/^\d{1,3}$/.test(typed)) {
    const index = Number(typed) - 1
    const option = options[index]
    if (!option)
      return { kind: 'unclear', why: `There is no answer ${typed}; they go from 1 to ${options.length}.` }
    if (wantsWords && wantsWord(option))
      return {
        kind: 'unclear',
        why: `This terminal cannot tell typing from pasting, so this answer wants its word: type ${wordOf(option)}`,
      }
    return { kind: 'option', index }
  }
  const index = byWord(question, typed)
  if (index >= 0) return { kind: 'option', index }
  return {
    kind: 'unclear',
    why: `"${line.trim()}" is none of the answers. Type a number from 1 to ${options.length}${wantsWords ? ', or the word of an answer' : ''}.`,
  }
}
