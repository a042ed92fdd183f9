import { cellsOf, delimiterCells } from '../../../documents/markdown-table.js'

// HANDOFF.md: where a conversation left off that was full.

export interface Handoff {
  phaseId: string
  reason: string
  lastCheckpointSha: string
  currentStep: string
  completed: string[]
  remaining: string[]
  files: string[]
}

/** Reads what an agent left, in tables, lists or bare lines. Undefined where it names no task at all. */
export function readHandoff(text: string): Handoff | undefined {
  const sections = sectionsOf(text)
  const completed = idsOf(sections.get('tasks completed') ?? [])
  const remaining = idsOf(sections.get('tasks remaining') ?? [])
  if (completed.length === 0 && remaining.length === 0) return undefined
  return {
    phaseId: field(text, 'Phase ID') ?? '',
    reason: field(text, 'Reason') ?? '',
    lastCheckpointSha: field(text, 'Last Checkpoint(?: SHA)?') ?? '',
    currentStep: field(text, 'Current step') ?? '',
    completed,
    remaining: remaining.filter((id) => !completed.includes(id)),
    files: [...sections].flatMap(([name, lines]) =>
      name.startsWith('files modified') ? pathsOf(lines) : [],
    ),
  }
}

function field(text: string, label: string): string | undefined {
  const match = new RegExp(
    `^[ \\t]{0,40}(?:[-*][ \\t]{0,9})?\\*{0,9}${label}\\*{0,9}[ \\t]{0,9}:(.*)$`,
    'im',
  ).exec(text.replaceAll('_', ' '))
  const value = match?.[1]?.replace(/[`*]/g, '').trim()
  return value === '' ? undefined : value
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

function pathsOf(lines: readonly string[]): string[] {
  return lines.flatMap((line) => {
    const item = /^\s*[-*]\s+`?([^\s`:]+)/.exec(line)?.[1]
    return item === undefined || item.startsWith('{') ? [] : [item]
  })
}

/** The issue of a phase whose work filled two conversations. */
export const exhaustedIssue = 'context_exhaustion: partial progress saved to HANDOFF.md'
