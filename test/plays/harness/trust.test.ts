import { expect, test } from 'vitest'
import { createStage, play } from './stage.js'

// What a run executes has changed since it was trusted (docs/durability.md, "Trust"): nothing of it runs unasked.

test('asked before the next dispatch; stopped, and asked again on resume; consent is recorded and holds', async () => {
  const project = await createStage([{ name: 'Box' }])
  let changed: string | undefined
  let consents = 0
  const options = {
    changedPrograms: async () =>
      changed === undefined ? null : { hash: `${changed}0123456789abcdef`, lines: [`agent.sh (${changed})`] },
    trustAgain: async () => {
      consents += 1
      changed = undefined
    },
  }
  const first = await play(project, {
    ...options,
    acts: {
      execution: ({ brief }) => {
        changed = 'aa'
        return { status: 'complete', completed: (brief.tasks ?? []).map((task) => task.id) }
      },
    },
    answers: { 'Q-TRUST': 'stop' },
  })
  expect(first.gates).toEqual(['Q-TRUST'])
  expect(first.asked[0]?.body).toContain('agent.sh (aa)')
  expect(first.asked[0]?.options[0]).toMatchObject({ value: 'stop', safe: true })
  expect(first.dispatches.at(-1)?.kind).toBe('execution')

  const second = await play(project, { ...options, answers: { 'Q-TRUST': 'yes' } })
  expect(second.gates).toEqual(['Q-TRUST', 'Q-PR'])
  expect(second.dispatches[0]?.kind).toBe('verification')
  expect(consents).toBe(1)
  expect(second.state.currentState).toBe('DONE')
})

test('a consent holds for what was shown: another change is another question', async () => {
  const project = await createStage([{ name: 'Box' }])
  const seen = ['aa', 'bb']
  let at = 0
  let open = false
  const played = await play(project, {
    changedPrograms: async () =>
      open ? { hash: `${seen[at]}0123456789abcdef`, lines: [`agent.sh (${seen[at]})`] } : null,
    trustAgain: async () => {
      open = false
      at += 1
    },
    acts: {
      plan: async ({ brief }, here) => {
        open = true
        await here.write(brief.planPath, '# Plan: box\n\n## Tasks\n\n### Task 1: lid\n\nDo it.\n')
        return { planPath: brief.planPath, concerns: [] }
      },
      verification: () => {
        open = true
        return { verdict: 'pass', gaps: [] }
      },
    },
    answers: { 'Q-TRUST': 'yes' },
  })
  const asked = played.asked.filter(({ gate }) => gate === 'Q-TRUST').map(({ body }) => body.at(-1))
  expect(asked).toEqual(['agent.sh (aa)', 'agent.sh (bb)'])
})
