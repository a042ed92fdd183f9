import { execFileSync } from 'node:child_process'
import { chmodSync, rmSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { Question } from '../../../source/view/question.js'
import type { TestProject } from '../../support/project.js'
import { type Act, type Answers, createStage, type Played, planText, play } from './stage.js'

// What a person does to the repository between an agent's end and a commit of ours: shown and asked before it (docs/harness.md,
// "Commits").

const planning: Act = async ({ brief }, project) => {
  await project.write(brief.planPath, planText(2, { checkpoints: 1 }))
  return { planPath: brief.planPath, concerns: [] }
}

/** The executor leaves work uncommitted at the checkpoint of its first task. */
const executing: Act = async ({ brief, nth }, project) => {
  if (nth === 1) {
    await project.write('src/box.txt', 'box\n')
    await project.write('src/lid.txt', 'lid\n')
    return {
      status: 'checkpoint',
      completed: ['1'],
      checkpoint: { type: 'human-verify', task: 'Task 1', prompt: 'Does it close?' },
    }
  }
  return { status: 'complete', completed: (brief.tasks ?? []).map(({ id }) => id) }
}

/** Runs the phase; `meanwhile` is what the person does while the checkpoint is open. */
async function meanwhile(
  act: (project: TestProject, git: (...args: string[]) => string) => void,
  answers: Answers,
) {
  const project = await createStage([{ name: 'Box' }])
  const git = (...args: string[]) => execFileSync('git', args, { cwd: project.dir, encoding: 'utf8' }).trim()
  const played = await play(project, {
    acts: { plan: planning, execution: executing },
    answers: {
      'human-verify': (_question: Question) => {
        act(project, git)
        return 'confirm'
      },
      'Q-UNPROVEN': 'accept',
      ...answers,
    },
  })
  return { project, played, git }
}

test('what a commit leaves out, and what a hook puts into it, is noted', async () => {
  const project = await createStage([{ name: 'Box' }])
  execFileSync('git', ['config', 'core.hooksPath', 'hooks'], { cwd: project.dir })
  await project.write('hooks/pre-commit', '#!/bin/sh\ngit add -f stamp.txt\n')
  chmodSync(project.path('hooks/pre-commit'), 0o755)
  await project.write('.gitignore', 'stamp.txt\n')
  await project.write('stamp.txt', 'now\n')
  execFileSync('git', ['add', '.gitignore'], { cwd: project.dir })
  execFileSync('git', ['commit', '-q', '--no-verify', '-m', 'ignore'], { cwd: project.dir })
  const played = await play(project, {
    acts: {
      plan: planning,
      execution: async (call, at) => {
        if (call.nth === 1) await at.write('src/large.bin', 'x'.repeat(5 * 1024 * 1024 + 1))
        return await executing(call, at)
      },
    },
    answers: { 'human-verify': 'confirm', 'Q-UNPROVEN': 'accept' },
  })
  expect(played.notes).toContain(
    'Not committed: src/large.bin (larger than 5 MB). Put into the commit by a hook: stamp.txt',
  )
})

const moved = ({ asked }: Played) => asked.filter(({ gate }) => gate === 'Q-MOVED')
const checkpoints = (git: (...args: string[]) => string) =>
  git('log', '--all', '--format=%s', '--grep=Checkpoint 1')

describe('before a commit of ours', () => {
  test('nothing is asked where nothing was done', async () => {
    const { played, git } = await meanwhile(() => undefined, {})
    expect(moved(played)).toEqual([])
    expect(checkpoints(git)).toContain('[autopilot] Checkpoint 1')
  })

  test('a commit of the person is shown; "commit here" goes on top of it', async () => {
    const { played, git } = await meanwhile(
      (project, run) => {
        writeFileSync(project.path('own.txt'), 'mine\n')
        run('add', 'own.txt')
        run('commit', '-q', '-m', 'of the person')
      },
      { 'Q-MOVED': 'go' },
    )
    expect(moved(played)[0]?.body.join('\n')).toMatch(/Committed since:\n {2}\w{7} of the person/)
    expect(git('log', '--format=%s', '-2', git('log', '--format=%H', '-1', '--grep=Checkpoint 1'))).toMatch(
      /Checkpoint 1.*\nof the person/,
    )
  })

  test('a switch of the branch is shown; "leave uncommitted" makes none', async () => {
    const { played, git } = await meanwhile((_project, run) => void run('switch', '-q', '-c', 'aside'), {
      'Q-MOVED': 'leave',
    })
    expect(moved(played)[0]?.body[0]).toMatch(/^Branch: it was \w+, now it is aside\.$/)
    expect(checkpoints(git)).toBe('')
    expect(git('status', '--porcelain')).toContain('src/')
  })

  test('an amend is shown with what is no longer in the history', async () => {
    const { played } = await meanwhile(
      (_project, run) => void run('commit', '-q', '--amend', '-m', 'other words'),
      {
        'Q-MOVED': 'go',
      },
    )
    expect(moved(played)[0]?.body.join('\n')).toMatch(
      /Committed since:\n.*other words\nNo longer in the history:\n/,
    )
    // Another agent could do nothing about it.
    const unproven = played.asked.find(({ gate }) => gate === 'Q-UNPROVEN')
    expect(unproven?.body.join('\n')).toContain('is no longer in the history of HEAD')
    expect(unproven?.options.filter(({ recommended }) => recommended)).toEqual([])
  })

  test('a reset with clean is shown, though HEAD is the same', async () => {
    const { played } = await meanwhile(
      (project) => {
        rmSync(project.path('src'), { recursive: true })
      },
      { 'Q-MOVED': 'go' },
    )
    expect(moved(played)[0]?.body).toEqual([
      'Changes that are no longer there:',
      '  src/box.txt',
      '  src/lid.txt',
    ])
    // "The changes stay" would be untrue here.
    const leave = moved(played)[0]?.options.find(({ value }) => value === 'leave')
    expect(leave?.consequence).toBe('go on; the work tree stays as it is now')
  })

  test('what the person staged meanwhile is asked about, and stays staged when it is left out', async () => {
    const { played, git } = await meanwhile((_project, run) => void run('add', 'src/lid.txt'), {
      'Q-DIRTY': 'leave',
    })
    const question = played.asked.find(({ gate }) => gate === 'Q-DIRTY')
    expect(question?.body).toContain('src/lid.txt')
    expect(question?.body).not.toContain('src/box.txt')
    const commit = git('log', '--format=%H', '-1', '--grep=Checkpoint 1')
    const committed = git('show', '--name-only', '--format=', commit).split('\n')
    expect(committed).toContain('src/box.txt')
    expect(committed).not.toContain('src/lid.txt')
    expect(git('diff', '--cached', '--name-only')).toBe('src/lid.txt')
  })
})
