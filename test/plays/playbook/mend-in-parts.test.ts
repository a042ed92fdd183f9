import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { honest, plans, rating, roadmapOf, taskId, verification } from './roles.js'
import { inTheirTree } from './split-roles.js'
import { type Act, type Acts, createStage, type Dispatch, type Order, play } from './stage.js'

// Cycles in which more is to be mended than one piece of work should be: docs/playbook-checks.md, "Split".

const slow = { timeout: 240_000 }
const pieces = [1, 2, 3, 4]
const fileOf = (number: number) => `src/piece-${number}-1.txt`
const parts = ['1a', '1b', '1c', '1d', '1e']
const one = { '.planning/ROADMAP.md': roadmapOf(1) }

/** Scores in the order of the ratings; each criterion with evidence in a file of its own. */
const scored = (...scores: number[]) => {
  const left = [...scores]
  return ({ order }: Dispatch) => {
    const card = rating(order, left.shift() ?? scores.at(-1) ?? 0)
    const rows = card.scorecard.map((row, at) => ({
      ...row,
      evidence: `${fileOf(at + 1)}:1`,
      justification: `piece ${at + 1} is thin`,
    }))
    return { ...card, scorecard: rows }
  }
}

const feedbackOf = (order: Order) =>
  (order.remediationFeedback as { target_file?: string }[] | undefined)?.map((one) => one.target_file)

function mends({ order, cwd }: Dispatch) {
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', cwd, '-c', 'user.name=a', '-c', 'user.email=a@b', ...args], {
      encoding: 'utf8',
    })
  const paths = [...new Set(feedbackOf(order)?.flatMap((path) => path ?? []))]
  // Two commits over the same line, as where something is mended once more.
  for (const text of ['better', 'good'])
    for (const path of paths) {
      writeFileSync(join(cwd, path), `${text}\n`)
      git('add', path)
      git('commit', '-q', '-m', `${String(order.commitSubject)}${text}`)
    }
  return {
    tasks_completed: '1/1',
    tasks_failed: '0/1',
    commit_shas: [git('rev-parse', 'HEAD').trim()],
    evidence: [{ task_id: '', criteria_met: paths.map((path) => `${path}:1`), commands_run: [] }],
    deviations: [],
    confidence: 9,
  }
}

const usual = inTheirTree()
const acts = (rated: Act, executes = mends): Acts => ({
  ...usual,
  plan: plans((order) =>
    pieces.map((number) => ({
      id: taskId(order, number),
      files: fileOf(number),
      criterion: `cat ${fileOf(number)} && node -e 0`,
    })),
  ),
  execution: (dispatch, project) =>
    dispatch.order.remediationCycle === undefined ? usual.execution?.(dispatch, project) : executes(dispatch),
  verification: ({ order }) => {
    const said = verification(order)
    const rows = said.criteria_results.map((row, at) => ({ ...row, evidence: `${fileOf(at + 1)}:1` }))
    return { ...said, criteria_results: rows }
  },
  rating: rated,
})

const partsOf = ({ dispatches }: { dispatches: Dispatch[] }) =>
  dispatches.filter(({ order }) => order.remediationCycle !== undefined)

test(
  'more than three deficiencies in four files are mended in parts, then looked at as a whole',
  slow,
  async () => {
    const project = await createStage(one)
    const played = await play(project, { acts: acts(scored(8.4, 9.6)) })
    expect(played.gates).toEqual([])
    const mending = partsOf(played)
    // What the judge has said names no file, and stands alone.
    expect(mending.map(({ order }) => `${feedbackOf(order)}`).sort()).toEqual(['', ...pieces.map(fileOf)])
    expect(new Set(mending.map(({ cwd }) => cwd)).size).toBe(5)
    expect(mending.map(({ order }) => (order.task as { id: string }).id).sort()).toEqual(
      parts.map((part) => `R1-${part}`),
    )
    const after = played.order.slice(played.order.lastIndexOf('1 execution') + 1)
    expect(after.filter((step) => /verification|judge|rating/.test(step) && !/mini/.test(step))).toEqual([
      '1 verification',
      '1 judgement',
      '1 judgement-divergence',
      '1 rating',
    ])
    for (const at of pieces) expect(await project.read(fileOf(at))).toBe('good\n')
    expect(played.state.phases.phase_1).toMatchObject({
      status: 'completed',
      alignment_score: 9.6,
      split: true,
      sub_phases: parts.map((id) => ({ sub_phase_id: id, status: 'completed' })),
      remediation_cycles: 1,
    })
    expect((await project.git('worktree', 'list')).split('\n')).toHaveLength(1)
    expect(await project.git('tag')).toBe('')
    expect(await project.read('.planning/phases/01-part-1/split-1c/EXECUTION-LOG.md')).toContain('R1-1c')
    expect(played.notes.join('\n')).toContain('5 deficiencies in 4 files, more than 3 in 4 or more')
  },
)

test('a cycle in parts that made it worse is taken back, merges and all', slow, async () => {
  const project = await createStage(one)
  const played = await play(project, { acts: acts(scored(8.4, 7.2, 8.4)) })
  expect(played.gates).toEqual([])
  expect(played.state.phases.phase_1).toMatchObject({ alignment_score: 8.4, force_incomplete: true })
  const commits = (await project.git('log', '--first-parent', '--reverse', '--format=%h %s')).split('\n')
  const at = commits.findIndex((line) => line.endsWith('rollback: revert to phase 1 checkpoint'))
  expect(commits.slice(0, at).filter((line) => line.includes('merge: part'))).toHaveLength(4)
  const [back = ''] = commits[at]?.split(' ') ?? []
  for (const number of pieces)
    expect(await project.git('show', `${back}:${fileOf(number)}`)).toBe(`01-0${number}`)
  // The second cycle takes names that no part of the phase has had.
  const ids = played.state.phases.phase_1?.sub_phases.map(({ sub_phase_id: id }) => id)
  expect(ids).toEqual([...parts, '1f', '1g', '1h', '1i', '1j'])
})

test('stopped between its parts and between its merges, a cycle goes on where it was', slow, async () => {
  const project = await createStage(one)
  const executed: string[] = []
  const roles = acts(scored(8.4), (dispatch) => {
    executed.push((dispatch.order.task as { id: string }).id)
    return mends(dispatch)
  })
  const last = acts(scored(9.6)).rating as Act
  const rated: Acts = {
    ...roles,
    rating: (dispatch, stage) => (executed.length > 0 ? last : roles.rating)?.(dispatch, stage),
  }
  const stops = ['R1-1b-ended', 'part-1b-merged-in-1']
  for (const key of stops) {
    const played = await play(project, {
      acts: rated,
      stopWhen: (record) => JSON.stringify(record).includes(key),
    })
    expect(played.stopped, key).toBe(true)
  }
  const played = await play(project, { acts: rated })
  expect(played.gates).toEqual([])
  expect(played.state.phases.phase_1).toMatchObject({ status: 'completed', alignment_score: 9.6 })
  expect(played.state.phases.phase_1?.sub_phases.map(({ status }) => status)).toEqual(
    parts.map(() => 'completed'),
  )
  const subjects = (await project.git('log', '--merges', '--format=%s')).split('\n')
  expect(subjects.sort()).toEqual(parts.slice(1).map((id) => `merge: part ${id} of phase 1`))
  // A part that had ended is not mended again.
  expect(executed.filter((id) => id === 'R1-1b')).toHaveLength(1)
  for (const at of pieces) expect(await project.read(fileOf(at))).toBe('good\n')
})

test('a part whose work does not hold is left out, and the phase is looked at without it', slow, async () => {
  const project = await createStage(one)
  const played = await play(project, {
    acts: {
      ...acts(scored(8.4, 9.2)),
      'mini-verification': (dispatch) => {
        const told = honest['mini-verification']?.(dispatch, project) as { task_id: string }
        return told.task_id === 'R1-1b' ? { ...told, pass: false, concerns: ['It is not mended.'] } : told
      },
      debug: () => ({
        fixed: false,
        changes: [],
        commits: [],
        remaining_issues: ['no'],
        failure_categories: [],
      }),
    },
  })
  const phase = played.state.phases.phase_1
  expect(phase).toMatchObject({ status: 'completed', alignment_score: 9.2 })
  expect(phase?.sub_phases.map(({ status }) => status === 'failed')).toEqual([
    false,
    true,
    false,
    false,
    false,
  ])
  const left = partsOf(played).find(({ order }) => (order.task as { id: string }).id === 'R1-1b')
  const [path = ''] = (left && feedbackOf(left.order)) ?? []
  const texts = await Promise.all(pieces.map((at) => project.read(fileOf(at))))
  expect(texts).toEqual(pieces.map((at) => (fileOf(at) === path ? `01-0${at}\n` : 'good\n')))
})
