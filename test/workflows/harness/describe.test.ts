import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { describe } from '../../../source/workflows/harness/describe.js'
import { placeOfSlug } from '../../../source/workflows/harness/places.js'
import type { HarnessState } from '../../../source/workflows/harness/state/state.js'
import { inTemporary } from '../../support/temporary.js'

const state = {
  specPath: 'docs/specs/mail-rules.md',
  currentState: 'PLAN',
  currentPhase: 0,
  rigorLevel: 'standard',
  phases: [],
  decisions: [],
} as unknown as HarnessState

test('a session goes by the title of its spec; without one, or without the spec, it has none', async () => {
  await inTemporary('describe', async (root) => {
    const told = () => describe(state, { root, place: placeOfSlug('docs--specs--mail-rules') })
    expect((await told()).title).toBeUndefined()
    await mkdir(join(root, 'docs/specs'), { recursive: true })
    await writeFile(join(root, state.specPath), '# Mail rules\n\nText.\n')
    expect((await told()).title).toBe('Mail rules')
    await writeFile(join(root, state.specPath), 'Text.\n')
    expect((await told()).title).toBeUndefined()
  })
})

test('what was let pass is read once for all phases, however many there are', async () => {
  const count = 50
  let read = 0
  const decision = (phase: number) => ({
    phase,
    timestamp: '2030-04-03T09:00:00.000Z',
    get decision() {
      read += 1
      return 'overridden_review'
    },
    rationale: `reason ${phase}`,
  })
  const findings = [{ severity: 'blocking', file: 'src/a.ts', title: 'It is wrong' }]
  const phases = Array.from({ length: count }, () => ({
    name: 'Storage',
    status: 'complete',
    planPath: null,
    findings,
  }))
  const decisions = phases.map((_, phase) => decision(phase))
  const long = { ...state, phases, decisions } as unknown as HarnessState
  await inTemporary('describe', async (root) => {
    const told = await describe(long, { root, place: placeOfSlug('docs--specs--mail-rules') })
    expect(told.phases?.[1]?.letPass).toEqual([
      'Overridden findings: reason 1',
      'Overridden in phase 2: src/a.ts: It is wrong',
    ])
    expect(read).toBeLessThan(10 * count)
  })
})
