import { isMarkup, type ScannedLine } from './markdown-lines.js'

// Field lines of a roadmap row: `- **Status:** planned` (docs/harness.md, "Roadmap row").

export type RoadmapField =
  | 'status'
  | 'spec'
  | 'summary'
  | 'blockers'
  | 'plan'
  | 'assignee'
  | 'priority'
  | 'external-id'
  | 'updated-at'

const names: Record<string, RoadmapField> = {
  status: 'status',
  spec: 'spec',
  summary: 'summary',
  blockers: 'blockers',
  'blocked by': 'blockers',
  plan: 'plan',
  plans: 'plan',
  assignee: 'assignee',
  priority: 'priority',
  'external-id': 'external-id',
  'updated-at': 'updated-at',
}

const fieldLine = /^\s{0,9}[-*+]\s{1,9}\*\*\s{0,9}([A-Za-z][A-Za-z -]{0,40}?)\s{0,9}:?\s{0,9}\*\*\s{0,9}:?/

/** The fields of a row; the first of a name counts. */
export function readFields(body: ScannedLine[]): Map<RoadmapField, { value: string; line: number }> {
  const fields = new Map<RoadmapField, { value: string; line: number }>()
  for (const line of body) {
    const match = !isMarkup(line) ? null : fieldLine.exec(line.text)
    const name = names[match?.[1]?.toLowerCase() ?? '']
    if (match !== null && name !== undefined && !fields.has(name))
      fields.set(name, { value: line.text.slice(match[0].length).trim(), line: line.number })
  }
  return fields
}

/** A value without code marks or link; a dash or `none` is empty. */
export function clean(value: string): string | null {
  const link = /^\[[^\]]*\]\(([^)\s]+)\)$/.exec(value.trim())
  const text = (link?.[1] ?? value).trim().replace(/^`(.*)`$/, '$1')
  return text === '' || /^(?:[—–-]|none)$/i.test(text) ? null : text
}

export function readList(value: string | undefined): string[] {
  return (value ?? '').split(',').flatMap((item) => clean(item) ?? [])
}
