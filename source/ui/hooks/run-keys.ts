import { useState } from 'react'
import type { EditorEnd } from '../../terminal/editor.js'
import type { Key } from '../../terminal/key-pump.js'
import type { RunControls, RunSnapshot, Said } from '../../view/view.js'
import { type Action, actionOf, counts, interludeOf, keyOf } from '../keymap.js'
import { focusedPane, type Target, targetOf } from '../layout/pane-choices.js'
import { hasEarlier } from '../layout/panes.js'
import { fileOfEvidence } from '../layout/readable.js'
import { neighbour, viewOf } from '../views/table.js'
import { isTextView, type ViewId, viewIds } from '../views/view-id.js'
import { type Desk, useDesk } from './desk.js'
import { interludeText, nothingHere, nothingToRead, nothingToSearch, unknownKey } from './key-words.js'
import { rank, useKeys } from './keys.js'
import type { PaneControls } from './panes.js'
import type { RunLayout } from './run-layout.js'
import type { RunState } from './run-state.js'
import { foundText, inTextFound, logSearching, notInText, sideOf } from './search-keys.js'

/** What keys of the run screen act on. */
export interface RunKeysParts {
  state: RunState
  layout: RunLayout
  controls: RunControls
  onStop(): void
}

/** What keys do. */
type Acts = Partial<Record<Action, (key: Key) => void>>

interface KeysAtDesk extends RunKeysParts {
  desk: Desk
}

/** What the fields at the bottom do with their text. */
export interface RunTexts {
  search(text: string): void
  say(text: string, target: Target): void
}

const ended = 'That agent has ended. Tab chooses another one, or all that work.'

/** The pane that a control is for; undefined stands for all. */
function paneIdOf(target: Target): string | undefined {
  return target.kind === 'one' && target.chosen ? target.pane.id : undefined
}

/** What became of a message, in words. */
function saidText(said: Said, target: Target): string {
  const all = target.kind === 'all'
  switch (said) {
    case 'sent':
      return `Sent to the ${all ? 'agents' : 'agent'}.`
    case 'queued':
      return `Sent: the ${all ? 'agents read' : 'agent reads'} it after what ${all ? 'they are' : 'it is'} doing now.`
    case 'kept':
      return target.kind === 'nobody'
        ? 'Kept: the next agent gets the message.'
        : 'Kept for its next turn: this agent reads nothing while it works.'
  }
}

function scrollPane(panes: PaneControls, action: Action, page: number): void {
  if (action === 'page-up') panes.scroll(-page, page)
  else if (action === 'page-down') panes.scroll(page, page)
  else if (action === 'line-up') panes.scroll(-1, page)
  else if (action === 'line-down') panes.scroll(1, page)
  else if (action === 'top') panes.toTop()
  else if (action === 'bottom') panes.toBottom()
}

/** Keys that change the run: hold, suspend, message, interrupt. */
function steering({ state, controls, onStop }: RunKeysParts): Acts {
  const { snapshot } = state
  const target = targetOf(snapshot.panes, state.panes.choices)

  /** Does something to the agents that keys are for, unless the chosen one has ended. */
  function withTarget(act: (paneId: string | undefined) => void): void {
    if (target.kind === 'ended') state.tell(ended)
    else act(paneIdOf(target))
  }

  function suspend(paneId: string | undefined): void {
    // Without an agent to suspend it is held already, and the key goes on as `p` does.
    if (snapshot.status === 'holding' && target.kind === 'nobody') controls.toggleHold()
    else if (paneId === undefined) controls.suspend()
    else controls.suspend(paneId)
  }

  function interrupt(paneId: string | undefined): void {
    const found = paneId === undefined ? controls.interrupt() : controls.interrupt(paneId)
    const whom = target.kind === 'all' ? 'agents' : 'agent'
    state.tell(found ? `Interrupting the ${whom}: you are asked how to go on.` : 'No agent to interrupt.')
  }

  return {
    hold: () => controls.toggleHold(),
    suspend: () => withTarget(suspend),
    say: () => withTarget(() => state.setField({ kind: 'say', target })),
    interrupt: () => withTarget(interrupt),
    stop: onStop,
  }
}

/** What came of editing a file, in words; an empty text where the question says it. */
function editedText(end: EditorEnd): string {
  if (end.kind === 'missing') return 'No editor is named: set EDITOR (or VISUAL) and start autopilot again.'
  if (end.kind === 'failed') return `The editor failed, ${end.why}. Nothing was decided.`
  return end.changed ? '' : 'The file is unchanged. Nothing was decided.'
}

/** The key that opens a file in the person's editor. */
function editing({ state, controls, desk }: KeysAtDesk): () => Promise<void> {
  const { snapshot, view } = state
  const { question } = snapshot

  /** The file that is looked at, or the first one that the open question is about. */
  function fileToEdit(): string | undefined {
    if (view === 'reading') return state.evidence && fileOfEvidence(state.evidence, snapshot)
    const plans = (snapshot.view.documents ?? []).filter(({ kind }) => kind === 'plan')
    if (view === 'plan') return plans[state.wayOf('plan') % Math.max(1, plans.length)]?.path
    const named = question?.evidence?.find(({ path }) => path !== undefined)
    return named ? fileOfEvidence(named, snapshot) : question && plans[0]?.path
  }

  async function edit(): Promise<void> {
    const path = fileToEdit()
    const file = path === undefined ? undefined : await controls.fileOf?.(path)
    if (file === undefined) return state.tell('There is no file here that could be edited.')
    const end = await desk.edit(file)
    state.tell(editedText(end))
    if (end.kind !== 'missing' && end.changed && question) controls.lookAgain?.(question.id)
  }

  return edit
}

/** Keys that change what is seen of the run. */
function looking({ state, layout, controls }: RunKeysParts): Acts {
  const { snapshot, view, panes } = state
  const { question } = snapshot
  const pane = focusedPane(snapshot.panes, panes.choices)

  function cycle(by: 1 | -1): void {
    // With a question open, the first Tab goes to the panes and Shift+Tab back to the question.
    const asks = question !== undefined && view === 'overview'
    if (asks && by === 1 && snapshot.panes.length === 0) state.tell(nothingToRead)
    else if (asks && (!state.readsPanes || by === -1)) state.setReadsPanes(by === 1)
    else panes.cycle(by)
  }

  function goBack(): void {
    if (view !== 'overview') state.show('overview')
    else if (state.notice === '') state.hideRecap()
    state.tell('')
  }

  function show(id: ViewId): void {
    const { title, isFilled } = viewOf(id)
    if (isFilled?.(snapshot) ?? true) state.show(id)
    else state.tell(`${title}: there is nothing to show yet.`)
  }

  /** What a pane has forgotten is in its log, which begins with its oldest line; false where it has forgotten nothing. */
  function openOldest(): boolean {
    if (!pane?.logPath || !hasEarlier(pane) || !controls.readLog) return false
    state.logParts.set(pane.logPath, 0)
    state.places.of('log').set(0)
    show('log')
    state.tell(`The log from its oldest line; ${keyOf('back')} goes back.`)
    return true
  }

  const readsPane = view === 'agents' || view === 'log' || !question
  const isText = isTextView(view)
  const showsPanes = view === 'overview' || view === 'agents' || view === 'log'
  return {
    ...Object.fromEntries(viewIds.map((id) => [id, () => show(id)])),
    'next-view': () => state.show(neighbour(snapshot, view, 1)),
    'previous-view': () => state.show(neighbour(snapshot, view, -1)),
    'next-way': (key) => {
      if (view !== 'reading' && waysOf(view, snapshot) > 1) state.nextWay(view)
      else state.tell(nothingHere(key))
    },
    'next-pane': (key) => (showsPanes ? cycle(1) : state.tell(nothingHere(key))),
    'previous-pane': (key) => (showsPanes ? cycle(-1) : state.tell(nothingHere(key))),
    'toggle-pane': (key) => {
      if (view === 'overview' && pane && !question) panes.toggle()
      else state.tell(nothingHere(key))
    },
    'ask-later': () => {
      if (!question || !controls.askLater?.(question.id)) state.tell('No other question waits.')
    },
    unfold: () =>
      state.tell(panes.unfold() ? 'Tools: what they changed and printed is shown.' : 'Tools: folded again.'),
    unwrap: () =>
      state.tell(
        panes.unwrap()
          ? `Long lines are cut; ${keyOf('unwrap')} shows them whole.`
          : 'Long lines are shown whole.',
      ),
    // A view of parts takes it itself.
    'previous-part': (key) => state.tell(nothingHere(key)),
    search: () => {
      if (isText || (pane && readsPane)) state.setField({ kind: 'search' })
      else state.tell(nothingToSearch(pane !== undefined))
    },
    back: goBack,
    ...Object.fromEntries(
      (['page-up', 'page-down', 'line-up', 'line-down', 'top', 'bottom'] as const).map((action) => [
        action,
        (key: Key) => {
          if (!pane) state.tell(nothingHere(key))
          else if (action !== 'top' || !openOldest()) scrollPane(panes, action, layout.page)
        },
      ]),
    ),
  }
}

function waysOf(view: ViewId, snapshot: RunSnapshot): number {
  return viewOf(view).ways?.(snapshot).length ?? 0
}

/** The keys of the run screen. Keys of an open question, field or list come before them. */
export function useRunKeys(parts: RunKeysParts): RunTexts {
  const { state, controls } = parts
  const { snapshot, view } = state
  const [wanted, setWanted] = useState('')
  const desk = useDesk()
  const edit = editing({ ...parts, desk })
  const acts = { ...steering(parts), ...looking(parts), edit: () => void edit() }
  const inLog = logSearching(parts)

  /** In the text that has the screen, from where one looks on; without a text the search is over. */
  function inText(text: string, by: 1 | -1, begin: boolean): void {
    const { textSearch } = state
    textSearch.want(view, text === '' ? undefined : text)
    const found = text !== '' && (textSearch.find.current?.(text, by, begin) ?? false)
    if (text === '') state.tell('')
    else state.tell(found ? inTextFound(text) : notInText(text, begin, by))
  }

  function search(text: string, by: 1 | -1 = -1, begin = false): void {
    if (isTextView(view)) inText(text, by, begin)
    else if (text !== '') inAgent(text, by)
  }

  function inAgent(text: string, by: 1 | -1): void {
    setWanted(text)
    if (view === 'log') inLog.fromLog(text, by)
    else if (state.panes.search(text, by)) state.tell(foundText(text))
    else if (by === 1 || !inLog.fromPane(text)) state.tell(`"${text}": nothing ${sideOf(by)}`)
  }

  /** On from a hit: up or to what is older, down or to what is newer. */
  function onward(action: 'next-hit' | 'next-part', key: Key): void {
    const text = isTextView(view) ? state.textSearch.wanted(view) : wanted || undefined
    if (text === undefined)
      state.tell(
        action === 'next-hit'
          ? `Nothing was searched for yet: ${keyOf('search')} begins a search.`
          : nothingHere(key),
      )
    else search(text, action === 'next-part' ? 1 : -1)
  }

  useKeys((key) => {
    const steers = !snapshot.question && !state.stopping && (view === 'overview' || view === 'agents')
    const action = actionOf('run', key.name) ?? (steers ? actionOf('agent', key.name) : undefined)
    if (action === undefined) {
      state.tell(unknownKey(key, snapshot.question !== undefined))
      return false
    }
    if (!counts(action, key.alone)) return true
    // In a view of parts the view takes the key of the next part itself.
    if (action === 'next-hit' || action === 'next-part') onward(action, key)
    else if (action === 'interlude') {
      const interlude = interludeOf(snapshot.view.interludes, key.name)
      if (interlude) controls.interlude(interlude.id)
      state.tell(
        interlude
          ? interludeText(interlude, snapshot.question !== undefined)
          : unknownKey(key, snapshot.question !== undefined),
      )
    } else acts[action]?.(key)
    return true
  }, rank.screen)

  return {
    search(text) {
      state.setField(undefined)
      search(text, isTextView(view) ? 1 : -1, true)
    },
    say(text, target) {
      state.setField(undefined)
      const paneId = paneIdOf(target)
      const said = paneId === undefined ? controls.say(text.trim()) : controls.say(text.trim(), paneId)
      state.tell(saidText(said, target))
    },
  }
}
