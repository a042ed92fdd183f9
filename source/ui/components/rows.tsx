import { Box, Text } from 'ink'
import { memo } from 'react'
import { plainSigns } from '../../terminal/plain-signs.js'
import { useTheme } from '../hooks/desk.js'
import { type Line, styleOf } from '../theme.js'

function sameLine(one: { line: Line }, other: { line: Line }): boolean {
  if (one.line.length !== other.line.length) return false
  return one.line.every((span, index) => {
    const twin = other.line[index]
    return (
      span.text === twin?.text &&
      span.tone === twin.tone &&
      span.colour === twin.colour &&
      Boolean(span.strong) === Boolean(twin.strong) &&
      Boolean(span.underline) === Boolean(twin.underline)
    )
  })
}

/** One row. Its line has been cut to the width before, so nothing is wrapped here. */
export const Row = memo(function Row({ line }: { line: Line }) {
  const { unicode } = useTheme()
  if (line.every((span) => span.text === '')) return <Text> </Text>
  return (
    <Text wrap="truncate-end">
      {line.map((span, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: spans have no identity beside their place
        <Text key={index} {...styleOf(span)}>
          {unicode ? span.text : plainSigns(span.text)}
        </Text>
      ))}
    </Text>
  )
}, sameLine)

/** Rows under each other. With `height` exactly that many, without only the given ones. */
export function Rows({ lines, height }: { lines: readonly Line[]; height?: number }) {
  return (
    <Box flexDirection="column" height={height} flexShrink={0} overflow="hidden">
      {lines.slice(0, height).map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a row of the screen is its place
        <Row key={index} line={line} />
      ))}
    </Box>
  )
}
