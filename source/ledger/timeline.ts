import type { Answer, Question } from '../view/question.js'
import type { TimelineEntry } from '../view/view.js'
import type { JournalRecord } from './journal-record.js'
import { messageText } from './messages.js'

/** What one journal record says to a person, or nothing. */
export function timelineEntry(record: JournalRecord): TimelineEntry | undefined {
  const line = (text: string, kind: TimelineEntry['kind']): TimelineEntry => ({ at: record.at, text, kind })
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
      return line(`answered: ${answer.value}${answer.text ? ` - ${answer.text}` : ''}`, 'gate')
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
