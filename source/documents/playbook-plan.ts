import type { JsonObject } from './json.js'
import { namedFiles } from './named-files.js'
import { decodeEntities, type PlaybookCriterion } from './playbook-criterion.js'
import { normalPhaseId } from './playbook-id.js'
import { criteriaOfPart } from './playbook-items.js'
import { planCriteria } from './playbook-plan-criteria.js'
import { type PlanLine, planText } from './playbook-plan-text.js'
import { boldTaskName, numberedTitle, type TaskBlock, taskBlocks } from './playbook-task-blocks.js'
import { type TaskBody, type TaskField, taskBody } from './playbook-task-body.js'
import { taskIds } from './playbook-task-ids.js'
import { wavesOf } from './playbook-waves.js'

export type PlaybookTaskType = 'auto' | 'human-verify' | 'human-action' | 'decision'
export type PlaybookComplexity = 'simple' | 'medium' | 'complex'

/** One task of a plan (docs/playbook.md, "Plans"). */
export interface PlaybookTask {
  /** `02-01`, `02.1-01-03`; unique in its phase. */
  id: string
  title: string
  type: PlaybookTaskType
  complexity: PlaybookComplexity
  /** Repo-relative paths that it names. */
  files: string[]
  /** What its files field says that is no path. */
  notes: string[]
  /** 1-based lines of its beginning and of its last line. */
  line: number
  endLine: number
  criteria: PlaybookCriterion[]
  /** Tests are written first. */
  tdd: boolean
  /** Value of its gate attribute, empty without one: `blocking`. */
  gate: string
  /** What is to be done, as written; empty where the plan does not say. */
  action: string
  /** What is true when it is done, as written; empty where the plan does not say. */
  done: string
  /** Answers that a decision offers. */
  options: { id: string; name: string; text: string }[]
  /** Fields that a task should have and this one has not: `files`, `action`, `verify`, `done`, `complexity`. */
  missing: string[]
  /** Number of the wave that it stands in; of its plan where the plan has no waves of its own. */
  wave: number
}

/** Front matter of a plan, as far as anything is decided by it. */
export interface PlaybookPlanHeader {
  phase: string | undefined
  plan: string | undefined
  wave: number | undefined
  dependsOn: string[]
  filesModified: string[]
  requirements: string[]
}

export interface PlaybookPlan {
  header: PlaybookPlanHeader
  tasks: PlaybookTask[]
  /** Of the plan itself, checked after its last task. */
  criteria: PlaybookCriterion[]
  /** Ids of tasks that do not touch the same files, wave by wave. */
  waves: string[][]
  warnings: string[]
}

/** What a plan alone does not say. */
export interface PlanContext {
  /** Id of its phase; without it the front matter or the title of the plan says it. */
  phase?: string
  /** Its number, where its phase has more than one plan. */
  plan?: string
  /** Ids of tasks of the same phase, in plans before it. */
  taken?: Iterable<string>
  /** Whether a quoted word is a program that is there, or an existing `./script`. */
  isProgram?: (word: string) => boolean
}

/** Reads a plan. Never throws; a plan without tasks says so in its warnings. */
export function readPlaybookPlan(text: string, context: PlanContext = {}): PlaybookPlan {
  const { lines, header: front, warnings } = planText(text)
  const header = headerOf(front ?? {})
  const { blocks, outside, warnings: found } = taskBlocks(lines)
  const read = blocks.map((block) => readTask(block, context))
  const phase = normalPhaseId(context.phase ?? '') ?? header.phase ?? phaseOfTitle(lines)
  const { ids, warnings: clashes } = taskIds(
    read.map(({ source }) => source),
    { phase, plan: context.plan },
    context.taken,
  )
  const tasks = read.map(({ task, block }, index) => ({
    ...task,
    id: ids[index] ?? '',
    title: task.title || (ids[index] ?? ''),
    wave: block.wave ?? header.wave ?? 1,
  }))
  return {
    header,
    tasks,
    criteria: planCriteria(outside, context),
    waves: wavesOf(tasks),
    warnings: [
      ...warnings,
      ...found,
      ...(tasks.length === 0
        ? ['No tasks were found (<task id="01-01" type="auto">, or "### Task 1: Name").']
        : []),
      ...read.flatMap(({ warnings: own }) => own),
      ...clashes,
      ...complexityWarnings(tasks),
    ],
  }
}

function complexityWarnings(tasks: readonly PlaybookTask[]): string[] {
  const without = tasks.filter(({ missing }) => missing.includes('complexity')).map(({ id }) => id)
  if (without.length === 0) return []
  return [`No complexity is said for ${without.join(', ')}; read as medium.`]
}

function headerOf(front: JsonObject): PlaybookPlanHeader {
  const words = (value: unknown): string[] =>
    (Array.isArray(value) ? value : typeof value === 'string' ? value.split(',') : [])
      .map((each) =>
        String(each)
          .trim()
          .replace(/^\[|\]$/g, ''),
      )
      .filter((each) => each !== '')
  const wave = Number(front.wave)
  return {
    phase: leadingId(String(front.phase ?? '')),
    plan: front.plan === undefined ? undefined : String(front.plan),
    wave: Number.isInteger(wave) && front.wave !== undefined && front.wave !== '' ? wave : undefined,
    dependsOn: words(front.depends_on),
    filesModified: words(front.files_modified),
    requirements: words(front.requirements),
  }
}

/** `02-rules-layer` begins with the id 2. */
function leadingId(text: string): string | undefined {
  const word = /^\s*(?:phase[\s-]*)?(\d{1,6}[A-Za-z]?(?:\.\d{1,6}[A-Za-z]?)*)(?![\w.])/i.exec(text)?.[1]
  return normalPhaseId(word ?? '') ?? normalPhaseId(text)
}

/** `# Phase 16 Plan: ..`, `# Plan: Phase 3 -- ..`. */
function phaseOfTitle(lines: readonly PlanLine[]): string | undefined {
  const title = lines.find(({ level, masked }) => level === 1 && !masked)?.body ?? ''
  return leadingId(/\bphase\s+(\S+)/i.exec(title)?.[1] ?? '')
}

interface ReadTask {
  task: Omit<PlaybookTask, 'wave'>
  block: TaskBlock
  source: { attribute: string | undefined; number: string | undefined }
  warnings: string[]
}

function readTask(block: TaskBlock, context: PlanContext): ReadTask {
  const body = taskBody(block.lines)
  const { attributes } = block
  const text = (...fields: TaskField[]) => textOf(body, fields)
  const heading = block.title || (body.heading ?? block.lines.map(boldTaskName).find((name) => name) ?? '')
  const isHeaded = block.title !== '' && block.form !== 'tag'
  const named = numberedTitle(isHeaded ? block.title : text('name') || heading)
  const inHeading = numberedTitle(body.heading ?? '')
  const place = `The task on line ${block.line}`
  const type = typeOf(attributes.type ?? (text('type') || 'auto'))
  const complexity = complexityOf(attributes.complexity ?? text('complexity'))
  const files = namedFiles(linesOf(body, 'files'))
  const criteria = criteriaOf(body, context)
  const oneLine =
    block.lines.length === 1 && body.parts.length === 0 ? (block.lines[0]?.text.trim() ?? '') : ''
  const missing = [
    ...(body.parts.some(({ field }) => field === 'files') ? [] : ['files']),
    ...(text('action') === '' ? ['action'] : []),
    ...(criteria.length === 0 ? ['verify'] : []),
    ...(text('done') === '' ? ['done'] : []),
    ...(complexity === undefined ? ['complexity'] : []),
  ]
  return {
    block,
    source: {
      attribute: attributes.id,
      number: block.number ?? named.number ?? inHeading.number,
    },
    task: {
      id: '',
      title: cleanTitle(
        attributes.title ?? attributes.name ?? (named.title || oneLine || firstWords(text('goal', 'action'))),
      ),
      type: type.type,
      complexity: complexity ?? 'medium',
      ...files,
      line: block.line,
      endLine: block.endLine,
      criteria,
      tdd: type.tdd || /^(?:true|yes)$/i.test(attributes.tdd ?? ''),
      gate: attributes.gate ?? '',
      action: type.type === 'auto' ? text('action', 'goal') : saidToPerson(body),
      done: text('done'),
      options: optionsOf(textOf(body, ['options'])),
      missing,
    },
    warnings: [
      ...body.warnings,
      ...(type.unknown === undefined
        ? []
        : [`${place} is of the unknown type ${type.unknown}; read as ${type.type}.`]),
    ],
  }
}

/** All that a person is to know: what was built or is to be decided, why, and what to do. */
function saidToPerson(body: TaskBody): string {
  return (['goal', 'context', 'action'] as const)
    .map((field) => linesOf(body, field).join('\n').trim())
    .filter((text) => text !== '')
    .join('\n')
}

function linesOf(body: TaskBody, field: TaskField): string[] {
  return body.parts
    .filter((part) => part.field === field)
    .flatMap(({ lines }) => lines.map(({ text }) => text))
}

/** Of the first of these fields that says something. */
function textOf(body: TaskBody, fields: readonly TaskField[]): string {
  for (const field of fields) {
    const text = linesOf(body, field).join('\n').trim()
    if (text !== '') return text
  }
  return ''
}

function criteriaOf(body: TaskBody, context: PlanContext): PlaybookCriterion[] {
  const of = (field: TaskField) =>
    body.parts
      .filter((part) => part.field === field)
      .flatMap(({ lines }) =>
        field === 'automated'
          ? criteriaOfPart(lines.map(asAutomated(lines)), context)
          : criteriaOfPart(lines, context),
      )
  const accepted = of('acceptance_criteria')
  // "Each acceptance criterion has a command" says nothing of its own.
  const verify = of('verify').filter(
    ({ commands, text }) => commands.length > 0 || !(accepted.length > 0 && /acceptance criteri/i.test(text)),
  )
  return [...accepted, ...verify, ...of('automated')]
}

/** A tag of its own is the same as one within `<verify>`. */
function asAutomated(lines: readonly PlanLine[]) {
  return (line: PlanLine, index: number): PlanLine => ({
    ...line,
    text: `${index === 0 ? '<automated>' : ''}${line.text}${index === lines.length - 1 ? '</automated>' : ''}`,
  })
}

/** What a task without a title is about: the beginning of what it says. */
function firstWords(text: string): string {
  const line = text.split('\n').find((each) => /[\p{L}\p{N}]/u.test(each)) ?? ''
  const words = line.replace(/^\s*(?:[-*+]|\d{1,3}[.)])\s+/, '').trim()
  return words.length <= 80 ? words : `${words.slice(0, 80).replace(/\s\S*$/, '')} ..`
}

function cleanTitle(title: string): string {
  return (
    decodeEntities(title)
      .replace(/\*\*/g, '')
      // `__init__` is a name.
      .replace(/(?<!\w)__[a-z_]{1,40}__(?!\w)|__/g, (marked) => (marked.length > 2 ? marked : ''))
      .replace(/\s+/g, ' ')
      .trim()
  )
}

function typeOf(word: string): { type: PlaybookTaskType; tdd: boolean; unknown?: string } {
  const said = word
    .toLowerCase()
    .replace(/[`*\s]/g, '')
    .replace(/^checkpoint[:-]/, '')
  if (said === 'auto' || said === 'execute' || said === '') return { type: 'auto', tdd: false }
  if (said === 'tdd') return { type: 'auto', tdd: true }
  if (said === 'human-verify' || said === 'human-action' || said === 'decision')
    return { type: said, tdd: false }
  if (/verify|checkpoint|review/.test(said)) return { type: 'human-verify', tdd: false, unknown: word }
  if (/action|manual|human/.test(said)) return { type: 'human-action', tdd: false, unknown: word }
  return { type: 'auto', tdd: false, unknown: word }
}

function complexityOf(word: string): PlaybookComplexity | undefined {
  const said = /^[`*\s]*(simple|low|medium|complex|high)\b/i.exec(word)?.[1]?.toLowerCase()
  if (said === 'simple' || said === 'low') return 'simple'
  if (said === 'complex' || said === 'high') return 'complex'
  return said === 'medium' ? 'medium' : undefined
}

const option = /<option(?:\s+id\s*=\s*["']([^"']{1,60})["'])?[^<>]*>([\s\S]*?)<\/option\s*>/gi

/** What speaks for an option and what against it, in words. */
function sidesNamed(text: string): string {
  return text
    .replace(/<\/pros>(?=\s{0,99}<cons>)/gi, '; ')
    .replace(/<pros>/gi, 'for: ')
    .replace(/<cons>/gi, 'against: ')
}

/** `<option id="a"><name>..</name>..</option>`, or items of a list. */
function optionsOf(text: string): { id: string; name: string; text: string }[] {
  const tagged = [...text.matchAll(option)].map((match, index) => {
    const inner = match[2] ?? ''
    const name = /<name>([\s\S]*?)<\/name>/i.exec(inner)?.[1]?.trim()
    const plain = (part: string) =>
      part
        .replace(/<[^<>]*>/g, ' ')
        .replace(/\s+/g, ' ')
        .trim()
    return {
      id: match[1] ?? String(index + 1),
      name: name ?? plain(inner),
      text: plain(sidesNamed(inner.replace(/<name>[\s\S]*?<\/name>/i, ''))),
    }
  })
  if (tagged.length > 0) return tagged
  return text
    .split('\n')
    .flatMap((line) => {
      const item = /^\s{0,9}(?:[-*+]|(\w{1,3})[.)])\s{1,9}(.*\S)/.exec(line)
      return item === null ? [] : [{ id: item[1] ?? '', name: item[2] ?? '', text: '' }]
    })
    .map((each, index) => ({ ...each, id: each.id || String(index + 1) }))
}
