/** Lines of unchanged text around a change. */
const contextLines = 3

/**
 * A change of one file as text in the unified form, with one hunk from the first changed line to the last: meant for
 * reading, cheap for files of any size. Empty when nothing changed.
 */
export function plainDiff(path: string, before: string, after: string): string {
  if (before === after) return ''
  const old = linesOf(before)
  const fresh = linesOf(after)
  const shorter = Math.min(old.length, fresh.length)
  let head = 0
  while (head < shorter && old[head] === fresh[head]) head += 1
  let tail = 0
  while (tail < shorter - head && old[old.length - 1 - tail] === fresh[fresh.length - 1 - tail]) tail += 1

  const start = Math.max(0, head - contextLines)
  const leading = old.slice(start, head)
  const removed = old.slice(head, old.length - tail)
  const added = fresh.slice(head, fresh.length - tail)
  const trailing = old.slice(old.length - tail, old.length - tail + contextLines)
  const around = leading.length + trailing.length
  const lines = [
    before === '' ? '--- /dev/null' : `--- ${path}`,
    after === '' ? '+++ /dev/null' : `+++ ${path}`,
    `@@ -${range(start, around + removed.length)} +${range(start, around + added.length)} @@`,
    ...leading.map((line) => ` ${line}`),
    ...removed.map((line) => `-${line}`),
    ...added.map((line) => `+${line}`),
    ...trailing.map((line) => ` ${line}`),
  ]
  return `${lines.join('\n')}\n`
}

function linesOf(text: string): string[] {
  if (text === '') return []
  const lines = text.split('\n')
  if (lines[lines.length - 1] === '') lines.pop()
  return lines
}

function range(start: number, count: number): string {
  return `${count === 0 ? start : start + 1},${count}`
}
