import { type PhaseWork, phaseWorks } from './harness-spec.js'
import {
  commitCommand,
  type Part,
  playPart,
  promptIndex,
  promptOf,
  type Step,
  shellQuote,
  stepReached,
} from './part.js'
import { type Answer, type ModelRequest, type Scenario, turn } from './turn.js'
import { bashCall, readCall, writeCall, writingCommand } from './vocabulary.js'

// Plays planner, executor, verifier and reviewer of the harness workflow, with the tools of whatever client asks.
// Everything is read from the conversation, so that a run may be killed and resumed, and sessions may overlap.

export type Role = 'planner' | 'task-executor' | 'verifier' | 'code-reviewer'

export interface RoleContext {
  role: Role
  /** 1-based; undefined in the final review and its fixes. */
  phase?: number | undefined
  /** Tools that were used so far in this dispatch. */
  step: number
}

export interface Finding {
  severity: string
  file: string
  line?: number
  title: string
  rationale?: string
}

export interface HarnessRoles {
  /** Answers in place of the role-player; undefined lets it go on. */
  instead?(context: RoleContext, request: ModelRequest): Answer | undefined
  concerns?(phase: number): string[]
  verdict?(phase: number): { verdict: 'pass' | 'fail' | 'incomplete'; gaps: string[] }
  /** Default: none. */
  findings?(phase: number | 'final'): Finding[]
}

interface Order extends RoleContext {
  prompt: string
  fact(name: string): string | undefined
}

/** The handler for `play`. */
export function harnessRoles(options: HarnessRoles = {}): Scenario {
  return (request) => {
    const order = readOrder(request)
    if (!order) return turn({ text: 'I do not know this persona.' })
    const step = stepReached(request, promptIndex(request, persona))
    const instead = options.instead?.({ role: order.role, phase: order.phase, step }, request)
    return instead ?? playPart(request, partOf(order, options), step)
  }
}

const persona = /^You are harness-(planner|task-executor|verifier|code-reviewer)\./m

function readOrder(request: ModelRequest): Order | undefined {
  const prompt = promptOf(request, persona)
  const role = persona.exec(prompt)?.[1] as Role | undefined
  if (role === undefined) return undefined
  const fact = (name: string) => new RegExp(`^- ${name}: (.+)$`, 'm').exec(prompt)?.[1]?.trim()
  const number = /^(\d+) of /.exec(fact('Phase') ?? '')?.[1]
  return { role, phase: number === undefined ? undefined : Number(number), step: 0, prompt, fact }
}

function partOf(order: Order, options: HarnessRoles): Part {
  const work = order.phase === undefined ? undefined : phaseWorks[order.phase - 1]
  switch (order.role) {
    case 'planner':
      return plan(order, work, options)
    case 'task-executor':
      return execute(order, work)
    case 'verifier':
      return verify(order, work, options)
    case 'code-reviewer':
      return review(order, work, options)
  }
}

/** The project root before each command: shells keep no directory in some clients. */
function shell(order: Order, command: string): Step {
  const root = order.fact('Project root') ?? '.'
  return (request) => bashCall(request, `cd ${shellQuote(root)} && ${command}`)
}

const absolute = (order: Order, path: string) => `${order.fact('Project root') ?? '.'}/${path}`

function handoff(order: Order, skill: string, phase: string, more: object): Step {
  const path = `${order.fact('Session directory') ?? '.harness'}/handoff.json`
  const fields = {
    timestamp: new Date().toISOString(),
    fromSkill: skill,
    phase,
    summary: `Phase ${order.phase ?? 'all'} done.`,
    completed: [],
    pending: [],
    concerns: [],
    decisions: [],
    blockers: [],
    contextKeywords: ['polite'],
    ...more,
  }
  return shell(order, writingCommand(path, `${JSON.stringify(fields, undefined, 2)}\n`))
}

function plan(order: Order, work: PhaseWork | undefined, options: HarnessRoles): Part {
  const planPath = order.fact('Plan to write') ?? 'docs/plans/plan.md'
  const concerns = options.concerns?.(order.phase ?? 1) ?? []
  const text = planText(order, work)
  const outline = (work?.tasks ?? []).map((task, index) => `${index + 1}. ${task.title}`).join('\n')
  return {
    steps: [
      (request) => readCall(request, absolute(order, order.fact('Spec') ?? 'readme.md')),
      (request) => writeCall(request, absolute(order, planPath), text),
      handoff(order, 'harness-planning', 'VALIDATE', { planPath, concerns }),
    ],
    result: {
      planPath,
      concerns,
      ...(order.prompt.includes('`skeleton`: the whole outline') ? { skeleton: outline } : {}),
    },
    prose: `The plan is in ${planPath}.`,
  }
}

function planText(order: Order, work: PhaseWork | undefined): string {
  const tasks = work?.tasks ?? []
  const sections = tasks.map(
    ({ title, file, commit }, index) => `### Task ${index + 1}: ${title}

**Depends on:** ${index === 0 ? 'none' : `Task ${index}`}
**Files:** ${file.path}

1. Write \`${file.path}\`.
2. Run: \`npm test\`
3. Commit: \`${commit}\`
`,
  )
  return `# Plan: ${work?.name ?? 'Nothing'}

**Date:** 2026-01-01
**Spec:** ${order.fact('Spec')}
**Tasks:** ${tasks.length}
**Time:** ${tasks.length * 3} minutes

## Goal

${work?.name ?? 'Nothing'} works and is tested.

## Uncertainties

None.

## Observable Truths

1. \`npm test\` passes.

## File Map

${tasks.map((task) => `- CREATE ${task.file.path}`).join('\n')}

## Tasks

${sections.join('\n')}`
}

/** Sets one task in state.json and keeps the rest of it. */
function progressCommand(statePath: string, task: string, progress: string): string {
  const script = `const fs = require("fs"); const [path, task, to] = process.argv.slice(1); const state = fs.existsSync(path) ? JSON.parse(fs.readFileSync(path, "utf8")) : { schemaVersion: 1 }; state.position = { phase: "execute", task }; state.progress = { ...state.progress, [task]: to }; fs.writeFileSync(path + ".new", JSON.stringify(state, null, 2) + "\\n"); fs.renameSync(path + ".new", path)`
  return `node -e ${shellQuote(script)} ${shellQuote(statePath)} ${shellQuote(task)} ${progress}`
}

function execute(order: Order, work: PhaseWork | undefined): Part {
  const statePath = order.fact('Task state') ?? 'state.json'
  const fixes = findingsToMend(order.prompt)
  if (fixes.length > 0) return mend(order, fixes)
  const open = new Set(
    [...order.prompt.matchAll(/^- (?:Task )?(\d+): .* \((?!complete\))[a-z_-]+\)$/gm)].map(
      (found) => found[1],
    ),
  )
  const retried = /^## The work: (?:Task )?(\d+), attempt/m.exec(order.prompt)?.[1]
  if (retried !== undefined) open.add(retried)
  const steps: Step[] = []
  const ids = (work?.tasks ?? []).map((_, index) => `Task ${index + 1}`)
  for (const [index, { file, commit }] of (work?.tasks ?? []).entries()) {
    const id = `Task ${index + 1}`
    if (!open.has(String(index + 1))) continue
    const again = `test -f ${file.path} || { ${writingCommand(file.path, file.text)}\n}`
    steps.push(
      shell(order, progressCommand(statePath, id, 'in_progress')),
      (request) => writeCall(request, absolute(order, file.path), file.text),
      shell(
        order,
        `${again}\n${commitCommand(file.path, commit)} && ${progressCommand(statePath, id, 'complete')}`,
      ),
    )
  }
  steps.push(handoff(order, 'harness-execution', 'EXECUTE', { completed: ids, learnings: [] }))
  return { steps, result: { status: 'complete', completed: ids }, prose: 'All tasks are complete.' }
}

/** Titles of the points that an executor is told to mend. */
function findingsToMend(prompt: string): string[] {
  const section = /^## The work(?:: mend what was found)?\n([\s\S]*?)(?=^## )/m.exec(prompt)?.[1] ?? ''
  const isOrder = prompt.includes('## The work: mend what was found') || prompt.includes('- Fix cycle:')
  return isOrder ? [...section.matchAll(/^\d+\. (.+)$/gm)].map((found) => found[1] ?? '') : []
}

function mend(order: Order, fixes: readonly string[]): Part {
  const steps = fixes.map((title) => {
    const line = `- Mended: ${title}`
    const note = `grep -qF -- ${shellQuote(line)} readme.md || printf '%s\\n' ${shellQuote(line)} >> readme.md`
    return shell(order, `{ ${note}; } && ${commitCommand('readme.md', `Mend: ${title}`)}`)
  })
  const completed = order.phase === undefined ? fixes.map((_, index) => `Task ${index + 1}`) : []
  const tasks = phaseWorks[(order.phase ?? 0) - 1]?.tasks ?? []
  const ids = order.phase === undefined ? completed : tasks.map((_, index) => `Task ${index + 1}`)
  steps.push(handoff(order, 'harness-execution', 'EXECUTE', { completed: ids, learnings: [] }))
  return { steps, result: { status: 'complete', completed: ids }, prose: 'The points are mended.' }
}

function verify(order: Order, work: PhaseWork | undefined, options: HarnessRoles): Part {
  const verdict = options.verdict?.(order.phase ?? 1) ?? { verdict: 'pass', gaps: [] }
  const files = (work?.tasks ?? []).map((task) => task.file.path)
  const reads = files.map(
    (path): Step =>
      (request) =>
        readCall(request, absolute(order, path)),
  )
  return {
    steps: [...reads, shell(order, 'node --test')],
    result: { ...verdict, evidence: files.map((path) => `${path} is there and is what the plan says`) },
    prose: `Verdict: ${verdict.verdict}.`,
  }
}

function review(order: Order, work: PhaseWork | undefined, options: HarnessRoles): Part {
  const findings = options.findings?.(order.phase ?? 'final') ?? []
  const file = work?.tasks[0]?.file.path ?? 'source/main.js'
  const range = order.fact('Changes to review') ?? 'HEAD'
  const known = /^[0-9a-f]{7,}\.\.HEAD$/.test(range) ? range : 'HEAD'
  const blocking = findings.some((finding) => finding.severity === 'blocking')
  return {
    steps: [
      (request) => readCall(request, absolute(order, file)),
      shell(order, `git log --oneline ${known} | head -20`),
    ],
    result: { assessment: blocking ? 'request-changes' : 'approve', findings },
    prose: `Reviewed, ${findings.length} findings.`,
  }
}
