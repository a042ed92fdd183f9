import { mkdirSync, renameSync } from 'node:fs'
import { dirname } from 'node:path'
import { openHands } from '../agent/hands.js'
import { sourceOf, sourceText, testOf, testText } from '../sample.js'
import { artifacts } from './sample.js'

// The honest work of a worker of the lifecycle, in parts that a lie can leave out, repeat or replace.

/** Of the dispatch file, what this worker reads. */
export interface LifeDispatch {
  workflow: string
  projectDir: string
  statePath: string
  step: { id: string; name: string }
  retry: { attempt: number; errors: string[] }
  gateAnswer?: { id: string; choice: string }
  prepareOnly?: boolean
}

export type LifeJob = ReturnType<typeof openLifeJob>

/** What the test takes for the end of what it looks at. */
export const theEnd = 'Is this the end?'

const scales = ['kelvin', 'rankine']

export function openLifeJob(dispatch: LifeDispatch, folder: string) {
  const hands = openHands(dispatch.projectDir, folder)
  const { name } = dispatch.step
  const job = {
    ...hands,
    dispatch,
    stepName: name,
    /** What the step should leave, written. */
    leave(): void {
      for (const [path, text] of Object.entries(artifacts[name] ?? {})) job.write(path, text)
    },
    code(scale: string): void {
      job.write(sourceOf(scale), sourceText(scale))
      job.write(testOf(scale), testText(scale))
    },
    move(from: string, to: string): void {
      mkdirSync(dirname(job.path(to)), { recursive: true })
      renameSync(job.path(from), job.path(to))
    },
    /** Task files of `todo/` to `done/`. */
    finishTasks(names: string[] = job.list('_docs/02_tasks/todo')): void {
      for (const each of names) job.move(`_docs/02_tasks/todo/${each}`, `_docs/02_tasks/done/${each}`)
    },
    list(folderName: string): string[] {
      return job.exists(folderName) ? job.run('ls', '-A', folderName).split('\n').filter(Boolean) : []
    },
    complete: (outcome = `${name} is done`, more: object = {}) => ({ status: 'complete', outcome, ...more }),
    /** The whole honest work of the step. */
    honest(): unknown {
      if (/^Implement/.test(name)) {
        for (const scale of scales) job.code(scale)
        job.finishTasks()
      }
      if (name === 'Refactor') job.append('src/fahrenheit.js', '\nexport const freezing = 32\n')
      job.leave()
      return job.complete()
    },
    inState(from: string | RegExp, to: string): void {
      const text = job.read(dispatch.statePath)
      const next = text.replace(from, to)
      if (next === text) throw new Error(`the state file has no ${from}: ${text}`)
      job.write(dispatch.statePath, next)
    },
    end: () => ({ status: 'gate', gate: { id: 'the-end', question: theEnd, options: ['yes', 'no'] } }),
  }
  return job
}
