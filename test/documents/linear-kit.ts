// What readers are measured with: texts of one kind, and a plain walk over as long a text to measure beside.

/** Characters of a long text. */
export const whole = 1_000_000

export const characters = [
  ...' \t\n\rab1T`~#*_-+=|<>![](){}\\:;.,/"\'^$&%@?',
  '\u00a0',
  '—',
  'é',
  '✅',
  '\uff1a',
]

/** Seconds of processor time of this process. */
export function seconds(run: () => unknown): number {
  const before = process.cpuUsage()
  run()
  const used = process.cpuUsage(before)
  return (used.user + used.system) / 1e6
}

/** A walk that touches every character of a text and keeps something of every line. */
export function plainWalk(text: string): number {
  let found = 0
  const kept: { line: string; at: number }[] = []
  for (const line of text.split('\n')) {
    kept.push({ line, at: found })
    for (let at = 0; at < line.length; at += 1) if (line.charCodeAt(at) > 64) found += 1
  }
  return found + kept.length
}

/** A unit again and again, for at least so many characters. */
export const filled = (unit: string, length: number) => unit.repeat(Math.ceil(length / unit.length))
