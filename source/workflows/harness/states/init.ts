import { readSpec, readSpecAt, type SpecReading } from '../../../documents/spec.js'
import { Problem } from '../../../problem.js'
import { ensureIgnored } from '../../../project/gitignore.js'
import type { Run } from '../../../run/run.js'
import type { ListItem } from '../../../view/question.js'
import { readText } from '../artifacts/files.js'
import { loadContext } from '../load-context.js'
import { qNoPhases, qReading } from '../questions/session.js'
import {
  complexities,
  freshFinalReview,
  freshRetryBudget,
  type HarnessState,
  type Phase,
} from '../state/state.js'
import type { HarnessTools } from '../tools.js'

/** INIT: read the spec, confirm its phases where the reading was tolerant, make the first state (section 1.1). */
export async function init(run: Run<HarnessState>, tools: HarnessTools): Promise<HarnessState> {
  await run.note('spec', tools.specPath)
  await run.step('gitignore', () => ensureIgnored(tools.root, '.harness', 'sessions'))
  const flags = await run.step('flags', () => tools.flags)
  const startingCommit = await run.step('head', () => tools.git.head())
  const { phases, confirmed } = await readPhases(run, tools)
  if (phases.length === 1)
    await run.note('one-phase', 'The spec has one phase; this workflow is made for two or more.', 'warning')
  for (const [index, line] of (await loadContext(run, tools)).entries())
    await run.note(`context-${index}`, line)

  const now = await run.step('now', () => tools.now().toISOString())
  return {
    schemaVersion: 5,
    sessionDir: tools.sessionDir,
    specPath: tools.specPath,
    startingCommit,
    reviewPlans: flags.reviewPlans || flags.thorough,
    rigorLevel: flags.fast ? 'fast' : flags.thorough ? 'thorough' : 'standard',
    currentState: 'ASSESS',
    currentPhase: 0,
    awaitingInteractivePlan: false,
    phases,
    retryBudget: freshRetryBudget,
    history: [],
    decisions: confirmed
      ? [{ phase: 0, decision: 'phases_confirmed', timestamp: now, choice: confirmed }]
      : [],
    finalReview: freshFinalReview,
  }
}

async function readPhases(
  run: Run<HarnessState>,
  tools: HarnessTools,
): Promise<{ phases: Phase[]; confirmed?: string }> {
  const reading = await run.step('reading', () => readSpecFile(tools))
  if (reading.reading === 'literal' && reading.phases.length > 0) {
    run.report(readingLines(reading))
    for (const [index, warning] of reading.warnings.entries())
      await run.note(`warning-${index}`, warning, 'warning')
    return { phases: reading.phases.map(draftOf).map(phaseOf) }
  }
  const confirmed =
    reading.phases.length > 0 ? await confirmReading(run, reading) : await choosePhases(run, tools)
  return confirmed
}

async function readSpecFile(tools: HarnessTools): Promise<SpecReading> {
  const text = await readText(tools, tools.specPath)
  if (text === undefined) {
    throw new Problem({
      code: 'not-found',
      what: `The spec ${tools.specPath} is not there.`,
      why: 'Its phases are what this session runs.',
      todo: 'Put the file back, or start with the path of another spec.',
    })
  }
  return readSpec(text)
}

/** How the phases were read, each with its source line, and what was not used. */
export function readingLines(reading: SpecReading): string[] {
  const section = reading.section ? `"${reading.section.title}" (line ${reading.section.line})` : 'no section'
  return [
    `Reading: ${reading.reading}, from ${section}`,
    ...reading.phases.map(
      (phase) => `  line ${phase.line}: Phase ${phase.id}: ${phase.name} (complexity: ${phase.complexity})`,
    ),
    ...(reading.unused.length > 0 ? ['Not used:'] : []),
    ...reading.unused.map((unused) => `  line ${unused.line}: ${unused.text}`),
    ...reading.warnings.map((warning) => `Warning: ${warning}`),
  ]
}

async function confirmReading(run: Run<HarnessState>, reading: SpecReading) {
  const drafts = reading.phases.map(draftOf)
  const alternative = reading.alternative?.map(draftOf)
  const body = [
    ...readingLines(reading),
    ...(alternative
      ? ['', `The ${alternative.length} list items can be phases instead: edit the list.`]
      : []),
  ]
  const offered = alternative
    ? [...drafts, ...alternative.map((draft) => ({ ...draft, dropped: true }))]
    : drafts
  for (let round = 1; ; round += 1) {
    const answer = await run.ask(`reading-${round}`, qReading(body, offered))
    const chosen = answer.value === 'edit' ? kept(answer.items) : drafts
    if (chosen.length > 0) return { phases: chosen.map(phaseOf), confirmed: reading.reading }
  }
}

/** Nothing readable: the person names a heading, types the phases, or edits the spec. */
async function choosePhases(run: Run<HarnessState>, tools: HarnessTools) {
  let notice: string[] = []
  for (let round = 1; ; round += 1) {
    const { answer, subject } = await run.gate(`no-phases-${round}`, async () => {
      const reading = await readSpecFile(tools)
      const headings = reading.headings.map(
        (heading) => `  line ${heading.line}: ${'#'.repeat(heading.level)} ${heading.title}`,
      )
      const body = [
        ...notice,
        `${tools.specPath} has no section whose phases can be read.`,
        'A spec for this workflow has a section "## Implementation Order" with "### Phase 1: name" headings.',
        ...(headings.length > 0 ? ['Its headings:', ...headings] : ['It has no headings at all.']),
      ]
      return { subject: { reading }, question: qNoPhases(body) }
    })
    if (answer.value === 'edit') {
      const typed = kept(answer.items)
      if (typed.length > 0) return { phases: typed.map(phaseOf), confirmed: 'typed' }
      continue
    }
    const line = answer.value === 'heading' ? Number(answer.text) : undefined
    const reading = await run.step(`again-${round}`, async () => {
      const text = (await readText(tools, tools.specPath)) ?? ''
      return line === undefined ? readSpec(text) : readSpecAt(text, line)
    })
    if (reading.phases.length === 0) {
      notice = [
        line === undefined
          ? `The spec was read again (${subject.reading.headings.length} headings before); still no phases.`
          : `No phases were found below line ${answer.text}.`,
        '',
      ]
      continue
    }
    if (reading.reading === 'literal') return { phases: reading.phases.map(draftOf).map(phaseOf) }
    const drafts = reading.phases.map(draftOf)
    const confirm = await run.ask(`reading-${round}`, qReading(readingLines(reading), drafts))
    const chosen = confirm.value === 'edit' ? kept(confirm.items) : drafts
    if (chosen.length > 0) return { phases: chosen.map(phaseOf), confirmed: reading.reading }
  }
}

function draftOf(phase: {
  id: string
  name: string
  complexity: Phase['complexity']
  line: number
}): ListItem {
  return { id: phase.id, name: phase.name, choice: phase.complexity, line: phase.line }
}

function kept(drafts: readonly ListItem[] | undefined): ListItem[] {
  return (drafts ?? []).filter((draft) => !draft.dropped && draft.name.trim() !== '')
}

function phaseOf({ name, choice }: ListItem): Phase {
  return {
    name,
    complexity: complexities.find((one) => one === choice) ?? 'medium',
    complexityOverride: null,
    planPath: null,
    status: 'pending',
  }
}
