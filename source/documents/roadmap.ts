import { replaceLine } from './edit.js'
import { headingsOf } from './headings.js'
import { isObject, type JsonObject, type Unreadable } from './json.js'
import type { MarkdownDocument } from './markdown-blocks.js'
import type { ScannedLine } from './markdown-lines.js'
import { scanMarkdown } from './markdown-scanner.js'
import { clean, type RoadmapField, readFields, readList } from './roadmap-fields.js'
import { parseYaml } from './yaml.js'

// docs/roadmap.md (docs/harness.md, "Roadmap row").

export const roadmapStatuses = [
  'backlog',
  'planned',
  'in-progress',
  'done',
  'blocked',
  'needs-human',
] as const
export type RoadmapStatus = (typeof roadmapStatuses)[number]

export interface RoadmapFeature {
  name: string
  status: RoadmapStatus
  /** Repo-relative path, or null where the row has none. */
  spec: string | null
  /** 1-based line of the heading. */
  line: number
  /** 1-based line of its Status field. */
  statusLine: number
  milestone: string | null
  summary: string | null
  blockers: string[]
  plans: string[]
  assignee: string | null
  priority: string | null
  externalId: string | null
}

export interface RoadmapReading {
  frontMatter: JsonObject
  milestones: { name: string; line: number }[]
  features: RoadmapFeature[]
  warnings: string[]
}

const requiredKeys = ['project', 'version', 'last_synced', 'last_manual_edit'] as const

/** Reads a roadmap. A missing required front-matter key or a bad status makes it unreadable: then nothing is written. */
export function readRoadmap(text: string): RoadmapReading | Unreadable {
  const document = scanMarkdown(text)
  const { lines } = document
  const front = readFrontMatter(document)
  if ('unreadable' in front) return front
  const missing = requiredKeys.filter((key) => (front.value[key] ?? '') === '')
  if (missing.length > 0) return { unreadable: `Its front matter has no ${missing.join(', ')}.` }
  if (!Number.isInteger(front.value.version))
    return { unreadable: 'The version in its front matter is not a whole number.' }
  const reading: RoadmapReading = { frontMatter: front.value, milestones: [], features: [], warnings: [] }
  const headings = headingsOf(document).filter((heading) => heading.level <= 3)
  for (const [index, heading] of headings.entries()) {
    if (/^assignment history$/i.test(heading.title) && heading.level === 2) break
    if (heading.level === 2) {
      reading.milestones.push({ name: heading.title.replace(/^milestone:/i, '').trim(), line: heading.line })
    }
    if (heading.level !== 3 || /^group:/i.test(heading.title)) continue
    const end = headings[index + 1]?.line ?? lines.length + 1
    const feature = readFeature(heading, lines.slice(heading.line, end - 1), reading)
    if (feature !== undefined && 'unreadable' in feature) return feature
    if (feature !== undefined) reading.features.push(feature)
  }
  return reading
}

/** No person writes more; what is longer is not given to the YAML reader. */
const longestFrontMatter = 64 * 1024

function readFrontMatter({ blocks, lines, unclosed }: MarkdownDocument): { value: JsonObject } | Unreadable {
  const front = blocks[0]
  if (front?.kind !== 'front matter') {
    const open = unclosed.some(({ kind }) => kind === 'front matter')
    return { unreadable: open ? 'Its front matter never ends.' : 'It has no front matter.' }
  }
  if (front.end - front.start > longestFrontMatter)
    return { unreadable: 'Its front matter is longer than 64 KB.' }
  try {
    const source = lines.slice(1, front.endLine - 1).map((line) => line.text)
    const value: unknown = parseYaml(source.join('\n'))
    return isObject(value) ? { value } : { unreadable: 'Its front matter holds no keys.' }
  } catch (error) {
    return {
      unreadable: `Its front matter is not YAML: ${error instanceof Error ? error.message : String(error)}`,
    }
  }
}

function readFeature(
  heading: { title: string; line: number },
  body: ScannedLine[],
  reading: RoadmapReading,
): RoadmapFeature | Unreadable | undefined {
  const name = heading.title.replace(/^feature:/i, '').trim()
  const fields = readFields(body)
  if (fields.size === 0) {
    reading.warnings.push(`Line ${heading.line}: "${name}" has no fields and is read as prose.`)
    return undefined
  }
  const status = fields.get('status')
  if (status === undefined) return { unreadable: `Line ${heading.line}: "${name}" has no status.` }
  const word = roadmapStatuses.find((each) => each === clean(status.value)?.toLowerCase())
  if (word === undefined) return { unreadable: `Line ${status.line}: "${status.value}" is not a status.` }
  const value = (field: RoadmapField) => clean(fields.get(field)?.value ?? '')
  return {
    name,
    status: word,
    spec: value('spec'),
    line: heading.line,
    statusLine: status.line,
    milestone: reading.milestones.at(-1)?.name ?? null,
    summary: value('summary'),
    blockers: readList(fields.get('blockers')?.value),
    plans: readList(fields.get('plan')?.value),
    assignee: value('assignee'),
    priority: value('priority'),
    externalId: value('external-id'),
  }
}

const ranks: Record<RoadmapStatus, number> = {
  backlog: 0,
  planned: 1,
  blocked: 1,
  'needs-human': 1,
  'in-progress': 2,
  done: 3,
}

/** The status to write, or null: what a person put higher or equal stays, nothing is ever lowered. */
export function targetStatus(
  current: RoadmapStatus,
  wanted: 'in-progress' | 'done',
): 'in-progress' | 'done' | null {
  return ranks[wanted] > ranks[current] ? wanted : null
}

function samePath(path: string): string {
  return path.replaceAll('\\', '/').replace(/^(?:\.?\/)+/, '')
}

/**
 * The row of a spec: by its Spec field, else by name (any case). Undefined when there is none, or when several
 * rows fit equally and nobody can tell which is meant.
 */
export function matchFeature(
  reading: RoadmapReading,
  specPath: string,
  specTitle: string | undefined,
): RoadmapFeature | undefined {
  const title = specTitle?.trim().toLowerCase()
  const named = (feature: RoadmapFeature) => feature.name.toLowerCase() === title
  const linked = reading.features.filter(
    (feature) => feature.spec !== null && samePath(feature.spec) === samePath(specPath),
  )
  const candidates = linked.length > 0 ? linked : reading.features.filter(named)
  if (candidates.length === 1) return candidates[0]
  const both = candidates.filter(named)
  return linked.length > 0 && both.length === 1 ? both[0] : undefined
}

/**
 * Sets the status of one row and `last_synced`, and leaves every other byte alone. `feature` comes from a reading
 * of the same text. Where `last_synced` is not a plain line of the front matter, only the status changes.
 */
export function setFeatureStatus(
  text: string,
  feature: RoadmapFeature,
  status: RoadmapStatus,
  syncedAt: string,
): string {
  const { blocks, lines } = scanMarkdown(text)
  const found = lines[feature.statusLine - 1]
  const line = found?.text ?? ''
  const old = found === undefined ? undefined : readFields([found]).get('status')
  if (old === undefined) return text
  const end = line.trimEnd().length
  const before = line.slice(0, end - old.value.length)
  const changed = `${/\s$/.test(before.slice(-1)) ? before : `${before} `}${status}${line.slice(end)}`
  const edited = replaceLine(text, feature.statusLine, changed)
  const close = blocks[0]?.kind === 'front matter' ? blocks[0].endLine - 1 : 0
  const synced = lines.findIndex(
    (each, index) => index > 0 && index < close && /^last_synced\s{0,9}:/.test(each.text),
  )
  if (synced === -1) return edited
  return replaceLine(edited, synced + 1, withValue(lines[synced]?.text ?? '', syncedAt))
}

/** The `last_synced` line of the front matter with another value; quotes and a comment stay as they are. */
function withValue(line: string, value: string): string {
  const colon = line.indexOf(':') + 1
  const from = colon + (line.length - colon - line.slice(colon).trimStart().length)
  const quote = line[from] === '"' || line[from] === "'" ? line.charAt(from) : ''
  const close = quote === '' ? -1 : line.indexOf(quote, from + 1)
  const comment = line.indexOf(' #', close === -1 ? Math.max(colon, from - 1) : close)
  const stop = comment === -1 ? line.length : comment
  const end = close === -1 ? line.slice(0, stop).trimEnd().length : close + 1
  const before = from > colon ? line.slice(0, from) : `${line.slice(0, colon)} `
  return `${before}${quote}${value}${quote}${line.slice(Math.max(end, Math.min(from, line.length)))}`
}
