import { readdir, rm } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { commitWork, executes, fileOf, planText, roadmapOf } from './roles.js'
import { type Act, createStage, play } from './stage.js'

// What a run finds that is not its own: changes of a person, of an interrupted task, directories, files of other tools.

const one = { '.planning/ROADMAP.md': roadmapOf(1) }
const slow = { timeout: 240_000 }
const says = (sha: string) => ({
  tasks_completed: '1/1',
  tasks_failed: '0/1',
  commit_shas: [sha],
  evidence: [],
  deviations: [],
})

test('changes that are put aside make way, and are given back at the end', slow, async () => {
  const project = await createStage({ ...one, 'mine.txt': 'first\n', 'gone.txt': 'there\n' })
  await project.write('mine.txt', 'changed by me\n')
  await project.write('new.txt', 'new of me\n')
  await project.git('rm', '-q', '--cached', 'gone.txt')
  await rm(project.path('gone.txt'))
  const during: string[] = []
  const played = await play(project, {
    answers: { 'Q-TREE': 'aside' },
    acts: {
      research: async ({ order }, stage) => {
        during.push(await stage.read('mine.txt'), await stage.git('status', '--porcelain', '*.txt'))
        await stage.write(String(order.researchPath), '# Research\n\nOne file is enough.\n')
        return { key_findings: ['x'], recommended_approach: 'x', risks: [], open_questions: [] }
      },
    },
  })
  expect(played.gates).toEqual(['Q-TREE'])
  expect(during).toEqual(['first\n', ''])
  expect(await project.read('mine.txt')).toBe('changed by me\n')
  expect(await project.read('new.txt')).toBe('new of me\n')
  await expect(project.read('gone.txt')).rejects.toThrow('ENOENT')
  expect(played.notes.some((line) => line.startsWith('Given back: '))).toBe(true)
})

test(
  'what the run has changed meanwhile is not written over: the ref keeps it, and it is told',
  slow,
  async () => {
    const project = await createStage(one)
    await project.write('readme.md', 'changed by me\n')
    const played = await play(project, {
      answers: { 'Q-TREE': 'aside' },
      acts: { execution: executes((order) => ({ [fileOf(order)]: 'done\n', 'readme.md': 'by the run\n' })) },
    })
    const told = played.notes.find((line) => line.startsWith('Not given back'))
    const ref = /refs\/autopilot\/aside\/\S+\/1/.exec(told ?? '')?.[0]
    expect(await project.git('show', `${ref}:readme.md`)).toBe('changed by me')
    expect(await project.read('readme.md')).toBe('by the run\n')
  },
)

/** An executor whose program dies after it has written a file, and that does its work the second time. */
const interrupted: (seen: string[]) => Act = (seen) => async (dispatch, project) => {
  const { order } = dispatch
  seen.push(await project.read('half.txt').catch(() => 'nothing'))
  if (seen.length === 1) {
    await project.write('half.txt', 'half\n')
    dispatch.stop()
    return { failed: 'crash' }
  }
  return says(await commitWork(project, order, { [fileOf(order)]: 'done\n' }))
}

test.each([
  ['keep', 'half\n', 'half\n'],
  ['aside', 'nothing', undefined],
] as const)('an interrupted task has left changes: %s', slow, async (answer, found, committed) => {
  const project = await createStage(one)
  const seen: string[] = []
  const acts = { execution: interrupted(seen) }
  const first = await play(project, { acts })
  expect(first.stopped).toBe(true)
  const second = await play(project, { acts, answers: { 'Q-LEFTOVER': answer } })
  expect(second.gates).toEqual(['Q-LEFTOVER'])
  expect(second.asked[0]?.body).toContain('half.txt')
  expect(seen).toEqual(['nothing', found])
  expect(second.state._meta.status).toBe('completed')
  const content = await project.git('show', 'HEAD:half.txt').catch(() => undefined)
  expect(content === undefined ? undefined : `${content}\n`).toBe(committed)
  if (answer === 'aside') {
    const refs = (await project.git('for-each-ref', '--format=%(refname)', 'refs/autopilot/aside')).split(
      '\n',
    )
    expect(await project.git('show', `${refs[0]}:half.txt`)).toBe('half')
  }
})

test('two directories fit a phase, none has a plan: a person says which, and it stays', slow, async () => {
  const dirs = ['.planning/phases/01-old', '.planning/phases/1-new']
  const project = await createStage({
    ...one,
    [`${dirs[0]}/CONTEXT.md`]: 'old\n',
    [`${dirs[1]}/CONTEXT.md`]: 'new\n',
  })
  const played = await play(project, { answers: { 'Q-DIRECTORY': dirs[1] ?? '' } })
  expect(played.gates).toEqual(['Q-DIRECTORY'])
  expect(new Set(played.dispatches.slice(0, -2).map(({ order }) => order.phaseDir))).toEqual(
    new Set([dirs[1]]),
  )
  expect(played.state.phases.phase_1).toMatchObject({ status: 'completed', directory: dirs[1] })
})

test('two directories fit, and one has a plan: that one, unasked', slow, async () => {
  const order = { phase: { id: '1', name: 'Part 1', number: 1, total: 1 } } as never
  const project = await createStage({
    ...one,
    '.planning/phases/01-old/CONTEXT.md': 'old\n',
    '.planning/phases/1-new/PLAN.md': planText(order, [{ id: '01-01' }]),
  })
  const played = await play(project)
  expect(played.gates).toEqual([])
  expect(played.dispatches[0]?.order.phaseDir).toBe('.planning/phases/1-new')
})

const foreign = '{"tool": "another", "phases": []}\n'

test('state.json of another tool: renamed, with every byte, and a run begins', slow, async () => {
  const project = await createStage(one)
  await project.write('.autopilot/state.json', foreign)
  const played = await play(project, { askFirst: () => ({ value: 'rename' }) })
  expect(played.gates).toEqual(['Q-STATE'])
  expect(played.asked[0]?.options.map(({ label }) => label)).toEqual(['rename', 'stop'])
  const names = await readdir(project.path('.autopilot'))
  const kept = names.find((name) => name.startsWith('state.json.foreign-'))
  expect(await project.read(`.autopilot/${kept}`)).toBe(foreign)
  expect(played.state._meta.status).toBe('completed')
})

test('state.json of another tool: stopped, and nothing is touched', slow, async () => {
  const project = await createStage(one)
  await project.write('.autopilot/state.json', foreign)
  const played = await play(project, { askFirst: () => ({ value: 'stop' }) })
  expect(played.closed?.exitCode).toBe(3)
  expect(await readdir(project.path('.autopilot'))).toEqual(['state.json'])
  expect(await project.read('.autopilot/state.json')).toBe(foreign)
})
