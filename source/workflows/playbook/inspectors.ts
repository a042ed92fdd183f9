import { basename, dirname } from 'node:path'
import { counted } from '../../counted.js'
import { normalPhaseId, phaseIdPattern } from '../../documents/playbook-id.js'
import { type PlaybookPlan, readPlaybookPlan } from '../../documents/playbook-plan.js'
import {
  type PlaybookPhase,
  type PlaybookRoadmap,
  readPlaybookRoadmap,
} from '../../documents/playbook-roadmap.js'
import { readSpec } from '../../documents/spec.js'
import type { Certainty, InspectedFile, Inspector } from '../workflow.js'
import { planFileName } from './plan-files.js'

// Which files of this workflow `inspect` can read, and how each is read.

const taskLine = /^[ \t]{0,40}<task(?=[\s>])/im

/** A `<task` line or the name of a plan. */
function isPlan({ path, text }: InspectedFile): Certainty | undefined {
  if (taskLine.test(text)) return 'sure'
  return /PLAN.*\.md$/.test(basename(path)) ? 'sure' : undefined
}

/** A file is looked at to know its kind, and again to be shown: it is read once. */
const roadmaps = new WeakMap<InspectedFile, PlaybookRoadmap>()

function roadmapIn(file: InspectedFile): PlaybookRoadmap {
  const read = roadmaps.get(file) ?? readPlaybookRoadmap(file.text)
  roadmaps.set(file, read)
  return read
}

function isRoadmap(file: InspectedFile): Certainty | undefined {
  const { path, text } = file
  // Front matter of another kind of roadmap, and specs, speak of phases too.
  if (isSynced(text)) return undefined
  const isNamed = /roadmap[^/\\]*\.md$/i.test(basename(path))
  if (!isNamed && !/^[ \t]{0,9}(?:[-*] \[[ xX~]\]|#{2,4} ).{0,80}Phase \d/im.test(text)) return undefined
  const { phases, unread } = roadmapIn(file)
  // The roadmap of a plan that is not there yet, or whose phases are written otherwise, is one all the same.
  const isPlanned = isNamed && (unread > 0 || /[\\/]\.planning[\\/]/.test(path))
  if (phases.length === 0 && !isPlanned) return undefined
  if (isNamed) return 'sure'
  return phases.some(saysMore) && readSpec(text).section === null ? 'likely' : 'possible'
}

/** A phase with a field or a box of this grammar; a heading alone may be of a spec. */
function saysMore({ goal, dependsOn, criteria, plans, checkbox }: PlaybookPhase): boolean {
  return goal !== '' || dependsOn.length + criteria.length + plans.length > 0 || checkbox !== null
}

/** Its front matter says when it was last synced. */
function isSynced(text: string): boolean {
  const [first = '', ...lines] = text.slice(0, 4000).split('\n')
  if (!/^\uFEFF?---\r?$/.test(first)) return false
  const found = lines.find((line) => line.startsWith('---') || /^last_synced\s{0,9}:/.test(line))
  return found?.startsWith('last_synced') === true
}

export const roadmapInspector: Inspector = {
  kind: 'playbook-roadmap',
  matches: isRoadmap,
  inspect: (file) => {
    const roadmap = roadmapIn(file)
    return { json: roadmapJson(roadmap), lines: roadmapLines(roadmap) }
  },
}

export const planInspector: Inspector = {
  kind: 'playbook-plan',
  matches: isPlan,
  inspect: (file) => {
    const plan = readPlaybookPlan(file.text, planContext(file))
    return { json: planJson(plan), lines: planLines(plan) }
  },
}

export const inspectors: readonly Inspector[] = [roadmapInspector, planInspector]

const leading = new RegExp(`^${phaseIdPattern}(?=$|[-_ ])`, 'i')

/** What the place of a plan says: its phase, and its number where its directory holds more than one plan. */
function planContext({ path, siblings = [] }: InspectedFile): { phase?: string; plan?: string } {
  const own = planFileName(basename(path))
  const phase =
    normalPhaseId(leading.exec(basename(dirname(path)))?.[0] ?? '') ?? normalPhaseId(own?.phase ?? '')
  const several = siblings.filter((name) => planFileName(name) !== undefined).length > 1
  const plan = several ? own?.plan : undefined
  return { ...(phase === undefined ? {} : { phase }), ...(plan === undefined ? {} : { plan }) }
}

function roadmapJson({ phases, order, warnings, malformed }: PlaybookRoadmap) {
  return {
    kind: 'playbook-roadmap',
    phases: phases.map(
      ({ id, name, goal, dependsOn, criteria, plans, checkbox, shipped, inserted, line }) => ({
        id,
        name,
        goal,
        dependsOn,
        criteria,
        plans,
        checkbox,
        shipped,
        inserted,
        line,
      }),
    ),
    order,
    ...(malformed ? { malformed } : {}),
    warnings,
  }
}

function planJson({ tasks, criteria, waves, warnings }: PlaybookPlan) {
  const shown = (all: PlaybookPlan['criteria']) =>
    all.map(({ text, commands, kind, expectation, expectations }) => ({
      text,
      commands,
      kind,
      expectation,
      ...(expectations === undefined ? {} : { expectations }),
    }))
  return {
    kind: 'playbook-plan',
    tasks: tasks.map((task) => ({
      id: task.id,
      title: task.title,
      type: task.type,
      complexity: task.complexity,
      files: task.files,
      line: task.line,
      criteria: shown(task.criteria),
    })),
    criteria: shown(criteria),
    waves,
    warnings,
  }
}

function roadmapLines({ phases, order, warnings }: PlaybookRoadmap): string[] {
  return [
    `Roadmap: ${counted(phases.length, 'phase')}`,
    ...phases.map(({ id, name, checkbox, shipped, dependsOn, criteria, plans }) => {
      const state = shipped ? 'shipped' : (checkbox ?? 'no box')
      const after = dependsOn.length === 0 ? '' : `, after ${dependsOn.join(', ')}`
      return `  ${id.padEnd(6)} ${name} (${state}${after}; ${counted(criteria.length, 'criterion', 'criteria')}, ${counted(plans.length, 'plan')})`
    }),
    `Order: ${order.length === 0 ? 'nothing is left' : order.join(', ')}`,
    ...warnings.map((warning) => `Warning: ${warning}`),
  ]
}

function planLines({ tasks, criteria, waves, warnings }: PlaybookPlan): string[] {
  const shown = (all: PlaybookPlan['criteria'], indent: string) =>
    all.map(({ kind, text, commands }) => `${indent}${kind}: ${text}${commandText(text, commands)}`)
  return [
    `Plan: ${counted(tasks.length, 'task')} in ${counted(waves.length, 'wave')}`,
    ...tasks.flatMap((task) => [
      `  ${task.id} ${task.title} (${task.type}, ${task.complexity}; ${task.files.join(', ') || 'no files'})`,
      ...shown(task.criteria, '    '),
    ]),
    ...(criteria.length === 0 ? [] : ['  Of the plan:', ...shown(criteria, '    ')]),
    ...warnings.map((warning) => `Warning: ${warning}`),
  ].flatMap((line) => line.split('\n'))
}

function commandText(text: string, commands: readonly string[]): string {
  const other = commands.filter((command) => command !== text && !text.includes(command))
  return other.length === 0 ? '' : ` [${other.join('; ')}]`
}
