import { ageText } from '../../durations.js'
import { sanitizeLine } from '../../terminal/sanitize.js'
import { hangingRows } from '../../terminal/width.js'
import type { WaitingQuestion } from '../../view/question.js'
import type { RunSnapshot } from '../../view/view.js'
import { TextView } from '../components/text-view.js'
import { formatTime } from '../format.js'
import { keyOf } from '../keymap.js'
import { line } from '../layout/line.js'
import type { Line } from '../theme.js'
import type { View, ViewProps } from './view.js'

function rowsOf(one: WaitingQuestion, isShown: boolean, width: number, now: number): Line[] {
  // The one that is asked stands there as such; one that waits says since when.
  const age = ageText(now - Date.parse(one.askedAt)) ?? (isShown ? '' : 'just now')
  const head = `  ${(isShown ? 'asked now' : 'waits').padEnd(10)} ${age.padStart(8)}  ${formatTime(one.askedAt)}  `
  const text = `${sanitizeLine(one.title)} (${sanitizeLine(one.gate)})`
  return hangingRows(head, text, width).map((row) => line(row, isShown ? 'accent' : undefined, isShown))
}

function inboxRows({ question, waiting = [] }: RunSnapshot, width: number, now: number): Line[] {
  if (!question) return [line('  Nothing waits for you.', 'quiet')]
  return [
    ...rowsOf(question, true, width, now),
    ...waiting.flatMap((one) => rowsOf(one, false, width, now)),
    ...(waiting.length === 0
      ? []
      : [line(''), line(`  ${keyOf('ask-later')} puts the one that is asked behind the others`, 'quiet')]),
  ]
}

function InboxView({ state, layout }: ViewProps) {
  const { snapshot, now } = state
  const lines = inboxRows(snapshot, layout.width, now)
  return <TextView state={state} view="inbox" title="Questions" lines={lines} height={layout.bodyHeight} />
}

/** Questions that wait for the person: the one that is asked, and those behind it. */
export const inboxView: View = {
  id: 'inbox',
  title: 'Questions',
  isFilled: ({ question }) => question !== undefined,
  render: (props) => <InboxView {...props} />,
  hints: [{ actions: ['ask-later'], word: 'next question' }],
}
