import { expect, test } from 'vitest'
import type { LiveStore } from '../../source/run/live-store.js'
import { interludeRequest } from '../../source/sessions/desk.js'
import type { RunSnapshot } from '../../source/view/view.js'
import { snapshotOf } from '../ui/fixtures.js'

function liveWith(view: Partial<RunSnapshot['view']>) {
  let snapshot = snapshotOf({ view: { ...snapshotOf().view, ...view } })
  const live = {
    getSnapshot: () => snapshot,
    patch: (change: Partial<RunSnapshot>) => {
      snapshot = { ...snapshot, ...change }
    },
  } as unknown as LiveStore
  return { live, banner: () => snapshot.banner }
}

const interludes = [{ id: 'reorder', label: 'reorder or skip phases', hint: 'reorder' }]

test('what was asked for between two states is told with when it comes and what takes it back', () => {
  const { live, banner } = liveWith({ state: 'EXECUTE', interludes })
  const request = interludeRequest(live)
  request.ask('reorder')
  expect(banner()).toBe('After EXECUTE you can reorder or skip phases (o: undo)')
  expect(request.take()).toBe('reorder')
  expect(banner()).toBeUndefined()

  request.ask('reorder')
  request.ask('reorder')
  expect(banner()).toBeUndefined()
  expect(request.take()).toBeUndefined()
})

test('what the workflow does not offer now cannot be asked for', () => {
  const { live, banner } = liveWith({ state: 'EXECUTE', interludes: [] })
  const request = interludeRequest(live)
  request.ask('reorder')
  expect(banner()).toBeUndefined()
  expect(request.take()).toBeUndefined()
})
