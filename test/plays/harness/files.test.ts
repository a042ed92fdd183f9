import { execFileSync } from 'node:child_process'
import { rm, symlink, truncate, writeFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import type { Question } from '../../../source/view/question.js'
import type { TestProject } from '../../support/project.js'
import { createStage, play, sessionDir } from './stage.js'

// Something else lies where a record of an agent is looked for: asked about with its path, and nothing waits for it.

const inThePlaces: readonly (readonly [string, (path: string) => unknown])[] = [
  ['a pipe', (path) => execFileSync('mkfifo', [path])],
  ['a device', (path) => symlink('/dev/zero', path)],
  ['a link out of the project', (path) => symlink('/etc/hostname', path)],
  [
    'a file of 3 GB',
    async (path) => {
      await writeFile(path, '')
      await truncate(path, 3 * 1024 ** 3)
    },
  ],
]

async function replaced(project: TestProject, name: string, put: (path: string) => unknown): Promise<void> {
  const path = project.path(sessionDir, name)
  await rm(path, { force: true })
  await put(path)
}

const textOf = (question: Question | undefined) => [question?.title, ...(question?.body ?? [])].join('\n')

const complete = { status: 'complete', completed: ['1', '2'] }

test.each(inThePlaces)(
  '%s in place of state.json: asked with its path; once it is gone, the run goes on',
  async (_name, put) => {
    const project = await createStage([{ name: 'Box' }])
    let answered = 0
    const played = await play(project, {
      acts: {
        execution: async () => {
          await replaced(project, 'state.json', put)
          return complete
        },
      },
      answers: {
        'Q-TOUCHED': 'mine',
        'Q-FILE': () => {
          answered += 1
          execFileSync('rm', ['-f', project.path(sessionDir, 'state.json')])
          return 'again'
        },
      },
    })
    expect(answered).toBe(1)
    expect(textOf(played.asked.find(({ gate }) => gate === 'Q-FILE'))).toContain(
      project.path(sessionDir, 'state.json'),
    )
    expect(played.dispatches.filter(({ kind }) => kind === 'execution')).toHaveLength(1)
    expect(played.state.currentState).toBe('DONE')
  },
)

test.each(inThePlaces)(
  '%s in place of handoff.json: no record of anybody, asked with its path',
  async (_name, put) => {
    const project = await createStage([{ name: 'Box' }])
    const played = await play(project, {
      acts: {
        execution: async () => {
          await replaced(project, 'handoff.json', put)
          return complete
        },
      },
      answers: { 'Q-TOUCHED': 'mine', 'Q-AGENT': 'stop' },
    })
    expect(played.gates.at(-1)).toBe('Q-AGENT')
    expect(textOf(played.asked.at(-1))).toContain(project.path(sessionDir, 'handoff.json'))
  },
)

test('a pipe in place of the plan that is executed: asked with its path; once it is gone, the approved text goes on', async () => {
  const project = await createStage([{ name: 'Box' }])
  const played = await play(project, {
    acts: {
      execution: async ({ brief }) => {
        const path = project.path(brief.planPath)
        await rm(path)
        execFileSync('mkfifo', [path])
        return complete
      },
    },
    answers: {
      'Q-TOUCHED': 'mine',
      'Q-FILE': (question) => {
        const path = /(\S+plan\.md) cannot be read/.exec(question.body.join('\n'))?.[1] ?? ''
        execFileSync('rm', [path])
        return 'again'
      },
    },
  })
  expect(played.gates).toContain('Q-FILE')
  expect(played.state.currentState).toBe('DONE')
  expect(played.state.history).toMatchObject([{ tasksCompleted: 2 }])
})

test('a plan that is a pipe is none: the planner is asked about', async () => {
  const project = await createStage([{ name: 'Box' }])
  const played = await play(project, {
    acts: {
      plan: async ({ brief }) => {
        await project.write('docs/plans/.keep', '')
        execFileSync('mkfifo', [project.path(brief.planPath)])
        return { planPath: brief.planPath, concerns: [] }
      },
    },
    answers: { 'Q-TOUCHED': 'mine', 'Q-AGENT': 'stop' },
  })
  expect(played.gates.at(-1)).toBe('Q-AGENT')
})
