import { readdir } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import type { TestProject } from '../../support/project.js'
import { createStage, decisionsOf, dies, type Played, play, sessionDir, sessionFile } from './stage.js'

// Commits that this repository does not have: a shallow clone, another machine, a rewritten history (docs/harness.md,
// "Start of a session").

/** The same files in a history that begins anew; what was before is gone. */
async function rewriteHistory(project: TestProject): Promise<string> {
  await project.git('checkout', '-q', '--orphan', 'again')
  await project.git('add', '-A')
  await project.git('commit', '-q', '-m', 'again')
  await project.git('branch', '-D', 'main')
  await project.git('reflog', 'expire', '--expire=now', '--all')
  await project.git('gc', '-q', '--prune=now')
  return project.git('rev-parse', 'HEAD')
}

const bases = ({ asked }: Played) => asked.filter(({ gate }) => gate === 'Q-BASE')
const reviews = ({ dispatches }: Played) => dispatches.filter(({ kind }) => kind.endsWith('review'))

describe('a commit that is not here', () => {
  test('startingCommit is asked about on resume, and the final review begins where the person says', async () => {
    const project = await createStage([{ name: 'Box' }, { name: 'List' }])
    const first = await play(project, { answers: { 'Q-NEXT': 'stop' } })
    const head = await rewriteHistory(project)
    const played = await play(project, {
      answers: { 'Q-BASE': ['head'] },
    })
    // What a person was told of the base is not asked once more as work that nobody sees.
    expect(played.asked.map(({ gate }) => gate)).not.toContain('Q-UNPROVEN')
    expect(bases(played)[0]?.title).toBe('Where did the work of this session begin?')
    expect(bases(played)[0]?.body.join(' ')).toContain(`${first.state.startingCommit}, which is not in this`)
    expect(played.state).toMatchObject({ currentState: 'DONE', startingCommit: head })
    expect(decisionsOf(played.state)).toContain('starting_commit_chosen')
  })

  test('the start of a phase under way too; the verifier and the reviewer get a base that exists', async () => {
    const project = await createStage([{ name: 'Box' }])
    await play(project, { acts: { execution: dies } })
    const head = await rewriteHistory(project)
    const played = await play(project, {
      leftovers: 'expected',
      answers: {
        'Q-TOUCHED': 'mine',
        'Q-BASE': ['head', { value: 'enter', text: 'HEAD' }],
        'Q-UNPROVEN': 'accept',
      },
    })
    expect(bases(played).map(({ title }) => title)).toEqual([
      'Where did the work of this session begin?',
      'Where did the work of phase 1 begin?',
    ])
    expect(played.state.phases[0]?.startCommit).toBe(head)
    expect(reviews(played).map(({ brief }) => brief.diffBase)).toEqual([head, head])
  })

  test('after "accept" of a rewritten history the reviewer gets a base that exists', async () => {
    const project = await createStage([{ name: 'Box' }])
    let head = ''
    const played = await play(project, {
      acts: {
        execution: async ({ brief }, here) => {
          await here.write('work/box.txt', 'box\n')
          head = await rewriteHistory(here)
          return { status: 'complete', completed: (brief.tasks ?? []).map(({ id }) => id) }
        },
      },
      answers: { 'Q-TOUCHED': 'accept', 'Q-UNPROVEN': 'accept', 'Q-BASE': 'head' },
    })
    expect(bases(played)).toHaveLength(2)
    expect(played.dispatches.find(({ kind }) => kind === 'verification')?.brief.diffBase).toBe(head)
    expect(reviews(played).map(({ brief }) => brief.diffBase)).toEqual([head, head])
    expect(played.state.currentState).toBe('DONE')
  })
})

describe('a version 5 state with odd values', () => {
  test('keeps its original once', async () => {
    const project = await createStage([{ name: 'Box' }])
    const odd = {
      schemaVersion: 5,
      sessionDir,
      specPath: 'docs/changes/seeds/proposal.md',
      startingCommit: await project.git('rev-parse', 'HEAD'),
      currentState: 'COMPLETE',
      currentPhase: 0,
      phases: [{ name: 'Box', complexity: 'low', status: 'in_progress', planPath: null }],
    }
    const text = JSON.stringify(odd)
    await project.write(`${sessionDir}/autopilot-state.json`, text)
    const asked = await play(project, {
      askFirst: (question) => {
        expect(question.body).toContain('The file as it is now is kept beside it.')
        return { value: 'adopt' }
      },
      answers: { 'Q-STATE': 'stop' },
    })
    expect(asked.stopped).toBe(true)
    expect(await sessionFile(project, 'autopilot-state.v5.bak.json')).toBe(text)
    await play(project, { answers: { 'Q-STATE': 'ASSESS', 'Q-APPROVE': 'yes' } })
    const kept = (await readdir(project.path(sessionDir))).filter((name) => name.includes('v5'))
    expect(kept).toEqual(['autopilot-state.v5.bak.json'])
    expect(await sessionFile(project, 'autopilot-state.v5.bak.json')).toBe(text)
  })
})
