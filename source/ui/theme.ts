import type { Colour } from '../terminal/colours.js'
import type { Pane, PaneLine } from '../view/panes.js'
import type { PhaseView, RunStatus, StepView, TaskView } from '../view/view.js'

/** What a piece of text means. Colour only adds: the words and marks beside it say the same. */
export type Tone = 'good' | 'bad' | 'warn' | 'info' | 'accent' | 'quiet'

export interface Span {
  text: string
  tone?: Tone | undefined
  strong?: boolean | undefined
  underline?: boolean | undefined
  /** Of a text that its agent has coloured: docs/terminal.md "Panes". */
  colour?: Colour | undefined
}

/** One row of the screen; shorter than the screen is wide. */
export type Line = readonly Span[]

/** The characters of the screen: every one takes a single cell, and none is an emoji. */
export interface Theme {
  unicode: boolean
  rule: string
  ellipsis: string
  dot: string
  arrow: string
  pointer: string
  cursor: string
  /** Stands before every row that somebody else wrote: it can look like no question of ours. */
  margin: string
  opened: string
  closed: string
  done: string
  active: string
  open: string
  failed: string
  skipped: string
  more: string
  less: string
  bullet: string
  /** In front of lines that belong together. */
  bar: string
}

const unicodeTheme: Theme = {
  unicode: true,
  rule: '─',
  ellipsis: '…',
  dot: '·',
  arrow: '›',
  pointer: '❯',
  cursor: '▏',
  margin: '│',
  opened: '▾',
  closed: '▸',
  done: '✓',
  active: '●',
  open: '○',
  failed: '✗',
  skipped: '-',
  more: '↓',
  less: '↑',
  bullet: '•',
  bar: '│',
}

const asciiTheme: Theme = {
  unicode: false,
  rule: '-',
  ellipsis: '~',
  dot: '|',
  arrow: '>',
  pointer: '>',
  cursor: '_',
  margin: '|',
  opened: 'v',
  closed: '>',
  done: '+',
  active: '*',
  open: 'o',
  failed: 'x',
  skipped: '-',
  more: 'v',
  less: '^',
  bullet: '-',
  bar: '|',
}

export function createTheme(unicode: boolean): Theme {
  return unicode ? unicodeTheme : asciiTheme
}

/** Attributes of Ink's Text. Sixteen colours, no backgrounds. */
export interface TextStyle {
  color?: string
  dimColor?: boolean
  bold?: boolean
  underline?: boolean
}

const toneStyles: Record<Tone, TextStyle> = {
  good: { color: 'green' },
  bad: { color: 'red' },
  warn: { color: 'yellow' },
  info: { color: 'cyan' },
  accent: { color: 'magenta' },
  quiet: { dimColor: true },
}

export function styleOf(span: Span): TextStyle {
  return {
    ...(span.colour ? { color: span.colour } : {}),
    ...(span.tone ? toneStyles[span.tone] : {}),
    ...(span.strong ? { bold: true } : {}),
    ...(span.underline ? { underline: true } : {}),
  }
}

export interface StatusLook {
  mark: string
  word: string
  tone?: Tone
}

export function phaseLook(status: PhaseView['status'], theme: Theme): StatusLook {
  switch (status) {
    case 'pending':
      return { mark: theme.open, word: 'pending', tone: 'quiet' }
    case 'in-progress':
      return { mark: theme.active, word: 'in progress', tone: 'info' }
    case 'complete':
      return { mark: theme.done, word: 'complete', tone: 'good' }
    case 'skipped':
      return { mark: theme.skipped, word: 'skipped', tone: 'warn' }
    case 'failed':
      return { mark: theme.failed, word: 'failed', tone: 'bad' }
    case 'waiting':
      return { mark: theme.open, word: 'waiting', tone: 'warn' }
  }
}

export function taskLook(status: TaskView['status'], theme: Theme): StatusLook {
  switch (status) {
    case 'pending':
      return { mark: theme.open, word: 'pending', tone: 'quiet' }
    case 'in_progress':
      return { mark: theme.active, word: 'working', tone: 'info' }
    case 'complete':
      return { mark: theme.done, word: 'complete', tone: 'good' }
    case 'failed':
      return { mark: theme.failed, word: 'failed', tone: 'bad' }
    case 'skipped':
      return { mark: theme.skipped, word: 'skipped', tone: 'warn' }
  }
}

export function stepLook(status: StepView['status'], theme: Theme): StatusLook {
  switch (status) {
    case 'done':
      return { mark: theme.done, word: 'done', tone: 'good' }
    case 'current':
      return { mark: theme.active, word: 'now', tone: 'info' }
    case 'todo':
      return { mark: theme.open, word: 'open', tone: 'quiet' }
    case 'skipped':
      return { mark: theme.skipped, word: 'skipped', tone: 'warn' }
    case 'failed':
      return { mark: theme.failed, word: 'failed', tone: 'bad' }
  }
}

export function paneLook(status: Pane['status'], theme: Theme): StatusLook {
  switch (status) {
    case 'suspended':
      return { mark: theme.skipped, word: 'suspended', tone: 'warn' }
    case 'running':
      return { mark: theme.active, word: 'running', tone: 'info' }
    case 'ok':
      return { mark: theme.done, word: 'ok', tone: 'good' }
    case 'failed':
      return { mark: theme.failed, word: 'failed', tone: 'bad' }
    case 'stopped':
      return { mark: theme.skipped, word: 'stopped', tone: 'warn' }
  }
}

export function runLook(status: RunStatus): { word: string; tone?: Tone } {
  switch (status) {
    case 'starting':
      return { word: 'starting', tone: 'info' }
    case 'running':
      return { word: 'running', tone: 'good' }
    case 'holding':
      return { word: 'holding after this step', tone: 'warn' }
    case 'held':
      return { word: 'HELD', tone: 'warn' }
    case 'suspended':
      return { word: 'SUSPENDED', tone: 'warn' }
    case 'stopping':
      return { word: 'stopping', tone: 'warn' }
    case 'ended':
      return { word: 'ended', tone: 'good' }
  }
}

/** How a line of agent output begins, by its kind. */
export function outputLook(kind: PaneLine['kind'], theme: Theme): { mark: string; tone?: Tone } {
  switch (kind) {
    case 'text':
      return { mark: theme.margin, tone: 'quiet' }
    case 'thinking':
      return { mark: '~', tone: 'quiet' }
    case 'tool':
      return { mark: theme.arrow, tone: 'info' }
    case 'note':
      return { mark: '#', tone: 'accent' }
    case 'error':
      return { mark: '!', tone: 'bad' }
    case 'log':
      return { mark: ':', tone: 'quiet' }
  }
}
