import { cellsOf, delimiterCells } from '../../../documents/markdown-table.js'

// HANDOFF.md: where a conversation left off that was full.

/** Ids of the tasks that it calls done and left. */
export interface Handoff {
  completed: string[]
  remaining: string[]
}

/** Reads what an agent left, in tables, lists or bare lines; linear in its text. Both are empty where it names no task. */
export function readHandoff(text: string): Handoff {
  const sections = [...sectionsOf(text)]
  const below = (title: string) => idsOf(sections.find(([name]) => name.startsWith(title))?.[1] ?? [])
  const completed = below('tasks completed')
  const remaining = below('tasks remaining').filter((id) => !completed.includes(id))
  return { completed, remaining }
}

/** Lines by the heading or the `name:` that they stand under. */
function sectionsOf(text: string): Map<string, string[]> {
  const sections = new Map<string, string[]>()
  let current: string[] | undefined
  for (const line of text.split(/\r?\n/)) {
    const heading = /^#{1,6}\s(.*)$/.exec(line)?.[1]?.trim() ?? /^([a-z_]{4,30}):\s*$/i.exec(line)?.[1]
    if (heading === undefined) current?.push(line)
    else {
      current = []
      sections.set(
        heading
          .toLowerCase()
          .replaceAll('_', ' ')
          .replace(/[:*]{1,9}$/, ''),
        current,
      )
    }
  }
  return sections
}

const taskId = /^[A-Z0-9][\w.]*-[\w.-]*\w$|^\d+(?:\.\d+)*$/i

function idsOf(lines: readonly string[]): string[] {
  const ids = lines.flatMap((line, at) => {
    if (line.trim().startsWith('|')) {
      const isHead = delimiterCells(lines[at + 1] ?? '') > 0
      return isHead || delimiterCells(line) > 0 ? [] : [cellsOf(line)[0]?.text ?? '']
    }
    const item = /^\s*(?:[-*]|\d{1,9}[.)])\s+(\S.*)$/.exec(line)?.[1]
    return item === undefined ? [] : [item.split(/[\s:,(]/)[0] ?? '']
  })
  return [...new Set(ids.map((id) => id.replace(/[`*[\]]/g, '')).filter((id) => taskId.test(id)))]
}

/** The issue of a phase whose work filled two conversations. */
export const exhaustedIssue = 'context_exhaustion: partial progress saved to HANDOFF.md'
