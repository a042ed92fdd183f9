import { expect, test } from 'vitest'
import { executes, fileOf, roadmapOf } from './roles.js'
import { createStage, play } from './stage.js'

// The ignore file of the project: one line of it is the program's, the rest is as any other file.

const slow = { timeout: 240_000 }
const files = { '.planning/ROADMAP.md': roadmapOf(1), '.gitignore': 'node_modules/\n' }
const said = 'chore: keep .autopilot/ out of git'
const subjects = async (project: Awaited<ReturnType<typeof createStage>>) =>
  (await project.git('log', '--format=%s', '--', '.gitignore')).split('\n').slice(0, -1)

test(
  'our line is committed when a run begins, and nothing of the file is left uncommitted',
  slow,
  async () => {
    const project = await createStage(files)
    const played = await play(project)
    expect(played.gates).toEqual([])
    expect(await project.git('show', 'HEAD:.gitignore')).toBe('node_modules/\n.autopilot/')
    expect(await subjects(project)).toEqual([said])
    expect(await project.git('status', '--porcelain', '.gitignore')).toBe('')
    // The commit is of no phase.
    expect(played.state.phases.phase_1?.commit_shas).not.toContain(
      await project.git('log', '--format=%H', `--grep=${said}`),
    )
  },
)

test('a line that an earlier run has left uncommitted is nobody else', slow, async () => {
  const project = await createStage(files)
  await project.write('.gitignore', 'node_modules/\n.autopilot/\n')
  const played = await play(project)
  expect([played.gates, await subjects(project)]).toEqual([[], [said]])
})

test('what the person left uncommitted in it stays so, with the line', slow, async () => {
  const project = await createStage(files)
  await project.write('.gitignore', 'node_modules/\nmine/\n')
  const played = await play(project, { answers: { 'Q-TREE': 'continue' } })
  expect(played.gates).toEqual(['Q-TREE'])
  expect(played.asked[0]?.body.join('\n')).toContain('.gitignore')
  expect(await subjects(project)).toEqual([])
  expect(await project.read('.gitignore')).toBe('node_modules/\nmine/\n.autopilot/\n')
  expect(played.state.phases.phase_1?.status).toBe('completed')
})

test('what an executor writes into it and does not commit is committed with its task', slow, async () => {
  const project = await createStage(files)
  const works = executes((order) => ({ [fileOf(order)]: 'done\n' }))
  await play(project, {
    acts: {
      execution: async (dispatch, stage) => {
        const result = await works(dispatch, stage)
        await stage.write('.gitignore', 'node_modules/\n.autopilot/\ndist/\n')
        return result
      },
    },
  })
  expect(await project.git('show', 'HEAD:.gitignore')).toBe('node_modules/\n.autopilot/\ndist/')
})
