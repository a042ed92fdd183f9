/** Lines of a diff that are shown at most. */
const shownLines = 400
const aroundLines = 3

/** What changes between two texts, for a person: common lines at both ends are left out but for a few. */
export function excerptDiff(before: string, after: string): string {
  const old = before === '' ? [] : before.split('\n')
  const fresh = after === '' ? [] : after.split('\n')
  let start = 0
  while (start < old.length && start < fresh.length && old[start] === fresh[start]) start += 1
  let end = 0
  while (
    end < old.length - start &&
    end < fresh.length - start &&
    old[old.length - 1 - end] === fresh[fresh.length - 1 - end]
  ) {
    end += 1
  }
  const lines = [
    ...old.slice(Math.max(0, start - aroundLines), start).map((line) => ` ${line}`),
    ...old.slice(start, old.length - end).map((line) => `-${line}`),
    ...fresh.slice(start, fresh.length - end).map((line) => `+${line}`),
    ...old.slice(old.length - end, old.length - end + aroundLines).map((line) => ` ${line}`),
  ]
  if (lines.length <= shownLines) return lines.join('\n')
  return [...lines.slice(0, shownLines), `(${lines.length - shownLines} more lines)`].join('\n')
}
