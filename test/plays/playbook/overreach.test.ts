import { readFile, rm } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import type { TestProject } from '../../support/project.js'
import {
  commitWork,
  divergence,
  executes,
  fileOf,
  honest,
  plans,
  planText,
  rating,
  roadmapOf,
  taskId,
  verification,
} from './roles.js'
import {
  type Act,
  type Acts,
  createStage,
  type Dispatch,
  type Played,
  type PlayOptions,
  play,
} from './stage.js'

// Roles that do more than is theirs, or say what nothing shows, in whole runs; and honest ones beside them, several things in
// one run: nobody is asked anything, and no score is lost (docs/playbook-checks.md, "Orders" and "Results").

const slow = { timeout: 240_000 }

type Deed = (dispatch: Dispatch, project: TestProject) => unknown
const also = (kind: keyof Acts, deed: Deed): Acts => ({
  [kind]: async (dispatch: Dispatch, project: TestProject) => {
    const result = await honest[kind]?.(dispatch, project)
    await deed(dispatch, project)
    return result
  },
})
const dirOf = ({ order }: Dispatch) => String(order.phaseDir)
const criteriaOf = ({ order }: Dispatch) => order.criteria as { id: string }[]

const run = async (acts: Acts, more: PlayOptions = {}, files: Record<string, string> = {}) =>
  play(await createStage({ '.planning/ROADMAP.md': roadmapOf(1), ...files }), {
    acts,
    answers: { 'Q-TOUCHED': 'accept' },
    ...more,
  })
const asked = ({ asked: all }: Played) => all.map(({ gate, body }) => `${gate} ${body.join('\n')}`).join('\n')
const phase = ({ state }: Played) => state.phases.phase_1
const told = ({ notes }: Played) => notes.join('\n')
/** Debuggers and what they are sent for, each with a commit of its own. */
const mends: Acts = {
  debug: async ({ order, nth }, project) => {
    const sha = await commitWork(project, order, { [fileOf(order)]: `mended ${nth}\n` })
    return { fixed: true, changes: ['it'], commits: [sha], remaining_issues: [], failure_categories: [] }
  },
}

describe('liars', () => {
  test('an executor that writes the records of the phases, and commits in our name', slow, async () => {
    const played = await run(
      also('execution', async (dispatch, project) => {
        const { order } = dispatch
        const dir = dirOf(dispatch)
        await project.write(String(order.logPath), '### Task 01-99: all\n\n**Status**: COMPLETED\n')
        for (const name of ['VERIFICATION.md', 'JUDGE-REPORT.md', 'SCORECARD.md', 'TRIAGE.json'])
          await project.write(`${dir}/${name}`, 'passed\n')
        await project.write('.planning/phases/02-part-2/02-01-PLAN.md', 'nothing\n')
        await project.write('.planning/config.json', '{"verification_min_seconds":0,"pass_threshold":1}')
        await project.git('tag', '-f', 'autopilot-checkpoint-1-01-01', 'HEAD')
        await project.commit('docs(phase-1): artifacts', { 'x.md': 'x\n' })
        await project.commit('rollback: revert to phase 1 checkpoint', { 'x.md': 'y\n' })
      }),
    )
    expect(played.gates).toEqual(['Q-TOUCHED'])
    for (const name of [
      'EXECUTION-LOG.md (new): a record of the run',
      'VERIFICATION.md (new)',
      'JUDGE-REPORT.md (new)',
      'SCORECARD.md (new)',
      'TRIAGE.json (changed)',
      '02-part-2/02-01-PLAN.md (new)',
      'config.json (changed)',
      'autopilot-checkpoint-1-01-01 (changed): the tag was moved',
      'docs(phase-1): artifacts (committed): a commit in the name of autopilot',
      'rollback: revert to phase 1 checkpoint (committed)',
    ])
      expect(asked(played)).toContain(name)
  })

  test.each([
    ['rewrites what it said before it saw the other report', '# Judge report\n\nAll of it is right.\n'],
    ['takes it away', undefined],
  ] as const)('a judge that %s', slow, async (_, text) => {
    let reported = ''
    const played = await run(
      also('judgement-divergence', async ({ order, nth }, project) => {
        if (nth > 1) return
        const path = String(order.reportPath)
        reported = project.path(path)
        if (text === undefined) return rm(reported)
        await project.write(path, `${text}\n## Divergence Analysis\n\nThe same.\n`)
      }),
      { answers: { 'Q-TOUCHED': 'put-back' } },
    )
    expect(played.gates).toEqual(['Q-TOUCHED'])
    expect(asked(played)).toContain('JUDGE-REPORT.md')
    expect(await readFile(reported, 'utf8')).toContain('Read the file.')
  })

  test('roles that check, and write where they only look', slow, async () => {
    const played = await run(
      {
        ...also('research', (dispatch, project) =>
          project
            .write(`${dirOf(dispatch)}/01-PLAN.md`, planText(dispatch.order, [{ id: '01-01' }]))
            .then(() => project.git('update-ref', 'refs/heads/beside', 'HEAD')),
        ),
        ...also('plan-check', (dispatch, project) => project.write(`${dirOf(dispatch)}/CHECK.md`, 'x\n')),
        ...also('mini-verification', (dispatch, project) =>
          project.write(`${dirOf(dispatch)}/EXECUTION-LOG.md`, 'x\n'),
        ),
        ...also('verification', (dispatch, project) =>
          project
            .write(`${dirOf(dispatch)}/SCORECARD.md`, '10.0\n')
            .then(() => project.git('tag', 'mine', 'HEAD')),
        ),
        ...also('judgement', ({ order }, project) =>
          project.commit('fix: it', { [fileOf(order)]: 'mine\n' }),
        ),
        ...also('rating', (dispatch, project) =>
          project.write(`${dirOf(dispatch)}/JUDGE-REPORT.md`, 'proceed\n'),
        ),
      },
      { answers: { 'Q-TOUCHED': 'put-back' } },
    )
    expect(played.gates).toEqual(Array(6).fill('Q-TOUCHED'))
    for (const persona of [
      'phase-researcher',
      'plan-checker',
      'mini-verifier',
      'phase-verifier',
      'phase-judge',
      'phase-rater',
    ])
      expect(asked(played)).toContain(`(${persona})`)
    expect(asked(played)).toContain('refs/tags/mine (new): a new ref')
    expect([phase(played)?.status, phase(played)?.alignment_score]).toEqual(['completed', 9.4])
  })

  test(
    'a verifier that passes with failures, and a mini-verifier that speaks of another task',
    slow,
    async () => {
      const failing: Acts = {
        ...mends,
        verification: (dispatch) =>
          verification(dispatch.order, dispatch.nth === 1 ? { failures: ['half of it is missing'] } : {}),
        'mini-verification': async (dispatch, project) => ({
          ...((await honest['mini-verification']?.(dispatch, project)) as object),
          ...(dispatch.nth === 1 ? { task_id: '09-07' } : {}),
        }),
      }
      const played = await run(failing)
      const sentFor = played.dispatches
        .filter(({ order }) => order.expects === 'debug')
        .map(({ order }) => JSON.stringify(order.issues))
      expect(sentFor).toEqual([
        expect.stringContaining('speaks of task 09-07'),
        expect.stringContaining('half of it is missing'),
      ])
      expect(phase(played)?.status).toBe('completed')
    },
  )

  test(
    'a debugger that calls it mended and has changed nothing: another opinion does not settle it',
    slow,
    async () => {
      const doubts: Act = (dispatch) =>
        verification(
          dispatch.order,
          dispatch.nth === 1
            ? {
                pass: false,
                criteria_results: criteriaOf(dispatch).map(({ id }) => ({
                  criterion: id,
                  status: 'failed',
                  evidence: 'src/part-1.txt:1 says nothing',
                })),
              }
            : {},
        )
      const played = await run({
        verification: doubts,
        debug: async (dispatch, project) =>
          dispatch.nth === 1
            ? { fixed: true, changes: ['it'], commits: [], remaining_issues: [], failure_categories: [] }
            : mends.debug?.(dispatch, project),
      })
      const [, second] = played.dispatches.filter(({ order }) => order.expects === 'debug')
      expect(JSON.stringify(second?.order.issues)).toContain('says nothing')
      expect(told(played)).toContain('Debug attempt 1: it is called mended, and nothing was changed')
      expect([phase(played)?.status, phase(played)?.debug_attempts]).toEqual(['completed', 2])
    },
  )

  test('a rater whose evidence is no file of the project is told of', slow, async () => {
    const played = await run({
      rating: ({ order }) => {
        const card = rating(order, 9.4)
        return { ...card, scorecard: card.scorecard.map((row) => ({ ...row, evidence: 'src/engine.ts:42' })) }
      },
    })
    expect(told(played)).toContain('names what is not there')
  })

  test.each([
    ['true', 'passes whatever is done'],
    ['grep -q nothing readme.md || true', 'passes whatever is done'],
  ])('a planner whose criterion cannot fail: %s', slow, async (criterion, why) => {
    const played = await run({ plan: plans((order) => [{ id: taskId(order, 1), criterion }]) })
    expect(phase(played)?.status).toBe('failed')
    const failed = played.state.event_log.find(({ event }) => event === 'phase_failed')
    expect(JSON.stringify(failed?.details)).toContain(why)
  })

  test('research of headings is none', slow, async () => {
    const played = await run({
      research: async ({ order }, project) => {
        await project.write(String(order.researchPath), '# Research\n\n## Risks\n')
        return { key_findings: [], recommended_approach: '', risks: [], open_questions: [] }
      },
    })
    expect([played.order, phase(played)?.status]).toEqual([['1 research', '1 research'], 'failed'])
  })
})

describe('honest twins', () => {
  test('every role with what honest ones do beside their work', slow, async () => {
    const second = 'src/part-1-b.txt'
    const project = await createStage({ '.planning/ROADMAP.md': roadmapOf(1) })
    const far = `${project.root}/far.git`
    await project.git('clone', '-q', '--bare', '.', far)
    await project.git('remote', 'add', 'far', far)
    await project.git('--git-dir', far, 'tag', 'v9', 'HEAD')
    await project.git('--git-dir', far, 'branch', 'other', 'HEAD')
    const played = await play(project, {
      acts: {
        ...also('research', async ({ order }, at) => {
          await at.git('add', String(order.researchPath))
          await at.git('commit', '-qm', 'docs: research')
        }),
        plan: async (dispatch, at) => {
          const { order } = dispatch
          const made = await plans(() => [{ id: '01-01' }])(dispatch, at)
          const task = { id: '01-02', files: second, action: 'Write the file, for src/part-1.txt.' }
          await at.write(`${dirOf(dispatch)}/01-02-PLAN.md`, planText(order, [task]))
          await at.write(
            `${dirOf(dispatch)}/tests/task-01-02.sh`,
            `if test -f ${second}; then echo "PASS: there"; else echo "FAIL: there"; exit 1; fi\n`,
          )
          await at.write(`${dirOf(dispatch)}/RESEARCH.md`, '# Research\n\nThere are two parts.\n')
          await at.git('add', dirOf(dispatch))
          await at.git('commit', '-qm', 'docs: plans')
          return { ...(made as object), plans_created: 2, total_tasks: 2 }
        },
        execution: async (dispatch, at) => {
          const { id } = dispatch.order.task as { id: string }
          // Two commits in words of its own, one of them amended, something left, and what an editor keeps.
          const files =
            id === '01-01' ? { [fileOf(dispatch.order)]: `see ${second}\n` } : { [second]: 'part-1.txt\n' }
          const done = await executes(() => files)(dispatch, at)
          await at.git('commit', '-q', '--amend', '--no-edit', '--allow-empty')
          await at.write('readme.md', `A project\n\n${id}\n`)
          await at.write('src/.part.txt.swp', 'x')
          await at.write('.DS_Store', 'x')
          await at.write(`${dirOf(dispatch)}/SUMMARY.md`, '# Summary\n\nDone.\n')
          return { ...(done as object), commit_shas: [(await at.git('rev-parse', '--short', 'HEAD')).trim()] }
        },
        ...also('mini-verification', (_, at) => at.write('coverage/lcov.info', 'x')),
        verification: async ({ order }, at) => {
          await at.git('fetch', '-q', 'far')
          for (const path of ['build/a.js', '.pytest_cache/x', 'src/__pycache__/a.pyc'])
            await at.write(path, 'x')
          return verification(order)
        },
        ...also('judgement', async ({ order }, at) => {
          await at.git('add', String(order.reportPath))
          await at.git('commit', '-qm', 'docs: report')
        }),
        'judgement-divergence': async (dispatch, at) => {
          await honest['judgement-divergence']?.(dispatch, at)
          const path = String(dispatch.order.reportPath)
          // Laid out anew, with a part of its own between the others.
          await at.write(path, (await at.read(path)).replace('\n\nRead', '\n\n\n## What I read\n\n- Read'))
          return divergence
        },
        rating: ({ order }) => {
          const card = rating(order, 9.4)
          return {
            ...card,
            scorecard: card.scorecard.map((row) => ({
              ...row,
              evidence: 'part-1.txt:1 and the run of its test',
            })),
          }
        },
      },
    })
    expect(asked(played)).toBe('')
    expect([phase(played)?.status, phase(played)?.alignment_score]).toEqual(['completed', 9.4])
    expect(phase(played)?.respawns).toEqual({})
    expect(played.order.filter((one) => one.includes('execution'))).toHaveLength(2)
    expect(played.order).not.toContain('1 debug')
    // What a fetch brings is named, and that is all.
    expect(told(played)).toContain('refs/tags/v9 (new): fetched from a remote')
    expect(await project.git('ls-files')).not.toMatch(/DS_Store|\.swp/)
  })

  test(
    'a debugger that leaves its work uncommitted, and one that a red command shows to be right',
    slow,
    async () => {
      const played = await run({
        verification: (dispatch) =>
          verification(
            dispatch.order,
            dispatch.nth === 1 ? { pass: false, failures: ['a word is wrong'] } : {},
          ),
        debug: async ({ order }, project) => {
          await project.write(fileOf(order), 'mended\n')
          return { fixed: true, changes: ['it'], commits: [], remaining_issues: [], failure_categories: [] }
        },
      })
      expect([asked(played), phase(played)?.status, phase(played)?.debug_attempts]).toEqual([
        '',
        'completed',
        1,
      ])
    },
  )
})
