import type { ListEditor, ListItem } from '../view/question.js'

/** The list while a person edits it. */
export interface EditedList {
  items: ListItem[]
  index: number
}

type Choice = NonNullable<ListEditor['choice']>

function change(list: EditedList, edit: (item: ListItem) => ListItem): EditedList {
  return { ...list, items: list.items.map((item, index) => (index === list.index ? edit(item) : item)) }
}

export function select(list: EditedList, by: number): EditedList {
  const last = Math.max(0, list.items.length - 1)
  return { ...list, index: Math.min(last, Math.max(0, list.index + by)) }
}

export function rename(list: EditedList, name: string): EditedList {
  return change(list, (item) => ({ ...item, name }))
}

/** Drops a row of a reading, or skips one of an order; a second time takes it back. */
export function toggleDropped(list: EditedList): EditedList {
  return change(list, ({ dropped, ...item }) => (dropped ? item : { ...item, dropped: true }))
}

/** Gives the row the value after its own; the first follows the last. */
export function nextChoice(list: EditedList, { values, default: first }: Choice): EditedList {
  const after = (value: string) => values[(values.indexOf(value) + 1) % values.length] ?? first
  return change(list, (item) => ({ ...item, choice: after(item.choice ?? first) }))
}

function heavier(one: ListItem, other: ListItem, choice: Choice | undefined): Pick<ListItem, 'choice'> {
  if (!choice) return {}
  const place = (item: ListItem) => choice.values.indexOf(item.choice ?? choice.default)
  return { choice: (place(other) > place(one) ? other : one).choice ?? choice.default }
}

function mergedLines(above: ListItem, item: ListItem): Pick<ListItem, 'merged'> {
  const own = item.line === undefined ? [] : [item.line]
  const merged = [...(above.merged ?? []), ...own, ...(item.merged ?? [])]
  return merged.length > 0 ? { merged } : {}
}

/** One row out of the chosen one and the one above: its place and id, both names, the heavier choice. */
export function mergeUp(list: EditedList, choice: Choice | undefined): EditedList {
  const above = list.items[list.index - 1]
  const item = list.items[list.index]
  if (!above || !item) return list
  const { dropped, ...place } = above
  // What is merged with something that stays, stays.
  const merged: ListItem = {
    ...place,
    name: `${above.name} + ${item.name}`,
    ...mergedLines(above, item),
    ...heavier(above, item, choice),
    ...(dropped && item.dropped ? { dropped } : {}),
  }
  const items = [...list.items.slice(0, list.index - 1), merged, ...list.items.slice(list.index + 1)]
  return { items, index: list.index - 1 }
}

/** A new row without a source line below the chosen one. */
export function addBelow(list: EditedList, name: string, choice: Choice | undefined): EditedList {
  const at = list.items.length === 0 ? 0 : list.index + 1
  const item: ListItem = { id: freeId(list.items), name, ...(choice ? { choice: choice.default } : {}) }
  return { items: [...list.items.slice(0, at), item, ...list.items.slice(at)], index: at }
}

function freeId(items: readonly ListItem[]): string {
  const taken = new Set(items.map((item) => item.id))
  let number = items.length + 1
  while (taken.has(String(number))) number += 1
  return String(number)
}

/** Moves the chosen row by one place; it stays chosen. */
export function move(list: EditedList, by: -1 | 1): EditedList {
  const target = list.index + by
  const item = list.items[list.index]
  const other = list.items[target]
  if (!item || !other) return list
  const items = list.items.slice()
  items[target] = item
  items[list.index] = other
  return { items, index: target }
}

/** Why the list cannot be accepted, or undefined. */
export function refusal(list: EditedList, kind: ListEditor['kind']): string | undefined {
  if (list.items.some((item) => item.name.trim() === '')) return 'Every phase needs a name.'
  if (kind === 'reading' && list.items.every((item) => item.dropped)) return 'At least one phase has to stay.'
  return undefined
}
