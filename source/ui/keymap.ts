import type { Interlude } from '../view/view.js'
import type { ViewId } from './views/view-id.js'

// One table for handlers, hints and help. A key means one thing in a scope.

export type Scope = 'run' | 'text' | 'agent' | 'gate' | 'field' | 'reading' | 'order' | 'start' | 'done'

export interface KeyRow {
  id: Action
  /** Names of key-names.ts; the first is the one that hints show. */
  keys: readonly string[]
  scope: Scope
  /** For the help, a whole phrase. */
  label: string
  /** For the line of hints, one or two words; rows without it are only in the help. */
  hint?: string
}

export type Action =
  | 'hold'
  | 'suspend'
  | 'say'
  | 'interrupt'
  | 'stop'
  | 'interlude'
  | ViewId
  | 'edit'
  | 'note'
  | 'next-view'
  | 'previous-view'
  | 'next-way'
  | 'next-part'
  | 'previous-part'
  | 'next-pane'
  | 'previous-pane'
  | 'toggle-pane'
  | 'page-up'
  | 'page-down'
  | 'line-up'
  | 'line-down'
  | 'top'
  | 'bottom'
  | 'ask-later'
  | 'unfold'
  | 'unwrap'
  | 'search'
  | 'next-hit'
  | 'back'
  | 'move-up'
  | 'move-down'
  | 'decide'
  | 'next-evidence'
  | 'previous-evidence'
  | 'send'
  | 'new-line'
  | 'accept'
  | 'rename'
  | 'drop'
  | 'merge'
  | 'choose'
  | 'add'
  | 'skip'
  | 'earlier'
  | 'later'
  | 'type-path'

export const keymap: readonly KeyRow[] = [
  { id: 'hold', keys: ['p'], scope: 'run', label: 'hold after the current step, or go on', hint: 'hold' },
  { id: 'stop', keys: ['q'], scope: 'run', label: 'stop; the state is saved', hint: 'stop' },
  {
    id: 'suspend',
    keys: ['P'],
    scope: 'run',
    label: 'hold at once: suspend agents; or go on',
  },
  // What they do is said by the workflow (`WorkflowView.interludes`), one key for each.
  {
    id: 'interlude',
    keys: ['o', 'x', 'z'],
    scope: 'run',
    label: 'what the workflow offers between two states',
  },
  { id: 'help', keys: ['?'], scope: 'run', label: 'this help', hint: 'help' },
  {
    id: 'next-pane',
    keys: ['tab'],
    scope: 'run',
    label: 'next pane; after the last, all that work',
    hint: 'pane',
  },
  { id: 'previous-pane', keys: ['shift+tab'], scope: 'run', label: 'previous pane' },
  { id: 'toggle-pane', keys: ['enter', 'space'], scope: 'run', label: 'open or close the pane' },
  {
    id: 'next-view',
    keys: ['right'],
    scope: 'run',
    label: 'next view: what there is to see of the run',
    hint: 'views',
  },
  { id: 'previous-view', keys: ['left'], scope: 'run', label: 'previous view' },
  { id: 'overview', keys: ['V'], scope: 'run', label: 'overview' },
  { id: 'agents', keys: ['w'], scope: 'run', label: 'the chosen agent on the whole screen', hint: 'whole' },
  { id: 'plan', keys: ['l'], scope: 'run', label: 'plan' },
  { id: 'diff', keys: ['D'], scope: 'run', label: 'changes since the phase began' },
  { id: 'findings', keys: ['F'], scope: 'run', label: 'findings of reviews' },
  { id: 'evidence', keys: ['E'], scope: 'run', label: 'what is known of each task' },
  { id: 'decisions', keys: ['C'], scope: 'run', label: 'choices that were made' },
  { id: 'costs', keys: ['M'], scope: 'run', label: 'tokens and money' },
  { id: 'inbox', keys: ['Q'], scope: 'run', label: 'questions that wait, with their age' },
  { id: 'ask-later', keys: ['u'], scope: 'run', label: 'the next question that waits; this one comes again' },
  { id: 'timeline', keys: ['t'], scope: 'run', label: 'timeline and reports', hint: 'timeline' },
  { id: 'log', keys: ['L'], scope: 'run', label: 'log of the chosen agent' },
  { id: 'next-way', keys: ['v'], scope: 'run', label: 'another way of looking at a view, such as a filter' },
  {
    id: 'next-part',
    keys: ['n'],
    scope: 'run',
    label: 'next part of a view: file, heading, phase; the next hit of a search',
  },
  { id: 'previous-part', keys: ['B'], scope: 'run', label: 'previous part' },
  { id: 'edit', keys: ['ctrl+e'], scope: 'run', label: 'the plan or file of the question in your $EDITOR' },
  { id: 'page-up', keys: ['pageup'], scope: 'run', label: 'a page up', hint: 'scroll' },
  { id: 'page-down', keys: ['pagedown'], scope: 'run', label: 'a page down' },
  { id: 'line-up', keys: ['up', 'k'], scope: 'run', label: 'a line up' },
  { id: 'line-down', keys: ['down', 'j'], scope: 'run', label: 'a line down' },
  { id: 'top', keys: ['g', 'home'], scope: 'run', label: 'to the oldest line, of an agent in its log' },
  { id: 'bottom', keys: ['G', 'end'], scope: 'run', label: 'to the newest line, and follow' },
  {
    id: 'search',
    keys: ['/'],
    scope: 'run',
    label: 'search in the agent and its log, or in the text that is shown',
  },
  { id: 'next-hit', keys: ['N'], scope: 'run', label: 'next older hit of the search; n the next newer one' },
  {
    id: 'unfold',
    keys: ['T'],
    scope: 'run',
    label: 'what tools changed and printed, or only their ends',
    hint: 'tools',
  },
  {
    id: 'unwrap',
    keys: ['W'],
    scope: 'run',
    label: 'cut long lines of agents, or show them whole',
    hint: 'wrap',
  },
  { id: 'back', keys: ['escape'], scope: 'run', label: 'back; put the recap away' },

  { id: 'page-down', keys: ['space'], scope: 'text', label: 'a page down' },

  { id: 'say', keys: ['s'], scope: 'agent', label: 'send the agent a message', hint: 'message' },
  {
    id: 'interrupt',
    keys: ['i'],
    scope: 'agent',
    label: 'end the turn of the agent, then say how to go on',
    hint: 'interrupt',
  },

  { id: 'move-up', keys: ['up', 'k'], scope: 'gate', label: 'option above' },
  { id: 'move-down', keys: ['down', 'j'], scope: 'gate', label: 'option below' },
  { id: 'decide', keys: ['enter'], scope: 'gate', label: 'choose the option; its number or letter does too' },
  { id: 'next-evidence', keys: ['tab'], scope: 'gate', label: 'what there is to read first; Enter opens it' },
  { id: 'previous-evidence', keys: ['shift+tab'], scope: 'gate', label: 'back to the options' },
  { id: 'note', keys: ['m'], scope: 'gate', label: 'a note that goes with the answer, whatever it is' },

  { id: 'send', keys: ['enter'], scope: 'field', label: 'send the text', hint: 'send' },
  { id: 'new-line', keys: ['ctrl+j', 'alt+enter'], scope: 'field', label: 'new line', hint: 'new line' },
  { id: 'back', keys: ['escape'], scope: 'field', label: 'back', hint: 'back' },
  { id: 'page-up', keys: ['pageup'], scope: 'field', label: 'the question above, a page up' },
  { id: 'page-down', keys: ['pagedown'], scope: 'field', label: 'the question above, a page down' },

  { id: 'accept', keys: ['enter'], scope: 'reading', label: 'accept the list', hint: 'accept' },
  { id: 'back', keys: ['escape'], scope: 'reading', label: 'back', hint: 'back' },
  { id: 'move-up', keys: ['up', 'k'], scope: 'reading', label: 'phase above' },
  { id: 'move-down', keys: ['down', 'j'], scope: 'reading', label: 'phase below' },
  { id: 'rename', keys: ['r'], scope: 'reading', label: 'rename', hint: 'rename' },
  { id: 'drop', keys: ['d'], scope: 'reading', label: 'drop, or take back', hint: 'drop' },
  { id: 'merge', keys: ['m'], scope: 'reading', label: 'merge with the phase above', hint: 'merge up' },
  { id: 'choose', keys: ['c'], scope: 'reading', label: 'next value of its choice', hint: 'choose' },
  { id: 'add', keys: ['a'], scope: 'reading', label: 'add a phase below', hint: 'add' },

  { id: 'accept', keys: ['enter'], scope: 'order', label: 'accept the order', hint: 'accept' },
  { id: 'back', keys: ['escape'], scope: 'order', label: 'back', hint: 'back' },
  { id: 'move-up', keys: ['up', 'k'], scope: 'order', label: 'phase above' },
  { id: 'move-down', keys: ['down', 'j'], scope: 'order', label: 'phase below' },
  { id: 'earlier', keys: ['u', 'shift+up'], scope: 'order', label: 'move the phase up', hint: 'move up' },
  { id: 'later', keys: ['d', 'shift+down'], scope: 'order', label: 'move the phase down', hint: 'move down' },
  { id: 'skip', keys: ['s'], scope: 'order', label: 'skip, or take back', hint: 'skip' },

  { id: 'type-path', keys: ['/'], scope: 'start', label: 'type a path', hint: 'type a path' },
  { id: 'stop', keys: ['q', 'escape'], scope: 'start', label: 'quit', hint: 'quit' },

  { id: 'back', keys: ['enter', 'escape', 'q'], scope: 'done', label: 'close', hint: 'close' },
  { id: 'page-up', keys: ['pageup'], scope: 'done', label: 'a page up' },
  { id: 'page-down', keys: ['pagedown', 'space'], scope: 'done', label: 'a page down' },
  { id: 'line-up', keys: ['up', 'k'], scope: 'done', label: 'a line up' },
  { id: 'line-down', keys: ['down', 'j'], scope: 'done', label: 'a line down' },
]

let bound = keymap

/** The rows in force: those of the table, or with the keys of a person (key-bindings.ts). */
export function boundRows(): readonly KeyRow[] {
  return bound
}

export function bindRows(rows: readonly KeyRow[]): void {
  bound = rows
}

/** The key of the run screen that does something, as people read it. */
export function keyOf(action: Action): string {
  const row = bound.find(({ id, scope }) => id === action && (scope === 'run' || scope === 'agent'))
  return shownKey(row?.keys[0] ?? '')
}

/** The wheel only ever scrolls, and decides nothing. */
const wheel: Record<string, Action> = { 'wheel-up': 'line-up', 'wheel-down': 'line-down' }

/** What a key does in a scope. */
export function actionOf(scope: Scope, key: string): Action | undefined {
  if (wheel[key] !== undefined) return scope === 'run' || scope === 'done' ? wheel[key] : undefined
  return bound.find((row) => row.scope === scope && row.keys.includes(key))?.id
}

/** The same while a text has the screen: Space opens no pane there, and goes on as in any pager. */
export function textActionOf(key: string): Action | undefined {
  const action = actionOf('run', key)
  return action === undefined || action === 'toggle-pane' ? (actionOf('text', key) ?? action) : action
}

/** What changes the run, and not only what is seen of it. */
const steering: ReadonlySet<Action> = new Set(['hold', 'suspend', 'say', 'interrupt', 'stop', 'interlude'])

/**
 * Whether a key may do this. Text that a terminal types instead of pasting it arrives as several keys in one read, and
 * must not steer a run; `alone` is that of the key.
 */
export function counts(action: Action, alone: boolean): boolean {
  return alone || !steering.has(action)
}

const shownNames: Record<string, string> = {
  enter: 'Enter',
  escape: 'Esc',
  tab: 'Tab',
  'shift+tab': 'Shift+Tab',
  space: 'Space',
  up: 'Up',
  down: 'Down',
  home: 'Home',
  end: 'End',
  pageup: 'PgUp',
  pagedown: 'PgDn',
  'ctrl+j': 'Ctrl+J',
  'ctrl+e': 'Ctrl+E',
  'alt+enter': 'Alt+Enter',
  left: 'Left',
  right: 'Right',
  'shift+up': 'Shift+Up',
  'shift+down': 'Shift+Down',
}

/** A key as people read it. */
export function shownKey(name: string): string {
  const known = shownNames[name]
  if (known !== undefined) return known
  if (/^(?:f\d+|insert|delete|backspace|clear)$/.test(name))
    return `${name[0]?.toUpperCase()}${name.slice(1)}`
  return name.replace(/^(ctrl|alt|shift)\+(.)/, (_, held: string, key: string) => {
    return `${held[0]?.toUpperCase()}${held.slice(1)}+${key.toUpperCase()}`
  })
}

/** A key and what it does, in a word or two. */
export interface Hint {
  key: string
  word: string
  /** The same where there is little room. */
  short?: string
  /** What the key does, where the screen has to know. */
  action?: Action
}

/** What keys do in a view, whichever keys they are. */
export interface ActionHint {
  actions: readonly Action[]
  word: string
  /** The same where there is little room. */
  short?: string
}

/** The same with the keys in force. */
export function hintOf({ actions, word, short }: ActionHint): Hint {
  const [action] = actions
  return {
    key: actions.map(keyOf).join('/'),
    word,
    ...(short === undefined ? {} : { short }),
    ...(action === undefined ? {} : { action }),
  }
}

/** Keys and words of the hint line of a scope, in table order. */
export function hintsOf(scope: Scope): Hint[] {
  return bound
    .filter((row) => row.scope === scope && row.hint !== undefined)
    .map((row) => ({ key: shownKey(row.keys[0] ?? ''), word: row.hint ?? '', action: row.id }))
}

/** Keys of a text field; `word`: what Enter does with the text. */
export function fieldHints(word: string, multiline: boolean): Hint[] {
  return hintsOf('field')
    .filter((hint) => multiline || hint.action !== 'new-line')
    .map((hint) => (hint.action === 'send' ? { ...hint, word } : hint))
}

function interludeKeys(): readonly string[] {
  return bound.find((row) => row.id === 'interlude')?.keys ?? []
}

/** The interlude that a key of the run screen asks for, if the workflow has that many. */
export function interludeOf(interludes: readonly Interlude[], key: string): Interlude | undefined {
  return interludes[interludeKeys().indexOf(key)]
}

/** The interludes of a workflow with their keys; those beyond the keys there are cannot be asked for. */
export function interludeHelp(interludes: readonly Interlude[]): { key: string; interlude: Interlude }[] {
  const keys = interludeKeys()
  return interludes.slice(0, keys.length).map((interlude, index) => ({
    key: shownKey(keys[index] ?? ''),
    interlude,
  }))
}

/** What the help says of a scope. */
export const scopeTitles: Record<Scope, string> = {
  run: 'Run',
  text: 'Text: plan, changes, findings, log',
  agent: 'Agent (while no question is open)',
  gate: 'Question',
  field: 'Text field',
  reading: 'List of phases',
  order: 'Order of phases',
  start: 'Start',
  done: 'Result',
}
