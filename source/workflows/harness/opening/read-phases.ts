import { counted } from '../../../counted.js'
import { readSpec, readSpecAt, type SpecReading } from '../../../documents/spec.js'
import { shown } from '../../../documents/spec-unread.js'
import { Problem } from '../../../problem.js'
import { readText } from '../../../project/text-files.js'
import type { ListItem } from '../../../view/question.js'
import { freeze } from '../artifacts/frozen.js'
import { newPhase } from '../phases.js'
import { qNoPhases, qReading } from '../questions/session.js'
import { complexities, type Phase } from '../state/state.js'
import type { HarnessTools } from '../tools.js'
import type { HarnessWork } from '../work.js'

// The phases of the spec, confirmed where the reading was tolerant (docs/harness.md, "Spec grammar").

/** The phases of a session, the text they were read from, and how a person confirmed them, if one had to. */
export interface ReadPhases {
  phases: Phase[]
  /** SHA-256 of the spec; a copy of it lies in the session. */
  spec: string
  confirmed?: string
}

/** A reading of the spec, and the hash of the text it was read from, of which a copy is kept. */
type KeptReading = SpecReading & { spec: string }

/** Reads the phases from the spec; nothing is guessed silently. */
export async function readPhases(work: HarnessWork): Promise<ReadPhases> {
  const { run, tools } = work
  const reading = await run.step('reading', () => readSpecFile(tools))
  if (!reading.asks) {
    run.report(readingLines(reading))
    for (const [index, warning] of reading.warnings.entries())
      await run.note(`warning-${index}`, warning, 'warning')
    return { phases: await phasesOf(work, reading, reading.phases.map(draftOf)), spec: reading.spec }
  }
  return reading.phases.length > 0 ? confirmReading(work, reading) : choosePhases(work)
}

/** `line`: below this heading. */
async function readSpecFile(tools: HarnessTools, line?: number): Promise<KeptReading> {
  const text = await readText(tools, tools.specPath)
  if (text === undefined) {
    throw new Problem({
      code: 'not-found',
      what: `The spec ${tools.specPath} is not there.`,
      why: 'Its phases are what this session runs.',
      todo: 'Put the file back, or start with the path of another spec.',
    })
  }
  const spec = await freeze(tools, text)
  return { ...(line === undefined ? readSpec(text) : readSpecAt(text, line)), spec }
}

/** How the phases were read, each with its source line, and what was not used. */
export function readingLines(reading: SpecReading): string[] {
  const section = reading.section ? `"${reading.section.title}" (line ${reading.section.line})` : 'no section'
  return [
    `Reading: ${reading.reading}, from ${section}`,
    ...reading.phases.map(
      (phase) =>
        `  line ${phase.line}: Phase ${phase.label}: ${shown(phase.name)} (complexity: ${phase.complexity})${phase.on ? '' : `, off: ${phase.reason}`}`,
    ),
    ...(reading.unused.length > 0 ? ['Not used:'] : []),
    ...reading.unused.map((unused) => `  line ${unused.line}: ${unused.text}`),
    ...(reading.unread.length > 0 ? ['Looks like a phase, not read as one:'] : []),
    ...reading.unread.map((unread) => `  line ${unread.line}: ${unread.text} (${unread.reason})`),
    ...(reading.inComments.length > 0 ? ['In comments, which are no phases:'] : []),
    ...reading.inComments.map((line) => `  line ${line.line}: ${line.text}`),
    ...reading.warnings.map((warning) => `Warning: ${warning}`),
  ]
}

async function confirmReading(work: HarnessWork, reading: KeptReading): Promise<ReadPhases> {
  const { run } = work
  const drafts = reading.phases.map(draftOf)
  const alternative = reading.alternative?.map(draftOf)
  const body = [
    ...readingLines(reading),
    ...(alternative
      ? ['', `${counted(alternative.length, 'list item')} can be phases instead: edit the list.`]
      : []),
  ]
  const offered = alternative
    ? [...drafts, ...alternative.map((draft) => ({ ...draft, dropped: true }))]
    : drafts
  for (let round = 1; ; round += 1) {
    const answer = await run.ask(`reading-${round}`, qReading(body, offered))
    const chosen = kept(answer.value === 'edit' ? answer.items : drafts)
    if (chosen.length > 0)
      return {
        phases: await phasesOf(work, reading, chosen),
        spec: reading.spec,
        confirmed: reading.reading,
      }
  }
}

/** Nothing readable: the person names a heading, types the phases, or edits the spec. */
async function choosePhases(work: HarnessWork): Promise<ReadPhases> {
  const { run, tools } = work
  let notice: string[] = []
  for (let round = 1; ; round += 1) {
    const { answer, subject } = await run.gate(`no-phases-${round}`, async () => {
      const reading = await readSpecFile(tools)
      return { subject: { reading }, question: qNoPhases(noPhasesBody(tools.specPath, reading, notice)) }
    })
    if (answer.value === 'edit') {
      const typed = kept(answer.items)
      const { spec } = subject.reading
      if (typed.length > 0) return { phases: typed.map((item) => phaseOf(item)), spec, confirmed: 'typed' }
      continue
    }
    const line = answer.value === 'heading' ? Number(answer.text) : undefined
    const reading = await run.step(`again-${round}`, () => readSpecFile(tools, line))
    if (reading.phases.length > 0) {
      const read = await confirmAgain(work, round, reading)
      if (read) return read
      continue
    }
    notice = [
      line === undefined
        ? `The spec was read again (${counted(subject.reading.headings.length, 'heading')} before); still no phases.`
        : `No phases were found below line ${answer.text}.`,
      '',
    ]
  }
}

function noPhasesBody(specPath: string, reading: SpecReading, notice: string[]): string[] {
  const headings = reading.headings.map(
    (heading) => `  line ${heading.line}: ${'#'.repeat(heading.level)} ${heading.title}`,
  )
  return [
    ...notice,
    `${specPath} has no section whose phases can be read.`,
    'A spec for this workflow has a section "## Implementation Order" with "### Phase 1: name" headings.',
    ...(headings.length > 0 ? ['Its headings:', ...headings] : ['It has no headings at all.']),
  ]
}

/** What was found on another look: taken when literal, else confirmed; undefined when the list was emptied. */
async function confirmAgain(
  work: HarnessWork,
  round: number,
  reading: KeptReading,
): Promise<ReadPhases | undefined> {
  const { run } = work
  const { spec } = reading
  if (!reading.asks) return { phases: await phasesOf(work, reading, reading.phases.map(draftOf)), spec }
  const drafts = reading.phases.map(draftOf)
  const confirm = await run.ask(`reading-${round}`, qReading(readingLines(reading), drafts))
  const chosen = kept(confirm.value === 'edit' ? confirm.items : drafts)
  if (chosen.length === 0) return undefined
  return { phases: await phasesOf(work, reading, chosen), spec, confirmed: reading.reading }
}

function draftOf(phase: {
  id: string
  name: string
  complexity: Phase['complexity']
  line: number
  on: boolean
}): ListItem {
  const draft = { id: phase.id, name: phase.name, choice: phase.complexity, line: phase.line }
  return phase.on ? draft : { ...draft, dropped: true }
}

function kept(drafts: readonly ListItem[] | undefined): ListItem[] {
  return (drafts ?? []).filter((draft) => !draft.dropped && draft.name.trim() !== '')
}

/** The chosen rows as phases; the text of each is what was read, whatever it is called now. */
async function phasesOf(
  { run, tools }: HarnessWork,
  reading: SpecReading,
  chosen: readonly ListItem[],
): Promise<Phase[]> {
  const texts = chosen.map((item) => textOf(reading, item))
  const hashes = await run.step('texts', async () => {
    const kept: (string | null)[] = []
    for (const text of texts) kept.push(text === undefined ? null : await freeze(tools, text))
    return kept
  })
  return chosen.map((item, index) => phaseOf(item, hashes[index] ?? null))
}

/** The lines of a row, and of the rows that were merged into it, each below its name; undefined for a typed one. */
function textOf({ phases, alternative = [] }: SpecReading, item: ListItem): string | undefined {
  const parts = [item.line, ...(item.merged ?? [])].flatMap((line) => {
    const found = [...phases, ...alternative].find((phase) => phase.line === line)
    return found === undefined ? [] : [found]
  })
  const [only] = parts
  if (only !== undefined && parts.length === 1) return only.description
  return parts.length === 0
    ? undefined
    : parts.map(({ name, description }) => `${name}\n\n${description}`.trim()).join('\n\n')
}

function phaseOf({ id, line, name, choice }: ListItem, specText: string | null = null): Phase {
  return newPhase({
    name,
    ...(line === undefined ? {} : { specLabel: id }),
    specText,
    complexity: complexities.find((one) => one === choice) ?? 'medium',
  })
}
