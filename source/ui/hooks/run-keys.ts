import { useState } from 'react'
import type { EditorEnd } from '../../terminal/editor.js'
import { isTyped } from '../../terminal/key-names.js'
import type { Key } from '../../terminal/key-pump.js'
import type { RunControls, Said } from '../../view/view.js'
import { type Action, actionOf, counts, interludeOf, keyOf, shownKey } from '../keymap.js'
import { focusedPane, type Target, targetOf } from '../layout/pane-choices.js'
import { hasEarlier } from '../layout/panes.js'
import { fileOfEvidence } from '../layout/readable.js'
import { neighbour, viewOf } from '../views/table.js'
import { type ViewId, viewIds } from '../views/view-id.js'
import { type Desk, useDesk } from './desk.js'
import { rank, useKeys } from './keys.js'
import type { PaneControls } from './panes.js'
import type { RunLayout } from './run-layout.js'
import type { RunState } from './run-state.js'
import { foundText, logSearching, sideOf } from './search-keys.js'

/** What keys of the run screen act on. */
export interface RunKeysParts {
  state: RunState
  layout: RunLayout
  controls: RunControls
  onStop(): void
}

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
function steering({ state, controls, onStop }: RunKeysParts): Partial<Record<Action, () => void>> {
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
  return end.kind === 'failed' ? `The editor failed, ${end.why}. Nothing was decided.` : ''
}

/** Keys that change what is seen of the run. */
function looking({ state, layout, controls, desk }: KeysAtDesk): Partial<Record<Action, () => void>> {
  const { snapshot, view, panes } = state
  const { question } = snapshot
  const pane = focusedPane(snapshot.panes, panes.choices)

  function cycle(by: 1 | -1): void {
    // With a question open, the first Tab goes to the panes and Shift+Tab back to the question.
    const asks = question !== undefined && view === 'overview'
    if (asks && (!state.readsPanes || by === -1)) state.setReadsPanes(by === 1)
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
    if (end.kind === 'done' && question) controls.lookAgain?.(question.id)
  }

  const readsPane = view === 'agents' || view === 'log' || !question
  return {
    ...Object.fromEntries(viewIds.map((id) => [id, () => show(id)])),
    'next-view': () => state.show(neighbour(snapshot, view, 1)),
    'previous-view': () => state.show(neighbour(snapshot, view, -1)),
    'next-way': () => (view === 'reading' ? undefined : state.nextWay(view)),
    'next-pane': () => cycle(1),
    'previous-pane': () => cycle(-1),
    'toggle-pane': () => (view === 'overview' && !question ? panes.toggle() : undefined),
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
    search: () => (pane && readsPane ? state.setField({ kind: 'search' }) : undefined),
    back: goBack,
    edit: () => void edit(),
    ...Object.fromEntries(
      (['page-up', 'page-down', 'line-up', 'line-down', 'top', 'bottom'] as const).map((action) => [
        action,
        () => {
          if (action !== 'top' || !openOldest()) scrollPane(panes, action, layout.page)
        },
      ]),
    ),
  }
}

/** Said of a key that does nothing, so that nobody waits for it. */
function nothingHere({ name, sequence }: Key, asks: boolean): string {
  const known = actionOf('agent', name) !== undefined && asks
  if (known) return `${shownKey(name)} does nothing while a question is open.`
  return isTyped(sequence) || shownKey(name) !== name
    ? `${shownKey(name)} means nothing here; ${keyOf('help')} shows the keys.`
    : ''
}

/** The keys of the run screen. Keys of an open question, field or list come before them. */
export function useRunKeys(parts: RunKeysParts): RunTexts {
  const { state, controls } = parts
  const { snapshot, view } = state
  const [wanted, setWanted] = useState('')
  const desk = useDesk()
  const acts = { ...steering(parts), ...looking({ ...parts, desk }) }
  const inLog = logSearching(parts)

  function search(text: string, by: 1 | -1 = -1): void {
    if (text === '') return
    setWanted(text)
    if (view === 'log') inLog.fromLog(text, by)
    else if (state.panes.search(text, by)) state.tell(foundText(text))
    else if (by === 1 || !inLog.fromPane(text)) state.tell(`"${text}": nothing ${sideOf(by)}`)
  }

  useKeys((key) => {
    const steers = !snapshot.question && !state.stopping && (view === 'overview' || view === 'agents')
    const action = actionOf('run', key.name) ?? (steers ? actionOf('agent', key.name) : undefined)
    if (action === undefined) {
      state.tell(nothingHere(key, snapshot.question !== undefined))
      return false
    }
    if (!counts(action, key.alone)) return true
    if (action === 'next-hit') search(wanted)
    // In a view of parts the view takes this key itself.
    else if (action === 'next-part') search(wanted, 1)
    else if (action === 'interlude') {
      const interlude = interludeOf(snapshot.view.interludes, key.name)
      if (interlude) controls.interlude(interlude.id)
      else state.tell(nothingHere(key, snapshot.question !== undefined))
    } else acts[action]?.()
    return true
  }, rank.screen)

  return {
    search(text) {
      state.setField(undefined)
      search(text)
    },
    say(text, target) {
      state.setField(undefined)
      const paneId = paneIdOf(target)
      const said = paneId === undefined ? controls.say(text.trim()) : controls.say(text.trim(), paneId)
      state.tell(saidText(said, target))
    },
  }
}
