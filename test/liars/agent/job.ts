import { join } from 'node:path'
import type { Persona } from '../case.js'
import {
  planText,
  type SamplePhase,
  type SampleTask,
  sourceOf,
  sourceText,
  testOf,
  testText,
} from '../sample.js'
import { openHands } from './hands.js'

// The honest work of all four personas over the contract of the command backend, in steps that a lie can leave out,
// repeat or replace.

/** Of the dispatch file, what this agent reads. */
export interface Dispatch {
  id: string
  persona: string
  attempt: number
  projectDir: string
  sessionDir: string
  slug: string
  phase: { number: number; name: string; total: number }
  specPath: string
  planPath?: string
  statePath: string
  handoffPath: string
  scratchpadDir?: string
  tasks?: { id: string; title: string; status: string }[]
  checkpointAnswer?: { type: string; task: string; answer: string; note?: string }
  retry?: { task: string; attempt: number }
  findings?: unknown[]
  final?: boolean
}

export type Job = ReturnType<typeof openJob>

/** @param folder directory of the test, which holds the project, the home and the places of canaries */
export function openJob(dispatch: Dispatch, phases: readonly SamplePhase[], folder: string) {
  const dir = dispatch.projectDir
  const phase = phases[dispatch.phase.number - 1] as SamplePhase
  const hands = openHands(dir, folder)
  const { path, print } = hands

  const job = {
    ...hands,
    dispatch,
    phase,
    tasks: phase.tasks,
    persona: personaOf(dispatch),
    session: (name: string) => path(join(dispatch.sessionDir, name)),
    planPath: dispatch.planPath ?? 'docs/plans/none.md',
    plan(): unknown {
      job.write(job.planPath, planText(phase))
      job.handoff('harness-planning', 'VALIDATE', { completed: [], pending: [], concerns: [] })
      return { planPath: job.planPath, concerns: [] }
    },
    label: (task: SampleTask) => `Task ${phase.tasks.indexOf(task) + 1}`,
    /** The two files of a task, not committed. */
    work(task: SampleTask): string[] {
      job.write(sourceOf(task.name), sourceText(task.name))
      job.write(testOf(task.name), testText(task.name))
      return [sourceOf(task.name), testOf(task.name)]
    },
    /** One task from files to commit and record. */
    task(task: SampleTask): void {
      const files = job.work(task)
      job.commit(`feat: ${task.name}`, ...files)
      job.progress({ [job.label(task)]: 'complete' })
    },
    recorded: (): Record<string, string> =>
      job.exists(dispatch.statePath) ? (JSON.parse(job.read(dispatch.statePath)).progress ?? {}) : {},
    progress(change: Record<string, string>): void {
      const state = job.exists(dispatch.statePath) ? JSON.parse(job.read(dispatch.statePath)) : {}
      const known = { schemaVersion: 1, position: {}, decisions: [], blockers: [], ...state }
      known.progress = { ...known.progress, ...change }
      job.write(dispatch.statePath, `${JSON.stringify(known, null, 2)}\n`)
    },
    handoff(fromSkill: string, name: string, fields: Record<string, unknown>): void {
      const timestamp = new Date().toISOString()
      const all = { timestamp, fromSkill, phase: name, summary: `${fromSkill} is done`, ...fields }
      job.write(dispatch.handoffPath, `${JSON.stringify(all, null, 2)}\n`)
    },
    /** Result and handoff of an executor that says everything is done. */
    claim(completed = phase.tasks.map(labelOf)): unknown {
      job.handoff('harness-execution', 'COMPLETE', { completed, pending: [], blockers: [] })
      return { status: 'complete', completed }
    },
    /** The whole honest work of an executor, checkpoints and retries as the plan has them. */
    execute(): unknown {
      if (dispatch.findings && dispatch.findings.length > 0) return job.mend()
      const done = () => phase.tasks.filter((task) => job.recorded()[job.label(task)] === 'complete')
      for (const task of phase.tasks) {
        const name = job.label(task)
        if (job.recorded()[name] === 'complete') continue
        if (task.fails && dispatch.retry === undefined)
          return {
            status: 'failed',
            completed: done().map(job.label),
            failure: { task: name, error: `${testOf(task.name)} is red`, fixAttempted: 'looked again' },
          }
        if (task.checkpoint && dispatch.checkpointAnswer === undefined) {
          job.work(task)
          return job.checkpoint(task, done().map(job.label))
        }
        if (dispatch.checkpointAnswer?.answer === 'reject') {
          job.append(sourceOf(task.name), '\n// Mended after a look at it.\n')
          return job.checkpoint(task, done().map(job.label))
        }
        if (!task.checkpoint) job.work(task)
        const files = [sourceOf(task.name), testOf(task.name)]
        job.git('add', '--', ...files)
        if (job.git('status', '--porcelain', '--', ...files) !== '')
          job.git('commit', '-q', '-m', `feat: ${task.name}`, '--', ...files)
        job.progress({ [name]: 'complete' })
      }
      return job.claim()
    },
    checkpoint(task: SampleTask, completed: string[]): unknown {
      const options = task.checkpoint === 'decision' ? { options: ['exact', 'rounded'] } : {}
      const prompt = `Is the scale ${task.name} right?`
      return {
        status: 'checkpoint',
        completed,
        checkpoint: { type: task.checkpoint, task: job.label(task), prompt, ...options },
      }
    },
    /** An order to fix, done. */
    mend(): unknown {
      const file = sourceOf(phase.tasks[0]?.name ?? '')
      job.append(file, '\n// Mended.\n')
      job.commit('fix: what was found', file)
      return { status: 'complete', completed: [] }
    },
    /** Runs the tests of the project and tells so as a tool. */
    test(): boolean {
      const tool = { type: 'tool', id: 'tests', name: 'Bash', title: 'node --test' }
      print({ ...tool, status: 'running' })
      try {
        job.run(process.execPath, 'tools/tests.mjs')
        print({ ...tool, status: 'ok', output: 'passed' })
        return true
      } catch {
        print({ ...tool, status: 'failed', output: 'failed' })
        return false
      }
    },
    verify(): unknown {
      const passed = job.test()
      const gaps = passed ? [] : ['The tests are red.']
      job.handoff('harness-verification', 'COMPLETE', { verdict: passed ? 'pass' : 'fail', gaps })
      return { verdict: passed ? 'pass' : 'fail', gaps, evidence: ['node --test'] }
    },
    review(findings: unknown[] = []): unknown {
      job.handoff('harness-code-review', 'OUTPUT', {
        assessment: findings.length > 0 ? 'request-changes' : 'approve',
      })
      return { assessment: findings.length > 0 ? 'request-changes' : 'approve', findings }
    },
    honest(): unknown {
      switch (job.persona) {
        case 'planner':
          return job.plan()
        case 'executor':
          return job.execute()
        case 'verifier':
          return job.verify()
        default:
          return job.review()
      }
    },
  }

  function labelOf(task: SampleTask): string {
    return job.label(task)
  }
  return job
}

function personaOf(dispatch: Dispatch): Persona {
  if (dispatch.persona === 'harness-planner') return 'planner'
  if (dispatch.persona === 'harness-task-executor') return 'executor'
  if (dispatch.persona === 'harness-verifier') return 'verifier'
  return dispatch.final ? 'final' : 'reviewer'
}
