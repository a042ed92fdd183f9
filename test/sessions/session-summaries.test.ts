import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { forStream } from '../../source/commands/for-stream.js'
import { sessions, status } from '../../source/commands/status.js'
import { openSession } from '../../source/sessions/open-session.js'
import { listSessions } from '../../source/sessions/session-summaries.js'
import type { Question } from '../../source/view/question.js'
import type { Registry, WorkflowEntry } from '../../source/workflows/workflow.js'
import { gardenEntry } from '../fourth/entry.js'
import { gardenPlace } from '../fourth/places.js'
import { firstState } from '../fourth/state.js'
import { gardenWorkflow } from '../fourth/workflow.js'
import { inTemporary } from '../support/temporary.js'

/** A session whose first state is saved and whose summary is written. */
async function begin(root: string, question?: Question): Promise<void> {
  const session = { root, workflow: gardenWorkflow, place: gardenPlace }
  const opened = await openSession(session, async (question) => {
    throw new Error(`asked: ${question.gate}`)
  })
  if (opened.kind !== 'ready') throw new Error('not opened')
  const { store } = opened
  await store.append({ type: 'opened', version: '1.0.0', pid: 1, runId: 'r', agent: 'command:x' })
  await store.append({ type: 'visit', visit: 1, state: 'INIT', workflow: 'garden', revision: 1 })
  const fact = { type: 'transition', visit: 1, from: 'INIT', to: 'DIG' } as const
  await store.saveImage(fact, firstState('Herbs'))
  if (question) await store.append({ type: 'asked', visit: 1, key: 'q', question })
  await store.close()
}

/** The same workflow, where loading its code counts. */
function counted(): { registry: Registry; loads(): number } {
  let loads = 0
  const entry: WorkflowEntry = {
    ...gardenEntry,
    load: () => {
      loads += 1
      return gardenEntry.load()
    },
  }
  return { registry: [entry], loads: () => loads }
}

const inGarden = (use: (root: string) => Promise<void>) =>
  inTemporary('summaries', async (root) => {
    await mkdir(join(root, 'docs'))
    await begin(root)
    await use(root)
  })

describe('listSessions', () => {
  test('reads the summary beside the journal, and loads no workflow for it', () =>
    inGarden(async (root) => {
      const { registry, loads } = counted()
      const [session, ...others] = await listSessions(root, registry)
      expect(others).toEqual([])
      expect(session).toMatchObject({
        session: 'garden',
        workflow: 'garden',
        subject: 'garden.md',
        title: 'Herbs',
        state: 'DIG',
        phase: { id: '2.1-north', number: 1, total: 2 },
        agent: 'command:x',
        live: false,
      })
      expect(loads()).toBe(0)
    }))

  test.each([
    ['is missing', undefined],
    ['is torn', '{"v":2,"jour'],
    ['is of another version', '{"v":99}'],
  ])('a summary that %s is not believed: the journal and the state say the same', (_, text) =>
    inGarden(async (root) => {
      const { registry, loads } = counted()
      const before = await listSessions(root, registry)
      const path = join(root, gardenPlace.sessionDir, 'summary.json')
      expect(await readdir(join(root, gardenPlace.sessionDir))).toContain('summary.json')
      await writeFile(path, text ?? '')
      expect(await listSessions(root, registry)).toEqual(before)
      expect(loads()).toBe(1)
    }),
  )

  test('a state file that was changed since is read anew', () =>
    inGarden(async (root) => {
      const path = join(root, gardenPlace.stateFile)
      const text = await readFile(path, 'utf8')
      await writeFile(path, text.replace('# Garden: Herbs', '# Garden: Roses'))
      const [session] = await listSessions(root, [gardenEntry])
      expect(session?.title).toBe('Roses')
      await writeFile(path, 'nothing of a garden')
      expect((await listSessions(root, [gardenEntry]))[0]).toMatchObject({
        state: null,
        problem: expect.stringContaining('no heading'),
      })
    }))
})

test('a state that was saved and is gone is told as such, with and without the summary, and nothing is counted', () =>
  inTemporary('summaries', async (root) => {
    await mkdir(join(root, 'docs'))
    await mkdir(join(root, '.git'))
    await writeFile(join(root, '.git/HEAD'), 'ref: refs/heads/main\n')
    await begin(root)
    const whole = (await status([gardenEntry], root, { json: false })).output
    expect(whole).toMatch(/^ {2}progress {2}0\/2 phases, 0\/2 tasks$/m)
    await rm(join(root, gardenPlace.stateFile))
    for (const summary of ['kept', 'gone']) {
      if (summary === 'gone') await rm(join(root, gardenPlace.sessionDir, 'summary.json'))
      const { output } = await status([gardenEntry], root, { json: false })
      expect(output).toContain(`cannot be read: ${gardenPlace.stateFile} is gone;`)
      expect(output).not.toMatch(/INIT|0\/0|progress/)
      const [session] = await listSessions(root, [gardenEntry])
      expect(session).toMatchObject({ state: null, phase: null })
    }
  }))

test('a session that has no state yet is in INIT, and counts nothing that was not read', () =>
  inTemporary('summaries', async (root) => {
    await mkdir(join(root, 'docs'))
    await mkdir(join(root, '.git'))
    await writeFile(join(root, '.git/HEAD'), 'ref: refs/heads/main\n')
    const session = { root, workflow: gardenWorkflow, place: gardenPlace }
    const opened = await openSession(session, async () => 'quit')
    if (opened.kind !== 'ready') throw new Error('not opened')
    await opened.store.append({ type: 'visit', visit: 1, state: 'INIT', workflow: 'garden', revision: 1 })
    await opened.store.close()
    const { output } = await status([gardenEntry], root, { json: false })
    expect(output).toMatch(/^ {2}state {5}INIT$/m)
    expect(output).not.toContain('0/0')
  }))

test('the list of sessions tells the title, what waits for an answer, and how far it is', () =>
  inTemporary('summaries', async (root) => {
    await mkdir(join(root, 'docs'))
    await mkdir(join(root, '.git'))
    await writeFile(join(root, '.git/HEAD'), 'ref: refs/heads/main\n')
    const options = [{ value: 'yes', label: 'Water', consequence: 'the beds are wet' }]
    await begin(root, {
      id: 'q1',
      gate: 'Q-WATER',
      title: 'Shall it be watered?',
      body: [],
      options,
      askedAt: '2030-01-02T03:04:05Z',
    })
    const { output } = await sessions([gardenEntry], root, { json: false })
    expect(output.split('\n')).toEqual([
      'Herbs',
      '  Open question: Shall it be watered?',
      expect.stringMatching(/^ {2}resumable, DIG, 1\/2 bed 2\.1-north, 0\/2 tasks, /),
      '  garden.md (garden)',
    ])
    // In a narrow terminal words stay whole, and no row is broken by the terminal itself.
    const rows = forStream(output, { isTTY: true, columns: 30 }).split('\n')
    expect(rows.every((row) => row.length < 30)).toBe(true)
    expect(rows.join(' ').split(/\s+/)).toEqual(output.split(/\s+/))
  }))

test('the list of sessions is data on request', () =>
  inGarden(async (root) => {
    await mkdir(join(root, '.git'))
    await writeFile(join(root, '.git/HEAD'), 'ref: refs/heads/main\n')
    const { output, exitCode } = await sessions([gardenEntry], root, { json: true })
    expect(exitCode).toBe(0)
    expect(JSON.parse(output)).toMatchObject({
      sessions: [{ session: 'garden', workflow: 'garden', subject: 'garden.md', state: 'DIG', live: false }],
    })
    const { output: empty } = await sessions([], root, { json: false })
    expect(() => JSON.parse(empty)).toThrow()
  }))

describe('a session of a workflow that is not registered', () => {
  test('is listed with what is wrong, and not lost', () =>
    inGarden(async (root) => {
      const [session] = await listSessions(root, [])
      expect(session).toMatchObject({ session: 'garden', workflow: 'garden', state: null })
      expect(session?.problem).toContain('belongs to the workflow "garden"')
      await mkdir(join(root, '.git'))
      await writeFile(join(root, '.git/HEAD'), 'ref: refs/heads/main\n')
      const { output, exitCode } = await status([], root, { json: false })
      expect(exitCode).toBe(0)
      expect(output).toContain('cannot be read: This session belongs to the workflow "garden"')
    }))

  test('is not opened in its place, and no byte of it changes', () =>
    inGarden(async (root) => {
      const other = { ...gardenWorkflow, name: 'orchard' }
      const journal = join(root, gardenPlace.sessionDir, 'journal.jsonl')
      const before = await readFile(journal, 'utf8')
      const opening = openSession({ root, workflow: other, place: gardenPlace }, async () => 'quit')
      await expect(opening).rejects.toMatchObject({
        code: 'newer-version',
        why: expect.any(String),
        todo: expect.any(String),
      })
      expect(await readFile(journal, 'utf8')).toBe(before)
    }))
})
