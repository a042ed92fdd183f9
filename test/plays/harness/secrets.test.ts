import { readdir, readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { expect, test } from 'vitest'
import type { TestProject } from '../../support/project.js'
import { createStage, planText, play, sessionDir, specPath, specText } from './stage.js'

// What looks like a key is in no record of a run and on no screen, whoever said it (docs/durability.md, "Paths and
// environment"); copies of the project's own texts and what a person typed are as they were.

const secret = 'ghp_abcdefghijklmnopqrstuvwxyz0123'
const typed = 'ghp_typedbyaperson0123456789abcdef'

async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true })
  const found = await Promise.all(
    entries.map((entry) => {
      const path = join(folder, entry.name)
      return entry.isDirectory() ? filesBelow(path) : [path]
    }),
  )
  return found.flat()
}

/** Records of the program that hold a text, relative to the session or the project. */
async function holding(project: TestProject, text: string): Promise<string[]> {
  const session = project.path(sessionDir)
  const records = [
    ...(await filesBelow(session)),
    project.path('.harness/failures.md'),
    project.path('.harness/learnings.md'),
  ]
  const found: string[] = []
  for (const path of records) {
    const bytes = await readFile(path, 'utf8').catch(() => '')
    if (bytes.includes(text)) found.push(relative(session, path))
  }
  return found
}

test('failures, checkpoints, reviews, tests and plans: no record and no screen holds it', async () => {
  const project = await createStage(
    specText([{ name: 'Box' }]).replace('What Box is about.', `Uses ${secret}.`),
  )
  let executions = 0
  const played = await play(project, {
    acts: {
      plan: async ({ brief }) => {
        await project.write(brief.planPath, `${planText(2, { checkpoints: 1 })}\nToken: ${secret}\n`)
        return { planPath: brief.planPath, concerns: [`uses ${secret}`] }
      },
      execution: async ({ brief }) => {
        executions += 1
        if (executions === 1)
          await project.write(brief.planPath, `${planText(2, { checkpoints: 1 })}\nNew: ${secret} too\n`)
        if (executions <= 4)
          return { status: 'failed', completed: [], failure: { task: '1', error: `401 with ${secret}` } }
        if (!brief.checkpointAnswer) {
          const prompt = `Open it with ${secret}`
          return {
            status: 'checkpoint',
            completed: [],
            checkpoint: { type: 'human-verify', task: '1', prompt },
          }
        }
        return { status: 'complete', completed: ['1', '2'] }
      },
      review: () => ({
        findings: [{ severity: 'blocking', file: 'a.ts', title: `holds ${secret}`, rationale: secret }],
      }),
      'final-review': () => ({ findings: [{ severity: 'warning', file: 'b.ts', title: `says ${secret}` }] }),
    },
    validate: () => ({ kind: 'failed', issues: [{ check: 'env', message: `found ${secret}` }] }),
    answers: {
      'Q-APPROVE': 'yes',
      'Q-TOUCHED': 'mine',
      'Q-SECRETS': 'leave',
      'Q-PLAN-CHANGED': 'keep',
      'Q-RETRY': 'fix',
      'human-verify': [{ value: 'reject', text: `no, use ${typed}` }, 'confirm', 'confirm'],
      'Q-UNPROVEN': 'accept',
      'Q-REVIEW': { value: 'override', text: 'known' },
      'Q-PR': 'no',
    },
  })
  expect(played.state.currentState).toBe('DONE')
  expect(played.gates).toEqual(
    expect.arrayContaining(['Q-APPROVE', 'Q-PLAN-CHANGED', 'Q-RETRY', 'human-verify', 'Q-REVIEW']),
  )
  expect(JSON.stringify(played.asked)).not.toContain(secret)
  expect(JSON.stringify(played.reports)).not.toContain(secret)
  expect((await holding(project, secret)).filter((path) => !path.startsWith('approved/'))).toEqual([])
  // It was there to be hidden in each of them.
  const hidden = await holding(project, '[redacted]')
  for (const path of ['journal.jsonl', 'autopilot-state.json', 'phase-1-review.json', '../../failures.md'])
    expect(hidden).toContain(path)
  expect(hidden.some((path) => path.startsWith('dispatches/'))).toBe(true)
  // The project's own files are nobody's to change, and the word of a person reaches the agent.
  expect(await project.read(specPath)).toContain(secret)
  const answer = played.dispatches.find(({ brief }) => brief.checkpointAnswer?.answer === 'reject')?.brief
    .checkpointAnswer
  expect(answer?.note).toContain(typed)
})
