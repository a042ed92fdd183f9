import { textWidth } from '../../terminal/width.js'
import { useSize, useTheme } from '../hooks/desk.js'
import type { Action, Hint } from '../keymap.js'
import { fitLine, lineWidth } from '../layout/line.js'
import type { Line, Span, Theme } from '../theme.js'
import { Row } from './rows.js'

/** What a person must find at any width: how to leave, how to go back, where all keys are told. */
const lastToGo: ReadonlySet<Action | undefined> = new Set<Action>(['stop', 'help', 'back'])

/** The hints as they are told where not all of them have room. */
function shortened(hints: readonly Hint[]): Hint[] {
  return hints.map(({ short, ...hint }) => (short === undefined ? hint : { ...hint, word: short }))
}

/** As many hints as fit into `width`, in their order. The first are the more important ones, but for those that go last. */
export function hintLine(all: readonly Hint[], width: number, theme: Theme): Line {
  const wide = all.reduce((sum, { key, word }) => sum + textWidth(`${key} ${word}`) + 2, -2)
  const hints = wide <= width ? all : shortened(all)
  const spansOf = (shown: ReadonlySet<Hint>): Span[] =>
    hints
      .filter((hint) => shown.has(hint))
      .flatMap(({ key, word }, index) => [
        { text: index === 0 ? '' : '  ' },
        { text: key, strong: true, tone: 'info' },
        { text: ` ${word}` },
      ])
  const isLast = ({ action }: Hint) => lastToGo.has(action)
  let shown: ReadonlySet<Hint> = new Set()
  for (const hint of [...hints.filter(isLast), ...hints.filter((one) => !isLast(one))]) {
    const next = new Set([...shown, hint])
    if (lineWidth(spansOf(next)) <= width) shown = next
  }
  return fitLine(spansOf(shown), width, theme)
}

/** The last line of a screen: which keys do what. */
export function Hints({ hints }: { hints: readonly Hint[] }) {
  const { columns } = useSize()
  return <Row line={hintLine(hints, columns - 1, useTheme())} />
}
