import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { divergence, judgement, plans, taskId } from './roles.js'
import type { Acts } from './stage.js'

// Roles of a phase that is done in parts: each works in the tree that it is put in.

/** Files of a task: twelve in all are more than one piece of work should touch. */
const filesOf = (task: number) => Array.from({ length: 6 }, (_, at) => `src/piece-${task}-${at + 1}.txt`)

/** A plan of two tasks that share no file. */
const two = plans((order) =>
  [1, 2].map((number) => ({
    id: taskId(order, number),
    files: filesOf(number).join('\n'),
    criterion: `cat src/piece-${number}-1.txt && node -e 0`,
  })),
)

function put(cwd: string, path: string, text: string): void {
  mkdirSync(dirname(join(cwd, path)), { recursive: true })
  writeFileSync(join(cwd, path), text)
}

/** Roles that work where they are put, and touch `beside` too. */
export const inTheirTree = (beside?: string): Acts => ({
  plan: async (dispatch, project) => {
    const planned = await two(dispatch, project)
    for (const number of [1, 2])
      await project.write(
        `${String(dispatch.order.testsDir)}/task-${taskId(dispatch.order, number)}.sh`,
        `test -f src/piece-${number}-1.txt && echo "PASS: there"\n`,
      )
    return planned
  },
  execution: ({ order, cwd }) => {
    const task = order.task as { id: string; files: string[] }
    const paths = [...task.files, ...(beside === undefined ? [] : [beside])]
    for (const path of paths) put(cwd, path, `${task.id}\n`)
    const git = (...args: string[]) =>
      execFileSync('git', ['-C', cwd, '-c', 'user.name=a', '-c', 'user.email=a@b', ...args], {
        encoding: 'utf8',
      })
    git('add', ...paths)
    git('commit', '-q', '-m', `${String(order.commitSubject)}done`)
    return {
      tasks_completed: '1/1',
      tasks_failed: '0/1',
      commit_shas: [git('rev-parse', 'HEAD').trim()],
      evidence: [{ task_id: task.id, criteria_met: [`there -- ${task.files[0]}:1`], commands_run: [] }],
      deviations: [],
      confidence: 9,
    }
  },
  judgement: ({ order, cwd }) => {
    put(cwd, String(order.reportPath), '# Judge report\n\nRead src/piece.txt:1.\n')
    return judgement
  },
  'judgement-divergence': ({ order, cwd }) => {
    const path = String(order.reportPath)
    put(cwd, path, `${readFileSync(join(cwd, path), 'utf8')}\n## Divergence Analysis\n\nThe same.\n`)
    return divergence
  },
})
