import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { TestProject } from '../../support/project.js'
import { roadmapOf } from './roles.js'
import { inTheirTree } from './split-roles.js'
import { createStage, play } from './stage.js'

const names = ['1a', '1b']

test('a phase that is too much is done in parts, each in a work tree, merged in order', async () => {
  const project = await createStage({ '.planning/ROADMAP.md': roadmapOf(1) })
  const played = await play(project, { acts: inTheirTree() })
  const phase = played.state.phases.phase_1
  expect(played.gates).toEqual([])
  expect(phase).toMatchObject({ status: 'completed', alignment_score: 9.4, split: true })
  expect(phase?.sub_phases).toEqual(
    names.map((id) => ({ sub_phase_id: id, status: 'completed', alignment_score: 9.4 })),
  )
  for (const at of [1, 2]) expect(await project.read(`src/piece-${at}-6.txt`)).toBe(`01-0${at}\n`)
  const merges = (await project.git('log', '--merges', '--reverse', '--format=%s')).split('\n')
  expect(merges).toEqual(names.map((id) => `merge: part ${id} of phase 1`))
  expect((await project.git('worktree', 'list')).split('\n')).toHaveLength(1)
  expect(await project.read('.planning/phases/01-part-1/split-1a/SCORECARD.md')).toContain('9.4/10')
  expect(played.events).toEqual(expect.arrayContaining(['split_started', 'split_completed']))
  const titles = played.records.flatMap((record) => (record.type === 'dispatched' ? [record.title] : []))
  expect(titles.filter((title) => / part /.test(title)).sort()).toEqual(
    ['Judge', 'Judge', 'Rate', 'Verify']
      .flatMap((verb, at) => names.map((id) => `${verb} part ${id}: ${at === 1 ? 'divergence' : 'Part 1'}`))
      .sort(),
  )
  expect(new Set(titles).size).toBe(titles.length)
  for (const id of names) expect(played.notes).toContain(`[Phase ${id}] Step: VERIFY (7/9)`)
  const cwds = played.dispatches.filter(({ order }) => order.expects === 'execution').map(({ cwd }) => cwd)
  expect(new Set(cwds).size).toBe(2)
})

/** Lets nobody go on before so many have come. */
function barrier(count: number): () => Promise<void> {
  let come = 0
  let open = () => {}
  const all = new Promise<void>((resolve) => {
    open = resolve
  })
  return () => {
    come += 1
    if (come === count) open()
    return all
  }
}

test('parts that are at work at once have their own tasks in the list, each told to be at its own', async () => {
  const project = await createStage({ '.planning/ROADMAP.md': roadmapOf(1) })
  const acts = inTheirTree()
  const together = barrier(2)
  const played = await play(project, {
    acts: {
      ...acts,
      execution: async (dispatch, stage) => {
        await together()
        return acts.execution?.(dispatch, stage)
      },
    },
  })
  const shown = played.tasks.map((list) =>
    list.map(({ id, status, facts }) => `${facts[0]?.text} ${id} ${status}`),
  )
  expect(shown).toContainEqual(['1a 01-01 in_progress', '1b 01-02 in_progress'])
  expect(shown.at(-1)).toEqual(['1a 01-01 complete', '1b 01-02 complete'])
})

/** Branches of part 1b that an executor sees, beside the kept commits that the project has in the end. */
async function withBranches(prepare: (project: TestProject) => Promise<unknown>) {
  const project = await createStage({ '.planning/ROADMAP.md': roadmapOf(1) })
  await prepare(project)
  const branches = new Set<string>()
  const acts = inTheirTree()
  const played = await play(project, {
    acts: {
      ...acts,
      execution: async (dispatch, stage) => {
        const output = await stage.git('for-each-ref', '--format=%(refname:lstrip=2)', 'refs/heads')
        for (const name of output.split('\n')) if (name.includes('autopilot')) branches.add(name)
        return acts.execution?.(dispatch, stage)
      },
    },
  })
  expect(played.gates).toEqual([])
  expect(played.state.phases.phase_1?.status).toBe('completed')
  const told = played.notes.filter((text) => text.includes('The branch '))
  return { project, played, branches: [...branches].sort(), told }
}

async function foreignBranch(project: TestProject, name: string) {
  await project.git('checkout', '-q', '-b', name)
  await project.commit('of somebody else', { 'src/old.txt': 'old\n' })
  await project.git('checkout', '-q', '-')
}

test('a branch of a part whose work tree is gone makes way before any part begins, its commits kept', async () => {
  let tip = ''
  const { project, played, branches, told } = await withBranches(async (stage) => {
    const tree = '.autopilot/worktrees/1b'
    await stage.git('worktree', 'add', '-q', '-b', 'autopilot/1b', tree, 'HEAD')
    await stage.write(`${tree}/src/old.txt`, 'old\n')
    await stage.git('-C', tree, 'add', '-A')
    await stage.git('-C', tree, 'commit', '-q', '-m', 'of the run before')
    tip = await stage.git('rev-parse', 'autopilot/1b')
    await rm(stage.path(tree), { recursive: true })
  })
  expect(branches).toEqual(['autopilot/1a', 'autopilot/1b'])
  const kept = `refs/autopilot/kept/autopilot/1b/${tip.slice(0, 12)}`
  expect(told).toEqual([expect.stringContaining(kept)])
  expect(await project.git('show', `${kept}:src/old.txt`)).toBe('old')
  const at = played.records.findIndex((record) => 'text' in record && String(record.text).includes(kept))
  const opened = played.records.findIndex(
    (record) => 'key' in record && String(record.key).endsWith('part-1a-open'),
  )
  expect(at).toBeGreaterThan(0)
  expect(at).toBeLessThan(opened)
})

test('a branch of that name with commits of somebody else stays as it is, and the part takes the next name', async () => {
  const { project, branches, told } = await withBranches((stage) => foreignBranch(stage, 'autopilot/1b'))
  expect(branches).toEqual(['autopilot/1a', 'autopilot/1b', 'autopilot/1b-2'])
  expect(await project.git('show', 'autopilot/1b:src/old.txt')).toBe('old')
  expect(told).toEqual([
    expect.stringContaining(
      'autopilot/1b stays as it is, since this part did not make it; part 1b is on autopilot/1b-2',
    ),
  ])
})

test('a branch of that name that is checked out elsewhere stays so, changes and all', async () => {
  const elsewhere = await mkdtemp(join(tmpdir(), 'elsewhere-'))
  try {
    const { project, branches, told } = await withBranches(async (stage) => {
      await stage.git('worktree', 'add', '-q', '-b', 'autopilot/1b', join(elsewhere, 'tree'), 'HEAD')
      await writeFile(join(elsewhere, 'tree/mine.txt'), 'mine\n')
    })
    expect(branches).toEqual(['autopilot/1a', 'autopilot/1b', 'autopilot/1b-2'])
    expect(told.join(' ')).toContain('since it is checked out in')
    const status = await project.git('-C', join(elsewhere, 'tree'), 'status', '--porcelain', '--branch')
    expect(status.split('\n')).toEqual(['## autopilot/1b', '?? mine.txt'])
  } finally {
    await rm(elsewhere, { recursive: true })
  }
})

test('the project itself may be on a branch of that name, and may have a branch called autopilot', async () => {
  const here = await withBranches((stage) => stage.git('checkout', '-q', '-b', 'autopilot/1a'))
  expect(here.branches).toEqual(['autopilot/1a', 'autopilot/1a-2', 'autopilot/1b'])
  expect(await here.project.git('branch', '--show-current')).toBe('autopilot/1a')
  const flat = await withBranches((stage) => foreignBranch(stage, 'autopilot'))
  expect(flat.branches).toEqual(['autopilot', 'autopilot-part/1a', 'autopilot-part/1b'])
  expect(await flat.project.git('show', 'autopilot:src/old.txt')).toBe('old')
})

test('a work tree at the place of a part that somebody has moved: its branch, and commits of no branch, stay', async () => {
  for (const detached of [false, true]) {
    const project = await createStage({ '.planning/ROADMAP.md': roadmapOf(1) })
    const tree = '.autopilot/worktrees/1a'
    await project.git('worktree', 'add', '-q', '-b', 'autopilot/1a', tree, 'HEAD')
    await project.git('-C', tree, 'checkout', '-q', ...(detached ? ['--detach'] : ['-b', 'mine']))
    await project.write(`${tree}/src/mine.txt`, 'mine\n')
    await project.git('-C', tree, 'add', '-A')
    await project.git('-C', tree, 'commit', '-q', '-m', 'of somebody else')
    const tip = await project.git('-C', tree, 'rev-parse', 'HEAD')
    const played = await play(project, { acts: inTheirTree(), answers: { 'Q-LEFTOVER': 'remove' } })
    expect(played.asked[0]?.options.map(({ label }) => label)).toEqual(['remove', 'stop'])
    expect(played.state.phases.phase_1?.status).toBe('completed')
    const refs = await project.git('for-each-ref', '--format=%(refname) %(objectname)')
    expect(refs).toContain(
      detached ? `refs/autopilot/kept/1a/${tip.slice(0, 12)} ${tip}` : `refs/heads/mine ${tip}`,
    )
  }
})

test('a part that conflicts is asked about; dropped, the phase is not completed and nothing of it is left behind', async () => {
  const project = await createStage({ '.planning/ROADMAP.md': roadmapOf(1) })
  const played = await play(project, {
    acts: inTheirTree('src/shared.txt'),
    answers: { 'Q-MERGE': ['resolved', 'drop'] },
  })
  const [first, second, ...more] = played.asked.filter(({ gate }) => gate === 'Q-MERGE')
  expect(more).toEqual([])
  expect(first?.body).toContain('src/shared.txt')
  expect(first?.body).toContain('autopilot/1b is checked out in .autopilot/worktrees/1b.')
  // Git's advice is for a merge that stands half done.
  expect(first?.body.join('\n')).not.toContain('fix conflicts and then commit')
  // Nothing was done between the two, and the second one does not look as if the key had not counted.
  expect(second?.body).toEqual([
    'It was tried 2 times and still cannot be merged.',
    '',
    ...(first?.body ?? []),
  ])
  const phase = played.state.phases.phase_1
  expect(phase).toMatchObject({ status: 'failed', split: true })
  expect(phase?.sub_phases.map(({ status }) => status)).toEqual(['completed', 'failed'])
  expect((await project.git('worktree', 'list')).split('\n')).toHaveLength(1)
  const kept = await project.git('for-each-ref', '--format=%(refname)', 'refs/autopilot/kept')
  expect(kept.split('\n')).toHaveLength(2)
})

test.each([
  ['remove', ['take up', 'remove', 'stop'], {}],
  ['take', ['take up', 'remove', 'stop'], { left: 'in the old tree\n' }],
])('a work tree that a killed run has left: %s', async (answer, options, found) => {
  const config = JSON.stringify({ verification_min_seconds: 0, commit_docs: false })
  const project = await createStage({
    '.planning/ROADMAP.md': roadmapOf(1),
    '.planning/config.json': config,
  })
  const tree = '.autopilot/worktrees/1a'
  await project.git('worktree', 'add', '-q', '-b', 'autopilot/1a', tree, 'HEAD')
  await project.write(`${tree}/left.txt`, 'in the old tree\n')
  const seen: Record<string, string> = {}
  const acts = inTheirTree()
  const played = await play(project, {
    answers: { 'Q-LEFTOVER': answer },
    acts: {
      ...acts,
      execution: (dispatch, stage) => {
        const path = join(dispatch.cwd, 'left.txt')
        if (existsSync(path)) seen.left = readFileSync(path, 'utf8')
        return acts.execution?.(dispatch, stage)
      },
    },
  })
  const [asked] = played.asked
  expect(asked?.gate).toBe('Q-LEFTOVER')
  expect(asked?.options.map(({ label }) => label)).toEqual(options)
  expect(asked?.body).toContain('It holds changes that no commit has.')
  expect(seen).toEqual(found)
  expect(played.state.phases.phase_1).toMatchObject({ status: 'completed', split: true })
  if (answer === 'remove') {
    const ref = await project.git('for-each-ref', '--format=%(refname)', 'refs/autopilot/aside')
    expect(await project.git('show', `${ref}:left.txt`)).toBe('in the old tree')
  }
})

test('a work tree that lacks what the project has by now cannot be taken up', async () => {
  const project = await createStage({ '.planning/ROADMAP.md': roadmapOf(1) })
  await project.git('worktree', 'add', '-q', '-b', 'autopilot/1a', '.autopilot/worktrees/1a', 'HEAD')
  const played = await play(project, { acts: inTheirTree(), answers: { 'Q-LEFTOVER': 'remove' } })
  expect(played.asked[0]?.options.map(({ label }) => label)).toEqual(['remove', 'stop'])
  expect(played.state.phases.phase_1?.status).toBe('completed')
})
