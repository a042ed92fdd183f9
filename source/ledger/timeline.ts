import type { Answer, ListEditor, Question } from '../view/question.js'
import { recordedAnswer, recordedQuestion } from '../view/recorded-question.js'
import type { TimelineEntry } from '../view/view.js'
import type { JournalRecord } from './journal-record.js'
import { messageText } from './messages.js'

/** A text of several lines in one, as a list of events shows it. */
const inOneLine = (text: string) => text.replace(/\s+/g, ' ').trim()

/** What came of the list that was edited. */
function listText({ items = [] }: Answer, list: ListEditor | undefined): string {
  if (!list || items.length === 0) return ''
  const shown = items.map(({ id, dropped }) => (dropped ? `${id} ${droppedWords[list.kind]}` : id))
  return `: ${shown.join(', ')}`
}

const droppedWords: Record<ListEditor['kind'], string> = { order: 'skipped', reading: 'dropped' }

/** An answer in the words that it was chosen by; the question is not there where its record was lost. */
function chosenText(answer: Answer, question: Question | undefined): string {
  const option = question?.options.find(({ value }) => value === answer.value)
  return `${option?.label ?? answer.value}${listText(answer, question?.list)}`
}

/** What was decided by an answer; one that stops decides nothing, since its question is asked again. */
function answeredOf(
  chosen: string,
  { text }: Answer,
  question: Question | undefined,
): Pick<TimelineEntry, 'answered'> {
  // A record of another hand may lack them.
  if (!question?.gate || !question.title) return {}
  const { gate, title } = question
  const note = text === undefined || text === '' ? {} : { note: inOneLine(text) }
  return { answered: { chosen: inOneLine(chosen), gate, title: inOneLine(title), ...note } }
}

/** What one journal record says to a person, or nothing; `asked` is the question that an answer is for. */
export function timelineEntry(record: JournalRecord, asked?: Question): TimelineEntry | undefined {
  const line = (text: string, kind: TimelineEntry['kind']): TimelineEntry => {
    return { at: record.at, text: inOneLine(text), kind }
  }
  switch (record.type) {
    case 'visit':
      return line(record.state, 'state')
    case 'dispatched':
      return line(
        `${record.title} (${record.persona})${record.attempt > 1 ? ', again after an interruption' : ''}`,
        'agent',
      )
    case 'agent': {
      const reply = record.reply as { ok: boolean; error?: string; message?: string }
      return reply.ok
        ? line(`${record.title}: finished`, 'agent')
        : line(
            `${record.title}: ${reply.error ?? 'failed'}${reply.message ? `, ${reply.message}` : ''}`,
            'warning',
          )
    }
    case 'asked':
      return line(`asked: ${(record.question as Question).title}`, 'gate')
    case 'answered': {
      if (record.settled) return undefined
      const { answer } = record.answer as { answer: Answer }
      const given = recordedAnswer(answer)
      const question = asked && recordedQuestion(asked)
      const chosen = chosenText(given, question)
      const said = line(`answered: ${chosen}${given.text ? ` - ${given.text}` : ''}`, 'gate')
      return record.stop ? said : { ...said, ...answeredOf(chosen, given, question) }
    }
    case 'note':
      return line(messageText(record) ?? record.text, record.kind)
    case 'recovered':
      return line(record.text, 'warning')
    case 'adopted':
      return line('the state file was taken over as it is on disk', 'warning')
    case 'merged':
      return line('an edit of the state file was taken in', 'note')
    case 'held':
      return line('held', 'note')
    case 'released':
      return line('goes on', 'note')
    case 'interrupted':
      return line('stopped', 'note')
    case 'transition':
      return record.finished ? line('finished', 'state') : undefined
    default:
      return undefined
  }
}
