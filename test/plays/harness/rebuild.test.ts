import { readdir, rm, writeFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { createStage, play, sessionDir, sessionFile } from './stage.js'

// State file and backup are gone or broken while the journal is whole (docs/durability.md, "Opening a session").

const two = [{ name: 'Box' }, { name: 'List' }]

async function withoutState(damage: (path: string) => Promise<void>) {
  const project = await createStage(two)
  const first = await play(project, { answers: { 'Q-NEXT': 'stop' } })
  const state = project.path(sessionDir, 'autopilot-state.json')
  const names = await readdir(project.path(sessionDir))
  const files = names.filter((name) => name.startsWith('autopilot-state.'))
  for (const name of files) await damage(project.path(sessionDir, name))
  return { project, first, state }
}

describe('Q-REBUILD', () => {
  test('state file and backup are gone: rebuilt from the journal on that answer, and the run goes on', async () => {
    const { project, first } = await withoutState((path) => rm(path))
    const played = await play(project, { askFirst: () => ({ value: 'rebuild' }) })
    expect(played.asked[0]?.gate).toBe('Q-REBUILD')
    expect(played.state.history[0]).toEqual(first.state.history[0])
    expect(played.state.currentState).toBe('DONE')
  })

  test('stop leaves everything as it is, and it is asked again', async () => {
    const { project } = await withoutState((path) => writeFile(path, '{"half'))
    const stopped = await play(project, { askFirst: () => ({ value: 'stop' }) })
    expect(stopped.gates).toEqual(['Q-REBUILD'])
    expect(stopped.closed).toBeDefined()
    expect(await sessionFile(project, 'autopilot-state.json')).toBe('{"half')
    const played = await play(project, { askFirst: () => ({ value: 'rebuild' }) })
    expect(played.gates[0]).toBe('Q-REBUILD')
    expect(played.state.currentState).toBe('DONE')
  })
})
