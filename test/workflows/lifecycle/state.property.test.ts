import fc from 'fast-check'
import { describe, it } from 'vitest'
import { rawLines } from '../../../source/documents/edit.js'
import { outlineOf, type SectionKey, sectionOf } from '../../../source/documents/lifecycle-outline.js'
import { readLifecycleState } from '../../../source/documents/lifecycle-state.js'
import { onlyBuiltIn } from '../../../source/workflows/lifecycle/flow/flow.js'
import {
  atStep,
  begun,
  decided,
  movedTo,
  nextLoop,
  retryFailed,
  sessionEnded,
  stepEnded,
  stepFailed,
  stepReset,
} from '../../../source/workflows/lifecycle/state/changes.js'
import {
  type LifecycleState,
  lifecycleCodec,
  mergeStates,
  nameOfState,
  recordOf,
  takesEdit,
} from '../../../source/workflows/lifecycle/state/state.js'
import { stoppedState } from '../../../source/workflows/lifecycle/state/stopped.js'
import { summaryLines } from '../../../source/workflows/lifecycle/summary.js'

// State files as people, agents and editors leave them, and what every transition makes of them.

const flows = onlyBuiltIn
const greenfield = flows.flows.greenfield
if (!greenfield) throw new Error('there is no greenfield flow')
const flow = greenfield
const at = '2026-03-05T10:20:30.000Z'

const word = fc.stringMatching(/^[A-Za-z0-9 |*_<>#:.-]{1,14}$/)
const step = fc.constantFrom(...flow.steps)

/** A key as somebody writes it: with a list mark, bold, quoted, with blanks and an arrow behind it. */
const keyLine = (key: string, value: fc.Arbitrary<string>) =>
  fc
    .record({
      value,
      mark: fc.constantFrom('', '', '', '- ', '* ', '  '),
      bold: fc.boolean(),
      quote: fc.constantFrom('', '', '"'),
      blank: fc.constantFrom(' ', '  ', '', '\t'),
      tail: fc.constantFrom('', '', '  ', ' \u2190 active'),
    })
    .map(({ value: text, mark, bold, quote, blank, tail }) => {
      const name = bold ? `**${key}**:` : `${key}:`
      return `${mark}${name}${blank}${quote}${text}${quote}${tail}`
    })

const currentSection = step.chain(({ id, name }) =>
  fc
    .tuple(
      keyLine('flow', fc.constantFrom('greenfield', 'existing-code', 'other')),
      keyLine('step', fc.constantFrom(id, 'done', '99', `${id} \u2014 ${name}`, `${id} of 10`)),
      keyLine('name', fc.constantFrom(name, 'Nowhere')),
      keyLine(
        'status',
        fc.constantFrom('not_started', 'in_progress', 'In Progress', '\u2705 failed', '**failed**', 'odd'),
      ),
      keyLine('sub_step', fc.constantFrom('4 \u2014 Review', '1b - Cases', '2', 'none', '')),
      keyLine('retry_count', fc.constantFrom('0', '2', '3/3', '1 of 3', '9', 'x')),
      keyLine('owner', word),
      fc.constantFrom('', '> a quote', '<!-- a comment -->', 'words of nobody'),
    )
    .chain((lines) => fc.subarray(lines)),
)

const table = (columns: string[], cells: fc.Arbitrary<string>) =>
  fc
    .record({
      head: fc.constantFrom(columns, [...columns].reverse(), [...columns, 'Own'], columns.slice(1)),
      delimiter: fc.constantFrom('|---|', '| :-- |', undefined),
      rows: fc.array(fc.array(cells, { minLength: 1, maxLength: 7 }), { maxLength: 3 }),
      dots: fc.boolean(),
    })
    .map(({ head, delimiter, rows, dots }) => [
      `| ${head.join(' | ')} |`,
      ...(delimiter === undefined ? [] : [delimiter.repeat(1) + '---|'.repeat(head.length - 1)]),
      ...rows.map((row) => `| ${row.join(' | ')} |`),
      ...(dots ? ['| ... | ... |'] : []),
    ])

const cell = fc.constantFrom(
  '1',
  '2',
  'Plan',
  'Problem',
  'x \\| y',
  '2026-03-01',
  '',
  'skipped: no',
  '[name]',
)
const bullets = fc.array(
  fc.constantFrom(
    '- one',
    '* two',
    '- none',
    'None at this time.',
    '1. numbered',
    '- [x] done',
    'text without a mark',
    '  goes on',
    '',
    '- [decision 1: e.g.]',
    '```',
    '  ```',
  ),
  { maxLength: 6 },
)
const own = fc.array(fc.constantFrom('words', '- list', '| a | b |', '```', 'flow: not here', ''), {
  maxLength: 4,
})

/** A heading as somebody writes it. */
const heading = (title: string) =>
  fc.constantFrom(
    `## ${title}`,
    `## ${title}`,
    `## ${title}`,
    `## 2. ${title}`,
    `## \u{1F4CD} ${title} \u2705`,
    `### **${title}**:`,
  )

const keyRows = fc
  .subarray(['| flow | greenfield |', '| step | 3 |', '| **Name** | Plan |', '| status | in_progress |'])
  .map((rows) => ['| Key | Value |', '|---|---|', ...rows])

const heads = fc.constantFrom<string[]>(
  ['Step', 'Name', 'Completed', 'Key Outcome'],
  ['#', 'Step Name', 'Date', 'Outcome'],
)

const section = fc.oneof(
  fc.tuple(heading('Current Step'), currentSection).map(([title, lines]) => [title, ...lines]),
  fc.tuple(heading('Current Step'), keyRows).map(([title, lines]) => [title, ...lines]),
  fc
    .tuple(
      heading('Completed Steps'),
      heads.chain((columns) => table(columns, cell)),
    )
    .map(([title, lines]) => [title, '', ...lines]),
  fc.tuple(heading('Key Decisions'), bullets).map(([title, lines]) => [title, ...lines]),
  fc
    .tuple(
      keyLine('date', word),
      keyLine('ended_at', word),
      keyLine('reason', word),
      keyLine('notes', word),
      fc.constant('more of the notes'),
    )
    .chain((lines) => fc.subarray(lines))
    .map((lines) => ['## Last Session', ...lines]),
  table(['Attempt', 'Step', 'Name', 'SubStep', 'Failure Reason', 'Timestamp'], cell).map((lines) => [
    '## Retry Log',
    ...lines,
    '',
    '(Clear this table when the step succeeds.)',
  ]),
  bullets.map((lines) => ['## Blockers', ...lines]),
  own.map((lines) => ['## Own', ...lines]),
  own.map((lines) => ['### Deeper', ...lines]),
)

/** Headings of another language: what they are follows from their places, if from anything. */
const inGerman = (line: string) =>
  line.startsWith('#')
    ? line
        .replace('Current Step', 'Schritt')
        .replace('Completed Steps', 'Fertig')
        .replace('Key Decisions', 'Beschluss')
        .replace('Last Session', 'Sitzung')
        .replace('Retry Log', 'Versuche')
        .replace('Blockers', 'Hindernis')
    : line

const stateFiles = fc
  .record({
    bom: fc.constantFrom('', '', '\uFEFF'),
    title: fc.constantFrom('# Autopilot State', '# Autopilot State', '#  Autopilot State  ', ''),
    sections: fc.array(section, { maxLength: 9 }),
    endings: fc.constantFrom<readonly string[]>(['\n'], ['\r\n'], ['\n', '\r\n']),
    end: fc.boolean(),
    fenced: fc.constantFrom(false, false, false, true),
    foreign: fc.constantFrom(false, false, true),
  })
  .map(({ bom, title, sections, endings, end, fenced, foreign }) => {
    const own = [title, '', ...sections.flatMap((lines) => [...lines, ''])]
    const inner = foreign ? own.map(inGerman) : own
    const lines = fenced ? ['words', '```', ...inner, '```'] : inner
    const text = lines.map((line, index) => line + (endings[index % endings.length] ?? '\n')).join('')
    return bom + (end ? text : text.replace(/\r?\n$/, ''))
  })

type Change = { name: string; make(text: string): string; clears?: true }
const changes: fc.Arbitrary<Change> = fc
  .record({ index: fc.nat(flow.steps.length), words: word })
  .chain(({ index, words }) => {
    const one = flow.steps[index] ?? flow.steps[0]
    if (!one) throw new Error('a flow has steps')
    return fc.constantFrom<Change>(
      { name: 'begun', make: begun },
      { name: 'decided', make: (text) => decided(text, at, 'Q-WORKER', words) },
      { name: 'paused', make: (text) => sessionEnded(text, one, { at, reason: 'user paused' }) },
      { name: 'retry', make: (text) => retryFailed(text, one, { retry: 2, reason: words, at }) },
      { name: 'failed', make: (text) => stepFailed(text, one, { reason: words, at }) },
      { name: 'at', make: (text) => atStep(text, flow, index) },
      { name: 'ended', make: (text) => stepEnded(text, flow, index, { at, outcome: words }), clears: true },
      { name: 'reset', make: stepReset, clears: true },
      {
        name: 'moved',
        make: (text) => movedTo(text, flows, { flow: 'greenfield', index, status: 'in_progress' }, at),
        clears: true,
      },
      { name: 'loop', make: (text) => nextLoop(text, flows, at), clears: true },
    )
  })

const ownKeys =
  /^\s*(?:\|\s*|[-*+]\s)?[*`]*(?:flow|step|name|status|sub_step|retry_count|date|ended_at|reason|notes)[*`]*\s*[:|]/i

const textLines = (text: string) => rawLines(text).map(({ text: line }) => line)

/** Those lines of `some` that are not found, in this order, in `all`. */
function notInOrder(some: readonly string[], all: readonly string[]): string[] {
  let from = 0
  return some.filter((line) => {
    const at = all.indexOf(line, from)
    if (at !== -1) from = at + 1
    return at === -1
  })
}

/** Lines below the heading of a section that are not blank. */
function linesOf(text: string, key: SectionKey): string[] {
  const outline = outlineOf(text)
  const found = sectionOf(outline, key)
  if (!found) return []
  return outline.lines
    .slice(found.heading + 1, found.end)
    .map(({ text: line }) => line)
    .filter((line) => line.trim() !== '' && (key !== 'retries' || line.trimStart().startsWith('|')))
}

const show = (value: unknown) => JSON.stringify(value, null, 1)

describe('any state file', () => {
  it('comes back byte for byte where nothing changes, and every reading of it holds', () => {
    fc.assert(
      fc.property(fc.oneof(stateFiles, fc.string({ unit: 'binary' })), (text) => {
        const bytes = Buffer.from(text, 'utf8')
        const read = lifecycleCodec.read(bytes)
        if (read.kind !== 'ok') return !Buffer.from(bytes.toString('utf8'), 'utf8').equals(bytes)
        nameOfState(read.state, flows)
        summaryLines(read.state, flows, '_docs/_autopilot_state.md')
        return lifecycleCodec.write(read.state).equals(bytes)
      }),
      { numRuns: 400 },
    )
  })

  it('any bytes at all are read or refused, never thrown at', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => {
        const read = lifecycleCodec.read(Buffer.from(bytes))
        return read.kind !== 'ok' || lifecycleCodec.write(read.state).equals(Buffer.from(bytes))
      }),
      { numRuns: 400 },
    )
  })

  it('a transition changes no line but its own', () => {
    fc.assert(
      fc.property(stateFiles, changes, (text, { name, make, clears }) => {
        const after = make(text)
        const cleared = new Set([...linesOf(text, 'retries'), ...linesOf(text, 'blockers')])
        const mayGo = (line: string) =>
          ownKeys.test(line) ||
          /^\W*none(?: at this time)?\W*$/i.test(line) ||
          // Clearing takes rows of the Retry Log, and entries of Blockers with what goes on below them.
          (clears === true && cleared.has(line)) ||
          // A blank line in a fence that is part of an entry goes with it.
          (clears === true && line.trim() === '' && text.includes('\n  ```'))
        const lost = notInOrder(
          textLines(text).filter((line) => !mayGo(line)),
          textLines(after),
        )
        if (lost.length > 0) throw new Error(show({ name, lost, text, after }))
        const mayCome = (line: string) =>
          line.trim() === '' || ownKeys.test(line) || /^(?:## |\||- )/.test(line.replace(/^\uFEFF/, ''))
        const strange = notInOrder(
          textLines(after).filter((line) => !mayCome(line)),
          textLines(text),
        )
        if (strange.length > 0) throw new Error(show({ name, strange, text, after }))
        const [was, is] = [readLifecycleState(text), readLifecycleState(after)]
        if (show(was.unknownSections) !== show(is.unknownSections))
          throw new Error(show({ name, text, after }))
        if (name !== 'loop' && was.decisions.some((line) => !is.decisions.includes(line)))
          throw new Error(show({ name, was: was.decisions, is: is.decisions, text, after }))
        return true
      }),
      { numRuns: 800 },
    )
  })

  it('line endings of lines that stay are kept, and none is mixed in', () => {
    fc.assert(
      fc.property(stateFiles, changes, (text, { make }) => {
        const after = make(text)
        const kinds = (of: string) =>
          new Set(rawLines(of).flatMap(({ ending }) => (ending === '' ? [] : [ending])))
        const known = kinds(text)
        return known.size === 0 || [...kinds(after)].every((ending) => known.has(ending))
      }),
      { numRuns: 400 },
    )
  })

  it('an edit of another hand is merged, asked about or begins anew, and a side that is preferred always gives a text', () => {
    const state = (text: string): LifecycleState => ({ text })
    fc.assert(
      fc.property(stateFiles, changes, changes, fc.boolean(), (text, mine, theirs, atWork) => {
        const [base, ours, other] = [state(text), state(mine.make(text)), state(theirs.make(text))]
        takesEdit(base, other, atWork)
        mergeStates(base, ours, other)
        for (const side of ['ours', 'theirs'] as const)
          if (!mergeStates(base, ours, other, side)) throw new Error(show({ side, text }))
        stoppedState(base, flows, { now: new Date(at), found: other, worked: true, byAgent: atWork })
        recordOf(other)
        return true
      }),
      { numRuns: 300 },
    )
  })
})
