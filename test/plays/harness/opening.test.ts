import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { locate } from '../../../source/workflows/harness/locate.js'
import type { TestProject } from '../../support/project.js'
import { crash, createStage, planText, play, sessionDir, sessionFile, specPath, specText } from './stage.js'

const slugOf = async (root: string, spec: string) => (await locate(root, spec)).slug

// A session that is found on disk: old formats, odd values, other hands, broken files. Through the real opening.

type Raw = Record<string, unknown>

const phases = [
  { name: 'Box', complexity: 'low', planPath: 'docs/plans/box-plan.md', status: 'complete' },
  { name: 'List', complexity: 'low', planPath: null, status: 'pending' },
]

const version = (number: number, commit: string): Raw => {
  const first: Raw = {
    schemaVersion: number,
    specPath,
    currentState: 'ASSESS',
    currentPhase: 1,
    phases,
    retryBudget: { maxAttempts: 3, currentTask: null },
    history: [],
    runtimeNotes: ['of another tool'],
  }
  if (number >= 2) first.sessionDir = sessionDir
  if (number >= 3)
    Object.assign(first, { startingCommit: commit, decisions: ['an old word'], finalReview: undefined })
  if (number >= 4) first.reviewPlans = false
  if (number >= 5)
    Object.assign(first, {
      rigorLevel: 'standard',
      finalReview: { status: 'pending', findings: [], retryCount: 0 },
    })
  return first
}

async function withState(raw: Raw | string): Promise<{ project: TestProject; text: string }> {
  const project = await createStage([{ name: 'Box' }, { name: 'List' }], {
    'docs/plans/box-plan.md': planText(2),
  })
  const text = typeof raw === 'string' ? raw : `${JSON.stringify(raw, null, 2)}\n`
  await mkdir(project.path(sessionDir), { recursive: true })
  await writeFile(project.path(sessionDir, 'autopilot-state.json'), text)
  return { project, text }
}

const adopt = () => ({ value: 'adopt' })

describe('migration', () => {
  test.each([1, 2, 3, 4])(
    'version %i: shown, backed up before the first write, completed, unknown keys kept',
    async (number) => {
      const { project } = await withState('{}')
      const commit = await project.git('rev-parse', 'HEAD')
      const text = JSON.stringify(version(number, commit))
      await writeFile(project.path(sessionDir, 'autopilot-state.json'), text)
      const played = await play(project, { askFirst: adopt, answers: { 'Q-BASE': 'head' } })
      expect(played.asked[0]?.gate).toBe('Q-ADOPT')
      expect(played.asked[0]?.body.join('\n')).toContain(`Version ${number} becomes 5`)
      expect(await sessionFile(project, `autopilot-state.v${number}.bak.json`)).toBe(text)
      expect(played.gates.includes('Q-BASE')).toBe(number < 3)
      expect(played.state).toMatchObject({
        schemaVersion: 5,
        currentState: 'DONE',
        startingCommit: commit,
        runtimeNotes: ['of another tool'],
        phases: [{ status: 'complete' }, { status: 'complete' }],
        rigorLevel: 'standard',
        reviewPlans: false,
      })
      // Phases that are complete never run again.
      expect(
        played.dispatches.filter(({ kind }) => kind === 'plan').map(({ brief }) => brief.phase.name),
      ).toEqual(['List'])
      if (number >= 3) expect(played.state.decisions[0]).toBe('an old word')
    },
  )

  test('version 5 of another tool is adopted without a backup', async () => {
    const { project } = await withState('{}')
    const raw = version(5, await project.git('rev-parse', 'HEAD'))
    await writeFile(project.path(sessionDir, 'autopilot-state.json'), JSON.stringify(raw))
    const played = await play(project, { askFirst: adopt })
    expect(played.state.currentState).toBe('DONE')
    expect((await readdir(project.path(sessionDir))).filter((name) => /\.v\d\.bak/.test(name))).toEqual([])
  })

  test('PHASE_COMPLETE with its history entry written already gets no second one', async () => {
    const { project } = await withState('{}')
    const entry = {
      phase: 0,
      name: 'Box',
      startedAt: '2030-01-01T00:00:00Z',
      completedAt: '2030-01-01T01:00:00Z',
      tasksCompleted: 2,
      retriesUsed: 0,
      verificationPassed: true,
      reviewFindings: { blocking: 0, warning: 0, note: 0 },
    }
    const raw = {
      ...version(5, await project.git('rev-parse', 'HEAD')),
      currentState: 'PHASE_COMPLETE',
      currentPhase: 0,
      history: [entry],
    }
    await writeFile(project.path(sessionDir, 'autopilot-state.json'), JSON.stringify(raw))
    const played = await play(project, { askFirst: adopt, answers: { 'Q-NEXT': 'stop' } })
    expect(played.state.history).toEqual([entry])
    expect(played.gates).toEqual(['Q-ADOPT', 'Q-NEXT'])
  })

  test('stop at the first look leaves every byte as it is', async () => {
    const { project, text } = await withState(version(2, ''))
    const before = await readdir(project.path(sessionDir))
    const played = await play(project, { askFirst: () => 'quit' })
    expect(played.closed?.exitCode).toBe(3)
    expect(await sessionFile(project, 'autopilot-state.json')).toBe(text)
    expect(
      (await readdir(project.path(sessionDir))).filter(
        (name) => !before.includes(name) && name !== 'journal.jsonl',
      ),
    ).toEqual([])
  })

  test('"COMPLETE" with open phases asks where to go on', async () => {
    const { project } = await withState('{}')
    const raw = { ...version(5, await project.git('rev-parse', 'HEAD')), currentState: 'COMPLETE' }
    await writeFile(project.path(sessionDir, 'autopilot-state.json'), JSON.stringify(raw))
    const played = await play(project, { askFirst: adopt, answers: { 'Q-STATE': 'ASSESS' } })
    expect(played.gates).toEqual(['Q-ADOPT', 'Q-STATE', 'Q-PR'])
    expect(played.state.phases.map(({ status }) => status)).toEqual(['complete', 'complete'])
    expect(played.state.migrationAsks).toBeUndefined()
  })

  test('a newer version is refused and nothing is written', async () => {
    const { project, text } = await withState({ ...version(5, ''), schemaVersion: 6 })
    await expect(play(project, { askFirst: adopt })).rejects.toMatchObject({ code: 'newer-version' })
    expect(await sessionFile(project, 'autopilot-state.json')).toBe(text)
  })

  test('the base of an old session can be entered', async () => {
    const { project } = await withState('{}')
    const base = await project.git('rev-parse', 'HEAD')
    await project.commit('later', { 'later.txt': 'x\n' })
    await writeFile(project.path(sessionDir, 'autopilot-state.json'), JSON.stringify(version(2, '')))
    const played = await play(project, {
      askFirst: adopt,
      answers: {
        'Q-BASE': [
          { value: 'enter', text: 'no-such-thing' },
          { value: 'enter', text: 'HEAD~1' },
        ],
      },
    })
    expect(played.state.startingCommit).toBe(base)
    expect(played.dispatches.some(({ kind }) => kind === 'final-review')).toBe(true)
  })
})

describe('broken and edited files', () => {
  const interrupted = async () => {
    const project = await createStage([{ name: 'Box' }, { name: 'List' }])
    const first = await play(project, { answers: { 'Q-NEXT': 'stop' } })
    return { project, first, state: project.path(sessionDir, 'autopilot-state.json') }
  }

  test('cut in half: mended from what is known, the broken file is kept, and said', async () => {
    const { project, first, state } = await interrupted()
    const text = await sessionFile(project, 'autopilot-state.json')
    await writeFile(state, text.slice(0, text.length / 2))
    const second = await play(project)
    expect(second.state.currentState).toBe('DONE')
    expect(second.state.history[0]).toEqual(first.state.history[0])
    expect((await readdir(project.path(sessionDir))).some((name) => name.includes('corrupt'))).toBe(true)
    expect(second.records.some((record) => record.type === 'recovered')).toBe(true)
  })

  test('file, backup and journal all bad: refused, or archived on that answer', async () => {
    const { project, state } = await interrupted()
    for (const path of [state, `${state}.bak`]) await writeFile(path, '{"half')
    await writeFile(project.path(sessionDir, 'journal.jsonl'), 'nothing here\n')
    const refused = await play(project, { askFirst: () => ({ value: 'stop' }) })
    expect(refused.gates).toEqual(['Q-JOURNAL'])
    expect(refused.closed?.exitCode).toBe(3)
    expect(await sessionFile(project, 'autopilot-state.json')).toBe('{"half')
    const fresh = await play(project, {
      askFirst: () => ({ value: 'archive' }),
      answers: { 'Q-TOUCHED': 'mine' },
    })
    expect(fresh.state.currentState).toBe('DONE')
    const [archived = ''] = await readdir(project.path('.harness/archive/sessions'))
    expect(await project.read(join('.harness/archive/sessions', archived, 'autopilot-state.json'))).toBe(
      '{"half',
    )
  })

  test('edited while closed: shown with its difference; accepted, it counts; restored, it does not', async () => {
    for (const choice of ['accept', 'restore'] as const) {
      const { project, state } = await interrupted()
      const edited = JSON.parse(await sessionFile(project, 'autopilot-state.json'))
      edited.phases[1].name = 'Renamed'
      await writeFile(state, `${JSON.stringify(edited, null, 2)}\n`)
      const played = await play(project, { askFirst: () => ({ value: choice }) })
      expect(played.asked[0]?.gate).toBe('Q-EDITED')
      expect(played.asked[0]?.body.join('\n')).toContain('Renamed')
      expect(played.state.phases[1]?.name).toBe(choice === 'accept' ? 'Renamed' : 'List')
      expect(played.state.currentState).toBe('DONE')
    }
  })

  test('edited while the run is open: asked before the next save, nothing is lost', async () => {
    const project = await createStage([{ name: 'Box' }])
    const path = project.path(sessionDir, 'autopilot-state.json')
    const played = await play(project, {
      acts: {
        review: async () => {
          const edited = JSON.parse(await sessionFile(project, 'autopilot-state.json'))
          await writeFile(path, `${JSON.stringify({ ...edited, runtimeNotes: ['by hand'] }, null, 2)}\n`)
          return { findings: [] }
        },
      },
      answers: { 'Q-EDITED': ['accept', 'restore'] },
    })
    expect(played.gates).toContain('Q-EDITED')
    expect(played.state).toMatchObject({ currentState: 'DONE', runtimeNotes: ['by hand'] })
    expect(played.state.history).toHaveLength(1)
  })
})

describe('resume', () => {
  test('flags are ignored with a notice; the level stays', async () => {
    const project = await createStage([{ name: 'Box' }])
    await play(project, {
      flags: { fast: true },
      acts: { execution: () => crash('stop') },
      answers: { 'Q-AGENT': 'stop' },
    })
    const second = await play(project, {
      flags: { thorough: true },
      answers: { 'Q-AGENT': 'retry', 'Q-VALIDATE': 'skip' },
    })
    expect(second.state.rigorLevel).toBe('fast')
    expect(second.reports.flat()).toContain(
      'Flags are read only when a session begins; this one keeps what it was started with.',
    )
    expect(second.reports.flat()).toContainEqual(
      expect.stringMatching(/^Resuming from state EXECUTE, phase 1: Box\.$/),
    )
  })

  test('drift from the files is told', async () => {
    const project = await createStage([{ name: 'Box' }, { name: 'List' }])
    const first = await play(project, { answers: { 'Q-NEXT': 'stop' } })
    await rm(project.path(first.state.phases[0]?.planPath ?? ''))
    await rm(project.path(sessionDir, 'phase-1-review.json'))
    const second = await play(project)
    const said = second.reports.flat().filter((line) => line.startsWith('Drift:'))
    expect(said).toEqual([
      expect.stringContaining('which is not there'),
      expect.stringContaining('has no review file'),
    ])
  })
})

describe('which session belongs to a spec', () => {
  test('another spec with the same directory is refused, and nothing is written', async () => {
    const project = await createStage([{ name: 'Box' }])
    await play(project)
    const twin = 'changes/seeds/proposal.md'
    await project.write(twin, specText([{ name: 'Other' }]))
    await expect(slugOf(project.dir, twin)).rejects.toMatchObject({ code: 'usage' })
    expect(await slugOf(project.dir, specPath)).toBe('changes--seeds--proposal')
  })

  test('a directory that an agent named is found by its spec', async () => {
    const { project } = await withState(version(5, ''))
    await rename(project.path(sessionDir), project.path('.harness/sessions/changes--seeds'))
    expect(await slugOf(project.dir, specPath)).toBe('changes--seeds')
  })

  test('version 1 kept one file for the project: copied into the session, and left where it is', async () => {
    const project = await createStage([{ name: 'Box' }, { name: 'List' }], {
      'docs/plans/box-plan.md': planText(2),
    })
    const text = JSON.stringify(version(1, ''))
    await project.write('.harness/autopilot-state.json', text)
    expect(await slugOf(project.dir, specPath)).toBe('changes--seeds--proposal')
    expect(await sessionFile(project, 'autopilot-state.json')).toBe(text)
    expect(await project.read('.harness/autopilot-state.json')).toBe(text)
  })
})
