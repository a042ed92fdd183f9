import { fenced } from '../../../agents/quote.js'
import type { ListedPhase } from '../phases.js'
import {
  bullets,
  contextFirst,
  facts,
  groundRules,
  handoffRule,
  interruptedNotice,
  opening,
  type PhaseFields,
  page,
  personNote,
  phaseLine,
  resultRule,
  scratchpadRule,
} from './shared.js'

/** What harness-planner is told (docs/harness.md, "Prompts"). */
export interface PlannerFields extends PhaseFields {
  /** The text of the phase in the spec. */
  phaseDescription: string
  /** All phases of the spec, in order. */
  phases: readonly ListedPhase[]
  /** Where the plan is to be written: `docs/plans/{date}-{kebab-phase}-plan.md`. */
  planPath: string
  /** ISO date for the plan's header. */
  date: string
  scratchpadDir?: string
  /** Thorough: the outline that was approved, to be expanded into the full plan. */
  approvedSkeleton?: string
  /** What the person wants changed in the outline or the plan of an earlier dispatch. */
  revision?: { note: string; previous?: string }
}

/** Prompt that has one phase planned, or, at rigor `thorough`, first its outline. */
export function plannerPrompt(fields: PlannerFields): string {
  const outlineOnly = fields.rigor === 'thorough' && fields.approvedSkeleton === undefined
  return page(
    opening('harness-planner', 'harness-planning', `plan phase ${fields.phase.label}: ${fields.phase.name}`),
    facts(fields, [phaseLine(fields), ['Plan to write', fields.planPath]]),
    contextFirst(fields, 'harness-planning'),
    interruptedNotice(fields),
    theWork(fields),
    skeletonRule(fields),
    revision(fields),
    personNote(fields),
    planGrammar(fields),
    scratchpadRule(fields.rigor, fields.scratchpadDir, 'research-<topic>.md'),
    groundRules(),
    `You write the plan, the handoff and, where told to, the scratchpad, and nothing else: no code, no commit.`,
    handoffRule(fields.sessionDir, {
      fromSkill: 'harness-planning',
      phase: 'VALIDATE',
      extra: [`"planPath": "${fields.planPath}"`],
    }),
    resultRule(resultShape(fields.planPath, outlineOnly), [
      '`planPath`: the plan file you wrote, relative to the project root.',
      '`concerns`: one short sentence each for every risk, doubt or gap that a person should weigh before this plan is carried out. An empty list says that you have none, and the plan may then be carried out unseen: be honest.',
      ...(outlineOnly
        ? [
            '`skeleton`: the whole outline as Markdown. It is shown to a person, who decides whether you go on.',
          ]
        : []),
    ]),
  )
}

function theWork(fields: PlannerFields): string {
  const phases = fields.phases.map((phase) => {
    const here = phase.number === fields.phase.number ? ' <- this one' : ''
    const called = phase.label === String(phase.number) ? '' : `Phase ${phase.label}: `
    return `${phase.number}. ${called}${phase.name} (${phase.status})${here}`
  })
  const description = fields.phaseDescription.trim()
  return `## The work

Plan this one phase so that someone who knows neither the spec nor the project can carry it out task by task, without having to decide anything that matters. Read the spec, then the code that the phase touches, before you write. Name files, functions and commands as they really are; check that they exist.

What the spec says of the phase:

${description === '' ? '(nothing beyond its heading)' : fenced(description, 'markdown')}

All phases, so that you stay within yours:

${phases.join('\n')}

Build on phases that are complete, as the code now is. Leave to later phases what is theirs. A skipped phase was not built: do not rely on it.`
}

function skeletonRule(fields: PlannerFields): string | undefined {
  if (fields.rigor === 'fast') {
    return `## Outline\n\nNo outline. Write the full plan straight away.`
  }
  if (fields.rigor === 'standard') {
    return `## Outline\n\nIf the plan will have 8 tasks or more, put a section \`## Skeleton\` before the tasks: one line per task with its title and what it depends on. Then expand it at once; nobody approves it in between.`
  }
  if (fields.approvedSkeleton !== undefined) {
    return `## Outline\n\nThis outline was approved. Expand exactly it into the full plan: the same tasks in the same order, under \`## Skeleton\` first and then in full. If you find that it cannot be carried out as it stands, keep to it as far as possible and say so in \`concerns\`.\n\n${fenced(fields.approvedSkeleton.trim(), 'markdown')}`
  }
  return `## Outline\n\nThis time write the outline only: the plan file with header, Goal, Uncertainties, Observable Truths, File Map and a section \`## Skeleton\` with one line per task: its title, what it depends on, and its checkpoint if it has one. No task sections yet. After a person has approved it, you will be called again to expand it.`
}

function revision(fields: PlannerFields): string | undefined {
  if (!fields.revision) return undefined
  const { note, previous } = fields.revision
  const before =
    previous === undefined ? '' : `\n\nWhat you wrote then:\n\n${fenced(previous.trim(), 'markdown')}`
  return `## Change what you wrote before\n\nThe person who read it wants this changed:\n\n${fenced(note.trim(), 'text')}\n\nChange what the note asks for and what follows from it; keep the rest.${before}`
}

/** The plan grammar (docs/harness.md, "Plan grammar"), as an example that parses. */
function planGrammar(fields: PlannerFields): string {
  const example = `# Plan: ${fields.phase.name}

**Date:** ${fields.date}
**Spec:** ${fields.specPath}
**Tasks:** <number of tasks>
**Time:** <minutes, 3 per task>

## Goal

<what is true when the phase is done, in one or two sentences>

## Uncertainties

<what you could not settle, and what the plan assumes; or "None.">

## Observable Truths

1. <something a stranger can check by running or reading, with the command>

## File Map

- CREATE <path>
- MODIFY <path>

## Tasks

### Task 1: <title>

**Depends on:** none
**Files:** <paths>

1. <step: write the failing test, with its path and what it asserts>
2. <step: make it pass>
3. Run: \`<command>\`
4. Commit: \`<message>\`

### Task 2: <title>

**Depends on:** Task 1
**Files:** <paths>

1. <step>
2. [checkpoint:human-verify] <what the person should look at, and what they should see>
3. Commit: \`<message>\``
  return `## How the plan is written

A program counts and follows this plan, so the form matters:

${fenced(example, 'markdown')}

${bullets([
  'Each task has a heading `### Task N: Title`, numbered from 1 without gaps. No other heading begins with `Task` and a number.',
  'A task is one small change of about three minutes that leaves the project working, with its own test where there is something to test, and ends in exactly one commit, whose message is the last step.',
  '`**Depends on:**` is `none`, `Task 2` or `Tasks 2, 3`. `**Owns:**`, `**Category:**` and `**Skills:**` may follow `**Files:**` where they help.',
  'Put a checkpoint where a person must step in, and nowhere else: `[checkpoint:human-verify]` to look at something before work goes on, `[checkpoint:decision]` to choose, with the choices as a list right below it, `[checkpoint:human-action]` for something only a person can do. Write the marker inside the task it belongs to, and only there. Each one stops the work.',
  'Every requirement of this phase in the spec is met by a task, and every task serves one. Observable Truths cover all of them.',
])}`
}

/** Deliberately no valid JSON: a program that only echoes its prompt has no result. */
function resultShape(planPath: string, outlineOnly: boolean): string {
  const skeleton = outlineOnly ? ',\n  "skeleton": "<the outline>"' : ''
  return `{\n  "planPath": "${planPath}",\n  "concerns": ["<one sentence>", ...]${skeleton}\n}`
}
