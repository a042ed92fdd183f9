import type { ListEditor, ListItem } from '../../view/question.js'
import * as edits from '../list-edit.js'
import type { Lines } from './lines.js'

function itemLine({ kind, choice }: ListEditor, item: ListItem, index: number): string {
  const state = item.dropped ? (kind === 'reading' ? ' (dropped)' : ' (skipped)') : ''
  const value = choice ? ` (${item.choice ?? choice.default})` : ''
  return `  ${index + 1}. ${item.id}: ${item.name}${value}${state}`
}

function commandsOf({ kind, choice }: ListEditor): string {
  const words =
    kind === 'reading'
      ? [
          'rename 2 New name',
          'drop 2',
          'merge 2 (with the one above)',
          ...(choice ? ['choose 2'] : []),
          'add 2 Name (below it)',
        ]
      : ['up 2', 'down 2', 'skip 2']
  return `Type: ${[...words, 'accept', 'back'].join(', ')}.`
}

/** The list after one command, or why there is none. */
function applied(list: edits.EditedList, editor: ListEditor, typed: string): edits.EditedList | string {
  const [word = '', number = '', ...rest] = typed.trim().split(/\s+/)
  const index = Number(number) - 1
  const name = rest.join(' ')
  const empty = word === 'add' && list.items.length === 0
  if (!empty && !list.items[index])
    return `Say which one, by its number: ${word} 1 to ${word} ${list.items.length}.`
  const at = { ...list, index: empty ? 0 : index }
  const { choice, kind } = editor
  const reading = kind === 'reading'
  if (reading && word === 'rename' && name !== '') return edits.rename(at, name)
  if (reading && word === 'add' && name !== '') return edits.addBelow(at, name, choice)
  if (reading && word === 'merge') return edits.mergeUp(at, choice)
  if (reading && word === 'choose' && choice) return edits.nextChoice(at, choice)
  if ((reading && word === 'drop') || (!reading && word === 'skip')) return edits.toggleDropped(at)
  if (!reading && word === 'up') return edits.move(at, -1)
  if (!reading && word === 'down') return edits.move(at, 1)
  return commandsOf(editor)
}

/** Edits a list by words; `back` leaves it as it was. Undefined when the read was given up. */
export async function editList(editor: ListEditor, lines: Lines): Promise<ListItem[] | 'back' | undefined> {
  let list: edits.EditedList = { items: editor.items, index: 0 }
  const show = () => lines.show(list.items.map((item, index) => itemLine(editor, item, index)))
  show()
  lines.show([commandsOf(editor)])
  for (;;) {
    const typed = await lines.read?.('List: ', { guarded: true })
    if (typed === undefined) return undefined
    const word = typed.trim().toLowerCase()
    if (word === 'back') return 'back'
    if (word === 'accept') {
      const refused = edits.refusal(list, editor.kind)
      if (refused === undefined) return list.items
      lines.show([refused])
      continue
    }
    const next = applied(list, editor, typed)
    if (typeof next === 'string') lines.show([next])
    else {
      list = next
      show()
    }
  }
}
