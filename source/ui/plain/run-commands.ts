import type { RunControls, RunSnapshot, Said } from '../../view/view.js'
import { formatTime } from '../format.js'
import { type Action, actionOf, boundRows, interludeHelp, interludeOf } from '../keymap.js'
import { costLines } from '../layout/cost-lines.js'

// What can be typed while a run goes on: the key of the screen, and behind `s` what is to be said.

const actions: readonly Action[] = [
  'hold',
  'suspend',
  'say',
  'interrupt',
  'stop',
  'help',
  'timeline',
  'costs',
]

const shownEntries = 20
/** Tables are as wide as every terminal has room for. */
const usualColumns = 80

function helpLines({ view }: RunSnapshot): string[] {
  const rows = boundRows().filter(
    ({ id, scope }) => actions.includes(id) && (scope === 'run' || scope === 'agent'),
  )
  return [
    ...rows.map(({ id, keys, label }) => `  ${keys[0]}${id === 'say' ? ' text' : ''}: ${label}`),
    ...interludeHelp(view.interludes).map(({ key, interlude }) => `  ${key}: ${interlude.label}`),
  ]
}

const saidText: Record<Said, string> = {
  sent: 'Sent.',
  queued: 'Sent: it is read after what is being done now.',
  kept: 'Kept for the next turn of an agent.',
}

/** Does what a line says and gives back what is to be told of it. */
export function doCommand(line: string, snapshot: RunSnapshot, controls: RunControls): string[] {
  const [word = '', ...rest] = line.trim().split(/\s+/)
  if (word === '') return []
  const action = actionOf('run', word) ?? actionOf('agent', word)
  const interlude = interludeOf(snapshot.view.interludes, word)
  const text = rest.join(' ')
  switch (action) {
    case 'hold':
      controls.toggleHold()
      return []
    case 'suspend':
      controls.suspend()
      return []
    case 'stop':
      controls.stop()
      return []
    case 'say':
      return [text === '' ? 'Type what to say behind it: s use the old format' : saidText[controls.say(text)]]
    case 'interrupt':
      return [controls.interrupt() ? 'Interrupting: you are asked how to go on.' : 'No agent to interrupt.']
    case 'timeline':
      return snapshot.timeline.slice(-shownEntries).map(({ at, text: told }) => `  ${formatTime(at)} ${told}`)
    case 'costs':
      return costLines(snapshot, Date.now(), usualColumns)
    case 'help':
      return helpLines(snapshot)
    default:
      if (!interlude) return [`"${word}" means nothing here; ? lists what can be typed.`]
      controls.interlude(interlude.id)
      return []
  }
}
