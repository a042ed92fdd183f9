import { expect, test } from 'vitest'
import type { Machine } from '../../source/run/machine.js'
import { withSitting } from '../../source/sessions/changes-of-sitting.js'
import { beginningOf } from '../../source/sessions/closing-page.js'
import type { WorkflowView } from '../../source/view/view.js'

// What can be read before a question is answered, in every workflow (docs/terminal.md, "Gates").

const machineOf = (view: Partial<WorkflowView>) => ({ view: () => view }) as unknown as Machine<object>
const begun = [{ id: '1', name: 'Document', status: 'in-progress', facts: [] }] as const
const state = { id: 'state', kind: 'plan', title: 'state file', path: '_docs/state.md' } as const

test('a workflow that compares nothing itself offers what this sitting has changed', () => {
  const { documents = [] } = withSitting(machineOf({ phases: begun, documents: [state] }), 'abc').view(
    undefined,
  )
  expect(documents).toEqual([
    state,
    { id: 'sitting-diff', kind: 'diff', title: 'changes since this sitting began', since: 'abc' },
  ])
  // It is not the beginning of anything that could be told at the end.
  expect(beginningOf({ documents } as unknown as WorkflowView)).toBeUndefined()
})

test('nothing is added to changes of its own, before anything is begun, and where there is no commit', () => {
  const own = { id: 'own', kind: 'diff', title: 'changes since phase 1 began', since: 'def' } as const
  expect(
    withSitting(machineOf({ phases: begun, documents: [own] }), 'abc').view(undefined).documents,
  ).toEqual([own])
  expect(withSitting(machineOf({ phases: [] }), 'abc').view(undefined).documents).toBeUndefined()
  expect(withSitting(machineOf({ phases: begun }), null).view(undefined).documents).toBeUndefined()
})
