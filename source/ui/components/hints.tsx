import { useSize, useTheme } from '../hooks/desk.js'
import type { Hint } from '../keymap.js'
import { fitLine, lineWidth } from '../layout/line.js'
import type { Line, Span, Theme } from '../theme.js'
import { Row } from './rows.js'

/** As many hints as fit into `width`. The first are the most important ones. */
export function hintLine(hints: readonly Hint[], width: number, theme: Theme): Line {
  let out: Span[] = []
  for (const { key, word } of hints) {
    const next: Span[] = [
      ...out,
      { text: out.length === 0 ? '' : '  ' },
      { text: key, strong: true, tone: 'info' },
      { text: ` ${word}` },
    ]
    if (lineWidth(next) > width) break
    out = next
  }
  return fitLine(out, width, theme)
}

/** The last line of a screen: which keys do what. */
export function Hints({ hints }: { hints: readonly Hint[] }) {
  const { columns } = useSize()
  return <Row line={hintLine(hints, columns - 1, useTheme())} />
}
