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
