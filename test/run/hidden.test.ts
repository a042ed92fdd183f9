import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createTextRedactor, redacted } from '../../source/secrets/redact.js'
import { inTemporary } from '../support/temporary.js'
import { openToy, startToy, toyMachine, type Work, yesOrNo } from './toy.js'

// Secrets are hidden before anything is recorded or shown; what a person typed stays.

const secret = 'ghp_abcdefghijklmnopqrstuvwxyz0123'
const typed = 'ghp_typedbyaperson0123456789abcdef'

async function journalOf(root: string): Promise<string> {
  return readFile(join(root, 'session', 'journal.jsonl'), 'utf8')
}

/** Runs the work with the redactor, answers with a text, and gives what is left of it. */
async function ran(root: string, work: Work) {
  const toy = startToy(await openToy(root), toyMachine(work), {
    hide: createTextRedactor([]),
    answer: () => ({ value: 'yes', text: typed }),
  })
  await toy.ended
  const snapshot = toy.live.getSnapshot()
  await toy.store.close()
  return { journal: await journalOf(root), asked: toy.asked, snapshot }
}

describe('hidden', () => {
  it('in results of steps and effects, which come back as they are recorded', async () => {
    await inTemporary('hidden', async (root) => {
      const seen: unknown[] = []
      const { journal } = await ran(root, async (_state, run) => {
        seen.push(await run.step('a', () => ({ tail: [`key ${secret}`], [secret]: 1, count: 2, none: null })))
        const made = {
          prepare: async () => 1,
          apply: async () => `made ${secret}`,
          recover: async () => undefined,
        }
        seen.push(await run.effect('b', made))
      })
      expect(seen).toEqual([
        { tail: [`key ${redacted}`], [redacted]: 1, count: 2, none: null },
        `made ${redacted}`,
      ])
      expect(journal).not.toContain(secret)
    })
  })

  it('in notes, and in what the screen is told', async () => {
    await inTemporary('hidden', async (root) => {
      const { journal, snapshot } = await ran(root, async (_state, run) => {
        await run.note('n', `see ${secret}`)
        run.report(['first', `then ${secret}`])
        run.tasks([{ id: '1', title: secret, status: 'pending', retries: 0, facts: [] }])
        run.banner(`wait for ${secret}`)
      })
      expect(journal).toContain(`see ${redacted}`)
      expect(journal).not.toContain(secret)
      expect(JSON.stringify(snapshot)).not.toContain(secret)
      const titles = [...(snapshot.taskTitles?.values() ?? [])].flatMap((one) => [...one.values()])
      expect(titles.join()).not.toContain(secret)
      expect(snapshot.reports).toEqual(['first', `then ${redacted}`])
    })
  })

  it('in questions, with all that can be opened before an answer, but not in the answer', async () => {
    await inTemporary('hidden', async (root) => {
      const answers: unknown[] = []
      const { journal, asked } = await ran(root, async (_state, run) => {
        const evidence = [{ id: 'd', kind: 'diff' as const, title: secret, lines: ['-', `+${secret}`] }]
        const question = yesOrNo(`Is ${secret} right?`, {
          body: ['-----BEGIN PRIVATE KEY-----', 'MIIE', 'end'],
          evidence,
        })
        answers.push(await run.ask('plain', question))
        const built = await run.gate('built', async () => ({ subject: { list: [secret] }, question }))
        answers.push(built)
      })
      expect(JSON.stringify(asked)).not.toContain(secret)
      expect(JSON.stringify(asked)).not.toContain('MIIE')
      expect(asked[0]).toMatchObject({
        title: `Is ${redacted} right?`,
        evidence: [{ lines: ['-', `+${redacted}`] }],
      })
      expect(answers).toEqual([
        { value: 'yes', text: typed },
        { answer: { value: 'yes', text: typed }, subject: { list: [redacted] } },
      ])
      expect(journal).not.toContain(secret)
      expect(journal).toContain(typed)
    })
  })

  it('in what a working agent asks', async () => {
    await inTemporary('hidden', async (root) => {
      const { journal, asked } = await ran(root, async (_state, run) => {
        await run.agent('w', { persona: 'p', title: 't', phase: '1' }, async (hooks) => {
          await hooks.ask(yesOrNo(`May I use ${secret}?`))
          return { ok: true, usage: { inputTokens: 1, outputTokens: 1 } }
        })
      })
      expect(asked.map(({ title }) => title)).toEqual([`May I use ${redacted}?`])
      expect(journal).not.toContain(secret)
    })
  })
})
