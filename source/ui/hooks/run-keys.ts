import { useState } from 'react'
import type { RunControls, Said } from '../../view/view.js'
import { type Action, actionOf, counts, interludeOf } from '../keymap.js'
import { focusedPane, type Target, targetOf } from '../layout/pane-choices.js'
import { rank, useKeys } from './keys.js'
import type { PaneControls } from './panes.js'
import type { RunLayout } from './run-layout.js'
import type { RunState } from './run-state.js'

/** What keys of the run screen act on. */
export interface RunKeysParts {
  state: RunState
  layout: RunLayout
  controls: RunControls
  onStop(): void
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

/** Keys that change what is seen of the run. */
function looking({ state, layout }: RunKeysParts): Partial<Record<Action, () => void>> {
  const { snapshot, view, panes } = state
  const { question } = snapshot
  const pane = focusedPane(snapshot.panes, panes.choices)

  function cycle(by: 1 | -1): void {
    // With a question open, the first Tab goes to the panes and Shift+Tab back to the question.
    const asks = question !== undefined && view === 'run'
    if (asks && (!state.readsPanes || by === -1)) state.setReadsPanes(by === 1)
    else panes.cycle(by)
  }

  function goBack(): void {
    if (view !== 'run') state.show('run')
    else if (state.notice === '') state.hideRecap()
    state.tell('')
  }

  return {
    help: () => state.show('help'),
    timeline: () => state.show('timeline'),
    'full-screen': () => (pane ? state.show('full') : undefined),
    'next-pane': () => cycle(1),
    'previous-pane': () => cycle(-1),
    'toggle-pane': () => (view === 'run' && !question ? panes.toggle() : undefined),
    search: () => (pane && (view === 'full' || !question) ? state.setField({ kind: 'search' }) : undefined),
    back: goBack,
    ...Object.fromEntries(
      (['page-up', 'page-down', 'line-up', 'line-down', 'top', 'bottom'] as const).map((action) => [
        action,
        () => {
          if (view === 'timeline') layout.timeline.scroll.act(action)
          else if (view === 'help') layout.help.scroll.act(action)
          else scrollPane(panes, action, layout.page)
        },
      ]),
    ),
  }
}

/** The keys of the run screen. Keys of an open question, field or list come before them. */
export function useRunKeys(parts: RunKeysParts): RunTexts {
  const { state, controls } = parts
  const { snapshot, view } = state
  const [wanted, setWanted] = useState('')
  const acts = { ...steering(parts), ...looking(parts) }

  function search(text: string): void {
    if (text === '') return
    setWanted(text)
    state.tell(state.panes.search(text) ? `"${text}": N finds an older hit` : `"${text}": nothing older`)
  }

  useKeys((key) => {
    const steers = !snapshot.question && !state.stopping && (view === 'run' || view === 'full')
    const action = actionOf('run', key.name) ?? (steers ? actionOf('agent', key.name) : undefined)
    if (action === undefined) return false
    if (!counts(action, key.alone)) return true
    if (action === 'next-hit') search(wanted)
    else if (action === 'interlude') {
      const interlude = interludeOf(snapshot.view.interludes, key.name)
      if (interlude) controls.interlude(interlude.id)
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
