/** A count with its noun in the right number: `1 task`, `2 tasks`; `plural` for words that take no plain s. */
export function counted(count: number, noun: string, plural = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : plural}`
}
