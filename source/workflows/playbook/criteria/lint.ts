import { expectedOf } from '../../../documents/playbook-criterion.js'
import type { PlaybookPlan, PlaybookTask } from '../../../documents/playbook-plan.js'
import { isProduct } from '../../evidence/products.js'
import type { PhaseType, ProjectCommands } from '../orders/fields.js'
import type { PlanIssue } from '../results.js'
import { refusalOf } from './refusal.js'
import { programWords, type SimpleCommand, simpleCommands } from './shell-commands.js'

// What a program can see of a plan before anybody works by it (docs/playbook-checks.md, "Plan check"). Pure.

/** A plan with the name that others refer to it by, and its text. */
export interface LintedPlan {
  /** `01`, `02-01`. */
  id: string
  plan: PlaybookPlan
  text: string
}

export interface LintFacts {
  plans: readonly LintedPlan[]
  requirements: readonly string[]
  phaseType: PhaseType
  commands: ProjectCommands
  /** Ids of tasks that have a test specification. */
  testSpecs: ReadonlySet<string>
  /** A plan that this run's planner did not write: what it leaves out is told, not held against it. */
  isForeign: boolean
}

type Rule = (facts: LintFacts) => PlanIssue[]

/** Phrases that say nothing without a command. */
const vague =
  /\b(?:should work|properly handles?|is correct|are correct|works? as expected|functions? correctly|is implemented|are implemented)\b/i

const eachTask = (
  facts: LintFacts,
  rule: (task: PlaybookTask, plan: string) => (PlanIssue | undefined)[],
): PlanIssue[] =>
  facts.plans.flatMap(({ id, plan }) =>
    plan.tasks.flatMap((task) => rule(task, id)).filter((issue) => issue !== undefined),
  )

const isAuto = (task: PlaybookTask) => task.type === 'auto'

/** Fields without which a task cannot be carried out. A missing complexity is a warning of its own. */
const neededFields = ['files', 'action', 'verify', 'done']

const missingFields: Rule = (facts) =>
  eachTask(facts, (task, plan) => {
    const missing = task.missing.filter((field) => neededFields.includes(field))
    if (missing.length === 0 || !isAuto(task)) return []
    return [
      issue(plan, 'completeness', facts.isForeign ? 'warning' : 'blocker', {
        description: `Task ${task.id} has no ${missing.join(', no ')}.`,
        fix_hint: `Add ${missing.join(', ')} to task ${task.id}.`,
      }),
    ]
  })

const missingComplexity: Rule = (facts) =>
  eachTask(facts, (task, plan) => [
    task.missing.includes('complexity') && isAuto(task)
      ? issue(plan, 'completeness', 'warning', {
          description: `Task ${task.id} says no complexity; it counts as medium.`,
          fix_hint: 'Add complexity="simple", "medium" or "complex".',
        })
      : undefined,
  ])

const unprovenCriteria: Rule = (facts) =>
  eachTask(facts, (task, plan) => {
    if (!isAuto(task)) return []
    return task.criteria
      .filter(({ kind, commands }) => kind === 'unproven' && commands.length === 0)
      .map(({ text }) =>
        issue(plan, 'criteria', facts.isForeign ? 'warning' : 'blocker', {
          description: `Task ${task.id} has a criterion that no command shows${vague.test(text) ? ', in words that show nothing' : ''}: ${text}`,
          fix_hint: 'Write it as "<what is true> -- verified by: `<command>`", with what is expected.',
        }),
      )
  })

/** Says where, not what: a check is what stands behind it. */
const leads = /^(?:cd|pushd|set|export)$/

/** Says the same whatever was done: `true`, `echo`, and what ends in `|| true` or `; true`; `cd DIR &&` before it or not. */
export function neverFails(command: string): boolean {
  const simple = simpleCommands(command).filter(({ words: [first = ''] }) => !leads.test(first))
  const idle = /^(?:true|:|echo|printf|exit)$/
  const isIdle = ({ words }: SimpleCommand) => {
    const [program = '', code] = programWords(words)
    return idle.test(program) && (program !== 'exit' || code === undefined || code === '0')
  }
  if (simple.length > 0 && simple.every((one) => isIdle(one) && !one.words.some((word) => /[$`]/.test(word))))
    return true
  return /(?:\|\||;)\s*(?:true|:|exit 0)\s*$/.test(command.slice(-40))
}

/** What is expected of it is an exit, which it always has. */
const idleCriteria: Rule = (facts) =>
  eachTask(facts, (task, plan) => {
    if (!isAuto(task)) return []
    return task.criteria
      .filter((criterion) => {
        const isIdle = (command: string, at: number) => {
          const expected = expectedOf(criterion, at)
          return expected?.op === 'exit' && (expected.value ?? 0) === 0 && neverFails(command)
        }
        return criterion.commands.length > 0 && criterion.commands.every(isIdle)
      })
      .map(({ text, commands }) =>
        issue(plan, 'criteria', facts.isForeign ? 'warning' : 'blocker', {
          description: `Task ${task.id} has a criterion whose command passes whatever is done: ${text} (${commands.join('; ')})`,
          fix_hint: 'Name a command that fails as long as the task is not done.',
        }),
      )
  })

/** Where the project lies does not matter to what a command changes in it. */
const anywhere = '/project'

/** Why its command is none of a check: it would change the work that it looks at. */
function changesWork(command: string): string | undefined {
  const isWork = (path: string) => path === '' || (!isProduct(`${path}/file`) && !isProduct(path))
  const why = refusalOf(command, { root: anywhere, isWork })
  return why === undefined || refusalOf(command, { root: anywhere }) !== undefined ? undefined : why
}

/** Of the project itself what is committed by then is looked at where the command is run. */
const changingCriteria: Rule = (facts) =>
  eachTask(facts, (task, plan) =>
    task.criteria.flatMap(({ text, commands, kind }) => {
      const why = kind === 'behavioral' ? [] : commands.flatMap((command) => changesWork(command) ?? [])
      if (why.length === 0) return []
      return [
        issue(plan, 'criteria', facts.isForeign ? 'warning' : 'blocker', {
          description: `Task ${task.id} has a criterion whose command changes the work: ${text} (${why[0]})`,
          fix_hint:
            'Name a command that only looks; pipe what it prints into the next one in place of a file.',
        }),
      ]
    }),
  )

const onlyStructural: Rule = (facts) =>
  eachTask(facts, (task, plan) => {
    const shown = task.criteria.filter(({ commands }) => commands.length > 0)
    const isBare = shown.length > 0 && shown.every(({ kind }) => kind === 'structural')
    if (!isAuto(task) || !isBare || facts.testSpecs.has(task.id)) return []
    return [
      issue(plan, 'criteria', facts.isForeign ? 'warning' : 'blocker', {
        description: `Task ${task.id} is shown by looking at files only, and has no test specification.`,
        fix_hint: `Add tests/task-${task.id}.sh with something that runs.`,
      }),
    ]
  })

const interactive =
  /\bon[A-Z][a-z]+|\bhandlers?\b|\bclick|\bdrag|\bsubmit|\bform\b|\bnavigat|\bkey(?:board|press|down)\b/i
const interactiveFile = /\.(?:tsx|jsx|vue|svelte|html)$/i

const noBehaviour: Rule = (facts) => {
  if (facts.phaseType !== 'ui' && facts.phaseType !== 'mixed') return []
  return eachTask(facts, (task, plan) => {
    const isInteractive =
      task.files.some((file) => interactiveFile.test(file)) &&
      interactive.test(`${task.title}\n${task.action}`)
    if (!isAuto(task) || !isInteractive || task.criteria.some(({ kind }) => kind === 'behavioral')) return []
    return [
      issue(plan, 'criteria', 'warning', {
        description: `Task ${task.id} changes what a person does with the screen and has no criterion that follows it through.`,
        fix_hint: 'Add one: "<what happens> -- verified by: `read <file>:<handler> and trace to <action>`".',
      }),
    ]
  })
}

const noCommandUsed: Rule = (facts) => {
  if (facts.commands.test === null && facts.commands.compile === null) return []
  return eachTask(facts, (task, plan) => [
    isAuto(task) && task.criteria.length > 0 && !task.criteria.some(({ kind }) => kind === 'execution')
      ? issue(plan, 'criteria', 'info', {
          description: `Task ${task.id} runs none of the commands of the project.`,
          fix_hint:
            'Add: compiles -- verified by: `{project.commands.compile} 2>&1; echo EXIT:$?` (expect EXIT:0)',
        })
      : undefined,
  ])
}

const requirementId = /\b[A-Z][A-Z0-9]{1,15}-\d{1,4}\b/

/** Only a requirement that has an id can be looked for; the others are for the checker. */
const uncovered: Rule = ({ requirements, plans }) =>
  requirements.flatMap((requirement) => {
    const id = requirementId.exec(requirement)?.[0]
    if (id === undefined || plans.some((plan) => covers(plan, id))) return []
    return [
      issue(plans[0]?.id ?? '01', 'coverage', 'blocker', {
        description: `No task meets requirement ${id}.`,
        fix_hint: `Add a task for ${id}, or a row of the table that maps it to one.`,
      }),
    ]
  })

/** In a task, in a line that names a task too, or in the front matter of the plan. */
function covers({ plan, text }: LintedPlan, id: string): boolean {
  if (plan.header.requirements.some((one) => one.includes(id))) return plan.tasks.length > 0
  const named = new RegExp(`(?<![A-Za-z0-9-])${id}(?![0-9])`)
  return text.split('\n').some((line, at) => {
    if (!named.test(line)) return false
    return plan.tasks.some(
      (task) => (at + 1 >= task.line && at + 1 <= task.endLine) || line.includes(task.id),
    )
  })
}

const badDependencies: Rule = ({ plans }) => {
  const ids = plans.map(({ id }) => id)
  const numberOf = (id: string) =>
    id
      .split('-')
      .at(-1)
      ?.replace(/^0+(?=\d)/, '') ?? id
  const known = (name: string) => ids.find((id) => id === name || numberOf(id) === numberOf(name))
  const edges = new Map(plans.map(({ id, plan }) => [id, plan.header.dependsOn]))
  const wrong = plans.flatMap(({ id, plan }) =>
    plan.header.dependsOn
      .filter((name) => /^\d/.test(name) && isOfThisPhase(name, id) && known(name) === undefined)
      .map((name) => dependencyIssue(id, `it waits for plan ${name}, which is not there`)),
  )
  const cycle = cycleOf(ids, (id) => (edges.get(id) ?? []).flatMap((name) => known(name) ?? []))
  return cycle === undefined
    ? wrong
    : [...wrong, dependencyIssue(cycle[0] ?? '', `plans wait for each other: ${cycle.join(' -> ')}`)]
}

/** A name with a number of a phase before it may mean a plan of another phase. */
function isOfThisPhase(name: string, id: string): boolean {
  const cut = name.lastIndexOf('-')
  const own = id.lastIndexOf('-')
  return cut === -1 || own === -1 || name.slice(0, cut) === id.slice(0, own)
}

function dependencyIssue(plan: string, description: string): PlanIssue {
  return issue(plan, 'dependencies', 'blocker', {
    description: `Plan ${plan}: ${description}.`,
    fix_hint: 'Correct depends_on.',
  })
}

function cycleOf(ids: readonly string[], next: (id: string) => string[]): string[] | undefined {
  const done = new Set<string>()
  const walk = (id: string, path: string[]): string[] | undefined => {
    const at = path.indexOf(id)
    if (at !== -1) return [...path.slice(at), id]
    if (done.has(id)) return undefined
    for (const one of next(id)) {
      const found = walk(one, [...path, id])
      if (found) return found
    }
    done.add(id)
    return undefined
  }
  for (const id of ids) {
    const found = walk(id, [])
    if (found) return found
  }
  return undefined
}

const noTasks: Rule = ({ plans }) =>
  plans
    .filter(({ plan }) => plan.tasks.length === 0)
    .map(({ id }) =>
      issue(id, 'completeness', 'blocker', {
        description: `Plan ${id} has no task that can be read.`,
        fix_hint: 'Write each task from <task ...> to </task>.',
      }),
    )

const rules: readonly Rule[] = [
  noTasks,
  uncovered,
  missingFields,
  badDependencies,
  unprovenCriteria,
  idleCriteria,
  changingCriteria,
  onlyStructural,
  noBehaviour,
  missingComplexity,
  noCommandUsed,
]

/** Everything that is wrong with the plans of a phase, blockers first. */
export function lintPlans(facts: LintFacts): PlanIssue[] {
  const found = rules.flatMap((rule) => rule(facts))
  const rank = { blocker: 0, warning: 1, info: 2 }
  return found.sort((one, other) => rank[one.severity] - rank[other.severity])
}

function issue(
  plan: string,
  dimension: string,
  severity: PlanIssue['severity'],
  words: Pick<PlanIssue, 'description' | 'fix_hint'>,
): PlanIssue {
  return { plan, dimension, severity, ...words }
}

/** The blockers of a check, so that two checks can be told to have found the same. */
export function blockerSet(issues: readonly PlanIssue[]): string {
  return issues
    .filter(({ severity }) => severity === 'blocker')
    .map(({ plan, description }) => `${plan}: ${description.trim().toLowerCase()}`)
    .sort()
    .join('\n')
}

/** Confidence from which on a plan may pass. */
export const planCheckConfidence = 7
/** Checks of one plan at most. */
export const mostPlanChecks = 3

/** What follows from the checks of a plan so far, the newest last. Pure. */
export function afterPlanChecks(
  checks: readonly { pass: boolean; confidence: number; issues: readonly PlanIssue[] }[],
): 'passed' | 'plan-again' | 'exhausted' {
  const last = checks.at(-1)
  if (last === undefined) return 'plan-again'
  const blockers = blockerSet(last.issues)
  if (last.pass && blockers === '' && last.confidence >= planCheckConfidence) return 'passed'
  const before = checks.at(-2)
  const isUnchanged = before !== undefined && blockers !== '' && blockerSet(before.issues) === blockers
  return checks.length >= mostPlanChecks || isUnchanged ? 'exhausted' : 'plan-again'
}
