import { closest } from '../closest.js'
import { Problem } from '../problem.js'
import { type Action, bindRows, type KeyRow, keymap } from './keymap.js'

// Keys that a person wants to be others: `keys` of the user's settings (docs/terminal.md "Keys").

/** Keys by the id of their row in the table; the first one is shown. */
export type KeyWishes = Readonly<Record<string, string | readonly string[]>>

/** What can be moved: keys of the run screen. Those of questions, lists and fields stay, so that an answer is always the same key. */
function isMovable({ scope }: KeyRow): boolean {
  return scope === 'run' || scope === 'agent'
}

const named =
  /^(?:enter|escape|tab|shift\+tab|space|up|down|left|right|home|end|pageup|pagedown|insert|delete|f(?:[1-9]|1[0-2])|shift\+(?:up|down|left|right)|ctrl\+[a-z]|alt\+[a-z])$/
/** Ctrl+C, L and Z act whatever is open; Ctrl+H, I, J and M are other keys in a terminal. */
const taken = /^ctrl\+[chijlmz]$/

/** Why a key cannot be bound, in words; undefined for one that can. */
function faultOf(key: string): string | undefined {
  if (/^[a-f1-9]$/.test(key)) return 'letters from a to f and digits answer questions'
  if (key === 'm') return 'it writes a note to a question'
  if (key === '[' || key === 'O') return 'a slow terminal sends it behind Escape'
  if (taken.test(key)) return 'the terminal or autopilot itself uses it everywhere'
  if (/^[\x21-\x7e]$/.test(key) || named.test(key)) return undefined
  return 'there is no such key; write a character, or a name such as pageup, ctrl+e, alt+x or f5'
}

function refuse(id: string, why: string): never {
  throw new Problem({
    code: 'usage',
    what: `The setting keys.${id} cannot be used: ${why}.`,
    why: 'A key that meant two things, or none, would surprise you in the middle of a run.',
    todo: 'Change it in config.json of your settings; "autopilot doctor" says where they are.',
  })
}

function wishedKeys(id: string, wish: string | readonly string[]): readonly string[] {
  const keys = typeof wish === 'string' ? [wish] : wish
  if (keys.length === 0) refuse(id, 'it names no key')
  for (const key of keys) {
    const fault = faultOf(key)
    if (fault !== undefined) refuse(id, `"${key}": ${fault}`)
  }
  return keys
}

function nothingNamed(id: string, names: readonly string[]): string {
  const near = closest(id, names)
  const meant = near === undefined ? '' : `, did you mean ${near}`
  return `there is nothing of that name${meant}; there are ${names.join(', ')}`
}

/** The table with the keys of a person in place of ours. Throws a Problem that names the setting. */
export function boundTable(wishes: KeyWishes): KeyRow[] {
  const movable = new Set<string>(keymap.filter(isMovable).map(({ id }) => id))
  for (const id of Object.keys(wishes)) if (!movable.has(id)) refuse(id, nothingNamed(id, [...movable]))
  const rows = keymap.map((row) => {
    const wish = isMovable(row) ? wishes[row.id] : undefined
    return wish === undefined ? row : { ...row, keys: wishedKeys(row.id, wish) }
  })
  const owner = new Map<string, Action>()
  for (const row of rows.filter(isMovable)) {
    for (const key of row.keys) {
      const other = owner.get(key)
      if (other !== undefined)
        refuse(wishes[row.id] === undefined ? other : row.id, `"${key}" is both ${other} and ${row.id}`)
      owner.set(key, row.id)
    }
  }
  return rows
}

/** From now on keys, hints and help are those of a person. Throws as above; then nothing has changed. */
export function bindKeys(wishes: KeyWishes = {}): void {
  bindRows(boundTable(wishes))
}
