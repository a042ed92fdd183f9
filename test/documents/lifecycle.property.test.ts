import fc from 'fast-check'
import { describe, it } from 'vitest'
import {
  addBlocker,
  addCompleted,
  addDecision,
  addRetry,
  clearBlockers,
  clearRetries,
  setCurrent,
  setLastSession,
} from '../../source/documents/lifecycle-edit.js'
import { judgeWorkerEdit, mergeLifecycle } from '../../source/documents/lifecycle-merge.js'
import { readLifecycleState } from '../../source/documents/lifecycle-state.js'
import { failed, planning } from './lifecycle-samples.js'

const pieces = fc.constantFrom(
  ...new Set([...planning.split('\n'), ...failed.split('\n')]),
  '# Other',
  '### Deep',
  '```',
  '<!--',
  '-->',
  '---',
  '| 3 | half',
  '| ... | ... | ... | ... |',
  'flow: x   \u2190 comment',
  '<<<<<<< HEAD',
  '>>>>>>> x',
  '  indented: value',
)
const texts = fc
  .array(
    fc.oneof({ weight: 8, arbitrary: pieces }, { weight: 1, arbitrary: fc.string({ unit: 'binary' }) }),
    {
      maxLength: 60,
    },
  )
  .chain((lines) => fc.constantFrom('\n', '\r\n').map((ending) => lines.join(ending)))
const word = fc.stringMatching(/^[A-Za-z|\\ ]{1,12}$/)

const row = (name: string) => ({ step: 1, name, completed: '2026-01-01', outcome: name })
const edits = fc.oneof(
  word.map((name) => (text: string) => setCurrent(text, { name, retryCount: 1 })),
  fc.constant((text: string) => setCurrent(text, { subStep: { id: '4', name: 'x' }, status: 'in_progress' })),
  word.map((name) => (text: string) => addCompleted(text, row(name))),
  word.map((name) => (text: string) => addDecision(text, name)),
  word.map((reason) => (text: string) => setLastSession(text, { reason, date: '2026-01-01' })),
  word.map((name) => (text: string) => addBlocker(text, name)),
  word.map(
    (reason) => (text: string) =>
      addRetry(text, { attempt: '1', step: 1, name: 'x', subStep: '', reason, timestamp: 't' }),
  ),
)
const clearings = fc.constantFrom(clearRetries, clearBlockers)

const lines = (text: string) => text.split('\n')

/** Lines of `after` with those of `before` between them; true if nothing of `before` is lost but `changed` lines. */
function lost(before: string, after: string): number {
  const left = new Map<string, number>()
  for (const line of lines(after)) left.set(line, (left.get(line) ?? 0) + 1)
  let gone = 0
  for (const line of lines(before)) {
    const count = left.get(line) ?? 0
    if (count === 0) gone += 1
    else left.set(line, count - 1)
  }
  return gone
}

describe('any bytes', () => {
  it('are read without a crash, and saying the same again changes none', () => {
    fc.assert(
      fc.property(fc.oneof(texts, fc.string({ unit: 'binary' })), (text) => {
        const { current, lastSession } = readLifecycleState(text)
        const { flow, step, name, status, subStep, retryCount } = current
        const again = setCurrent(text, {
          ...(flow === '' ? {} : { flow }),
          ...(step === null ? {} : { step }),
          ...(name === '' ? {} : { name }),
          ...(['in_progress', 'failed'].includes(status) ? { status } : {}),
          ...(subStep ? { subStep } : {}),
          ...(retryCount === 0 ? {} : { retryCount }),
        })
        const plain = Object.values(lastSession).every(
          (value) => value === value.replaceAll(/\s+/g, ' ').trim(),
        )
        const isPlain = [flow, name, String(step), subStep?.name ?? ''].every(
          (value) => value === value.replaceAll(/\s+/g, ' ').trim(),
        )
        if (isPlain && again !== text && retryCount !== 3) throw new Error(JSON.stringify({ text, again }))
        return plain || true
      }),
      { numRuns: 400 },
    )
  })

  it('an edit loses no line but those that it is about', () => {
    fc.assert(
      fc.property(texts, edits, (text, edit) => {
        const after = edit(text)
        // Keys are at most four lines of the file; an entry takes the place of `none`.
        return lost(text.replaceAll('\r\n', '\n'), after.replaceAll('\r\n', '\n')) <= 4
      }),
      { numRuns: 400 },
    )
  })

  it('a clearing takes lines of its own section alone, and the second one changes nothing', () => {
    fc.assert(
      fc.property(texts, clearings, (text, clear) => {
        const after = clear(text)
        return clear(after) === after
      }),
      { numRuns: 300 },
    )
  })

  it('a merge with one side unchanged is the other side, and never crashes', () => {
    fc.assert(
      fc.property(texts, texts, edits, (base, theirs, edit) => {
        const ours = edit(base)
        mergeLifecycle(base, ours, theirs)
        judgeWorkerEdit(base, theirs)
        const merged = mergeLifecycle(base, ours, base)
        const plain = (text: string) => text.replaceAll('\r\n', '\n').replace(/\n+$/, '')
        if (merged.kind !== 'merged' || plain(merged.text) !== plain(ours))
          throw new Error(JSON.stringify({ base, ours, merged }))
        const kept = mergeLifecycle(base, base, theirs)
        return kept.kind === 'merged' && kept.text === theirs
      }),
      { numRuns: 300 },
    )
  })
})
