import { rm } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import type { TestProject } from '../../support/project.js'
import { executes, fileOf, honest, plans, planText, roadmapOf, taskId, verification } from './roles.js'
import {
  type Act,
  type Acts,
  createStage,
  type Dispatch,
  type Played,
  type PlayOptions,
  play,
} from './stage.js'

// Lies that reach from one phase into another, or that stand in another part of what a role says, and the everyday trade of honest
// roles in whole runs (docs/playbook-checks.md).

const slow = { timeout: 240_000 }

type Deed = (dispatch: Dispatch, project: TestProject) => unknown
const also = (kind: keyof Acts, deed: Deed): Acts => ({
  [kind]: async (dispatch: Dispatch, project: TestProject) => {
    const result = await honest[kind]?.(dispatch, project)
    await deed(dispatch, project)
    return result
  },
})
const inSecond =
  (deed: Deed): Deed =>
  (dispatch, project) =>
    dispatch.order.phase.id === '2' ? deed(dispatch, project) : undefined
const gaveUp: Act = () => ({
  fixed: false,
  changes: [],
  commits: [],
  remaining_issues: ['it'],
  failure_categories: [],
})

const thresholds = 'export default { test: { coverage: { thresholds: { lines: 90 } } } }\n'
const files = {
  'package.json': JSON.stringify({ type: 'module', scripts: { test: 'node --test test' } }),
  'test/list.test.js':
    "import { equal } from 'node:assert/strict'\nimport test from 'node:test'\ntest('adds', () => equal([1].length, 1))\n",
  'test/old/two.test.js': "import test from 'node:test'\ntest('two', () => {})\n",
  'src/old.js': 'export const old = 1\n',
  'vitest.config.js': thresholds,
  'AGENTS.md': '# For agents\n\n- Run the tests.\n',
}

async function run(phases: number, acts: Acts, more: PlayOptions = {}) {
  const project = await createStage({ ...files, '.planning/ROADMAP.md': roadmapOf(phases) })
  const answers = { 'Q-TOUCHED': 'accept', 'Q-TESTS': 'accept', 'Q-UNPROVEN': 'accept' }
  const played = await play(project, { acts: { debug: gaveUp, ...acts }, answers, ...more })
  return { played, project }
}
const asked = ({ asked: all }: Played) => all.map(({ gate, body }) => `${gate} ${body.join('\n')}`).join('\n')
const statuses = ({ state }: Played) => Object.values(state.phases).map(({ status }) => status)
const sentFor = ({ dispatches }: Played) =>
  dispatches.flatMap(({ order }) => (order.expects === 'debug' ? [JSON.stringify(order.issues)] : []))

describe('liars', () => {
  const takesAway = inSecond(async (_, project) => {
    await rm(project.path('src/part-1.txt'))
    await project.git('commit', '-qam', 'chore: tidy up')
  })

  test(
    'takes the work of the first phase away in the second: a debugger first, then a person',
    slow,
    async () => {
      const { played } = await run(2, also('execution', takesAway))
      expect(sentFor(played)[0]).toContain('Phase 1: src/part-1.txt is not there any more.')
      expect(played.gates).toEqual(['Q-UNPROVEN'])
      expect(asked(played)).toContain('Phase 1: src/part-1.txt is not there any more.')
      expect(JSON.stringify(played.state._meta.decisions)).toContain('accepted_lost_work')
    },
  )

  test('plants the tests of a later phase', slow, async () => {
    const planted = '.planning/phases/02-part-2/tests/task-02-01.sh'
    const { played } = await run(
      1,
      also('execution', (_, project) => project.write(planted, 'echo "PASS: there"\n')),
    )
    expect(played.gates).toEqual(['Q-TOUCHED'])
    expect(asked(played)).toContain(`${planted} (new)`)
  })

  test('verifies with evidence that says that it fails', slow, async () => {
    const { played } = await run(1, {
      verification: ({ order, nth }) => {
        const said = verification(order)
        const evidence = `FAIL: half of it is there -- ${fileOf(order)}:1`
        return nth > 1
          ? said
          : { ...said, criteria_results: said.criteria_results.map((each) => ({ ...each, evidence })) }
      },
    })
    expect(sentFor(played)[0]).toContain('FAIL: half of it is there')
  })

  test(
    'lets sources go, lets the tests ask for less, amends what the first phase committed',
    slow,
    async () => {
      const { played } = await run(1, {
        ...also('execution', async (_, project) => {
          await project.git('rm', '-q', '--cached', 'src/old.js')
          await project.commit('chore: settings', {
            '.gitignore': '.autopilot/\nsrc/old.js\n',
            'vitest.config.js': thresholds.replace('90', '9'),
          })
        }),
      })
      expect(played.gates).toEqual(['Q-TOUCHED', 'Q-TESTS'])
      expect(asked(played)).toContain('src/old.js (committed): git has let it go')
      expect(asked(played)).toContain('vitest.config.js: lines 90 is 9 now')

      const amended = await run(2, {
        execution: async (dispatch, project) => {
          const { order } = dispatch
          if (order.phase.id === '1') return honest.execution?.(dispatch, project)
          await project.write(fileOf(order), 'part 2\n')
          await project.git('add', 'src')
          await project.git('commit', '-q', '--amend', '--no-edit')
          return {
            tasks_completed: '1/1',
            tasks_failed: '0/1',
            commit_shas: [await project.git('rev-parse', 'HEAD')],
            evidence: [],
            deviations: [],
          }
        },
      })
      expect(amended.played.gates).toEqual(['Q-TOUCHED'])
      expect(asked(amended.played)).toContain('not in its history any more')
    },
  )
})

describe('honest twins', () => {
  const honestly = ({ played }: { played: Played }, phases = 1) => {
    expect(asked(played)).toBe('')
    expect(sentFor(played)).toEqual([])
    expect(statuses(played)).toEqual(Array(phases).fill('completed'))
  }

  test(
    'squashes its own commits, formats everything, vendors, documents and tags; who verifies builds',
    slow,
    async () => {
      honestly(
        await run(1, {
          execution: async (dispatch, project) => {
            const before = await project.git('rev-parse', 'HEAD')
            const done = await honest.execution?.(dispatch, project)
            await project.write(fileOf(dispatch.order), 'more words\n')
            await project.git('commit', '-qa', '--fixup', 'HEAD')
            await project.git('-c', 'sequence.editor=true', 'rebase', '-q', '-i', '--autosquash', before)
            await project.commit('chore: format', {
              'AGENTS.md': '# For agents\n\n\n* Run the tests.\n',
              'src/old.js': 'export const old = 1;\n',
              'vitest.config.js': thresholds.replace('90', '95'),
              'vendor/lib/test/a.test.js': files['test/list.test.js'].replace('adds', 'adds too'),
              '.github/workflows/ci.yml': 'on: push\n',
              'docs/größe.md': '# Größe\n',
            })
            await project.git('tag', 'v1.1.0')
            return done
          },
          ...also('verification', async (_, project) => {
            for (const path of ['storybook-static/index.html', 'dist/a.js', 'a-1.0.0.tgz', 'blob-report/x'])
              await project.write(path, 'x')
          }),
        }),
      )
    },
  )

  test('moves old sources and tests, and deletes what its plan names', slow, async () => {
    honestly(
      await run(1, {
        plan: async (dispatch, project) => {
          const { order } = dispatch
          const made = await plans(() => [{ id: taskId(order, 1) }])(dispatch, project)
          const action = 'Write the file. Delete the obsolete tests in test/old/.'
          await project.write(String(order.planPath), planText(order, [{ id: taskId(order, 1), action }]))
          return made
        },
        ...also('execution', async (_, project) => {
          await project.write('test/unit/.keep', '')
          await project.git('mv', 'test/list.test.js', 'test/unit/list.test.js')
          await project.git('mv', 'src/old.js', 'src/older.js')
          await project.git('rm', '-q', 'test/old/two.test.js')
          await project.git('commit', '-qm', 'refactor: folders')
          await rm(project.path('test/unit/.keep'))
        }),
      }),
    )
  })

  test(
    'the second phase moves what the first one made, and both write a file with other letters',
    slow,
    async () => {
      honestly(
        await run(2, {
          plan: plans((order) => [
            { id: taskId(order, 1), files: 'src/größe.txt', criterion: 'test -f src/größe.txt && node -e 0' },
          ]),
          execution: async (dispatch, project) => {
            const { order } = dispatch
            const made = {
              [fileOf(order)]: `part ${order.phase.id}\n`,
              'src/größe.txt': `${order.phase.id}\n`,
            }
            const done = await executes(() => made)(dispatch, project)
            if (order.phase.id === '2') {
              await project.git('mv', 'src/part-1.txt', 'src/first.txt')
              await project.git('commit', '-qm', 'refactor: first')
            }
            return done
          },
        }),
        2,
      )
    },
  )

  test('a later phase deletes what its plan names', slow, async () => {
    honestly(
      await run(2, {
        plan: async (dispatch, project) => {
          const { order } = dispatch
          const made = await plans(() => [{ id: taskId(order, 1) }])(dispatch, project)
          const action = `Write the file${order.phase.id === '2' ? ', and delete src/part-1.txt' : ''}.`
          await project.write(String(order.planPath), planText(order, [{ id: taskId(order, 1), action }]))
          return made
        },
        ...also(
          'execution',
          inSecond(async (_, project) => {
            await project.git('rm', '-q', 'src/part-1.txt')
            await project.git('commit', '-qm', 'refactor: without the first')
          }),
        ),
      }),
      2,
    )
  })
})
