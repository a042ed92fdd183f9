// Task ids in running text: "Task 2", "Tasks 2, 3 and 4", "tasks 1–4".

const id = String.raw`[A-Z]?\d{1,9}(?:\.\d{1,9}){0,8}[a-z]?\b`
const separator = String.raw`(?:\s{0,9}[,&–—-]\s{0,9}(?:and\s{1,9})?|\s{1,9}and\s{1,9})`
const idList = String.raw`${id}(?:${separator}(?:tasks?\s{1,9})?${id})*`
const named = new RegExp(String.raw`\btasks?\s{1,9}(${idList})`, 'gi')
const namedAfter = new RegExp(String.raw`\bafter\s{1,9}tasks?\s{1,9}(${idList})`, 'gi')
const bare = new RegExp(`^${idList}$`, 'i')
const longestRange = 100

function expand(part: string): string[] {
  const range = /^(\d{1,9})\s{0,9}[–—-]\s{0,9}(\d{1,9})$/.exec(part)
  if (range === null) return part.split(/\s{0,9}[–—-]\s{0,9}/)
  const [from, to] = [Number(range[1]), Number(range[2])]
  if (to < from || to - from >= longestRange) return [String(from), String(to)]
  return Array.from({ length: to - from + 1 }, (_, index) => String(from + index))
}

function idsOf(list: string): string[] {
  return list
    .replace(/\btasks?\s{1,9}/gi, '')
    .split(/\s{0,9}[,&]\s{0,9}(?:and\s{1,9})?|\s{1,9}and\s{1,9}/i)
    .flatMap(expand)
}

/** Ids that "after Task 5" or "after Tasks 2, 3" name, as written. */
export function idsAfter(text: string): string[] {
  return [...text.matchAll(namedAfter)].flatMap((match) => idsOf(match[1] ?? ''))
}

/** Ids that a text names with the word Task, or as a bare list such as `2, 3`; each once. */
export function idsNamed(text: string): string[] {
  const trimmed = text.trim().replace(/\.$/, '')
  const ids = bare.test(trimmed)
    ? idsOf(trimmed)
    : [...trimmed.matchAll(named)].flatMap((match) => idsOf(match[1] ?? ''))
  return [...new Set(ids)]
}
