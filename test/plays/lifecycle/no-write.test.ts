import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { newLifecycleState } from '../../../source/documents/lifecycle-edit.js'
import { createStage, play, statePath, table, upTo } from './stage.js'

// Trees of other people: whatever stands in them, nothing of theirs is written before a question was answered.

const greenfield = upTo('greenfield', 'UI Design', '')
const state = (flow: string, step: number | string, name: string) => newLifecycleState(flow, step, name)

/** By what is odd in them: the files, the gate that is met first in the run, and where it would go on. */
const trees: Record<string, { files: Record<string, string>; gate: string; says: RegExp }> = {
  'documents of existing code, no state file': {
    files: {
      'shop.py': 'x',
      '_docs/02_document/00_discovery.md': 'x',
      '_docs/02_document/FINAL_report.md': 'x',
      '_docs/02_document/tests/traceability-matrix.md': 'x',
      '_docs/02_tasks/_dependencies_table.md': table,
    },
    gate: 'Q-START',
    says: /existing-code flow[\s\S]*at step 3 Decompose Tests/,
  },
  'a new product in the middle, no state file': {
    files: { ...without(greenfield, statePath), '_docs/01_solution/solution_draft02.md': 'x' },
    gate: 'Q-START',
    says: /greenfield flow[\s\S]*at step 4 UI Design/,
  },
  'signs of both flows': {
    files: {
      'shop.py': 'x',
      '_docs/02_document/epics.md': 'x',
      '_docs/02_document/modules/till.md': 'x',
    },
    gate: 'Q-START',
    says: /signs of both flows/,
  },
  'a file of another tool in the place of the state': {
    files: { ...greenfield, [statePath]: '# Autopilot State\n\n- Current role: gardener\n- Cycle: 8\n' },
    gate: 'Q-DRIFT',
    says: /does not say where the project stands/,
  },
  'number and name disagree, in a table of keys': {
    files: {
      ...greenfield,
      [statePath]: state('greenfield', 4, 'Plan').replace(
        /flow: .*\nstep: .*\nname: .*\nstatus: .*\n/,
        '| Key | Value |\n|---|---|\n| flow | greenfield |\n| step | 4 |\n| name | Plan |\n| status | 🔄 in progress |\n\n',
      ),
    },
    gate: 'Q-NAME',
    says: /step 4, and the name "Plan"/,
  },
  'a step that was called over, whose artifact is gone': {
    files: {
      ...without(greenfield, '_docs/02_document/FINAL_report.md'),
      [statePath]: state('greenfield', 5, 'Decompose').replace(
        /(\|-+\|-+\|-+\|-+\|\n)/,
        '$1| 3 | Plan | 2026-03-01 | planned |\n| 4 | UI Design | 2026-03-01 | skipped: none |\n',
      ),
    },
    gate: 'Q-DRIFT',
    says: /folders: greenfield .*3 Plan/,
  },
  'a step under way whose folders are further on, with a last session of somebody': {
    files: {
      ...greenfield,
      [statePath]: state('greenfield', 2, 'Research')
        .replace('not_started', 'in_progress')
        .replace('## Last Session\n', '## Last Session\ndate: 2026-03-01\nreason: context limit\nnotes: b\n'),
    },
    gate: 'Q-DRIFT',
    says: /state file: greenfield 2 Research, in_progress/,
  },
  'a step that has failed': {
    files: {
      ...greenfield,
      [statePath]: state('greenfield', 4, 'UI Design').replace('not_started', 'failed'),
    },
    gate: 'Q-BLOCKED',
    says: /Step 4 UI Design has failed/,
  },
}

function without(files: Record<string, string>, path: string): Record<string, string> {
  return Object.fromEntries(Object.entries(files).filter(([name]) => name !== path))
}

async function documents(root: string): Promise<Record<string, string>> {
  const entries = await readdir(join(root, '_docs'), { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile() && !/\.gitignore$|\.bak$/.test(entry.name))
  const texts = await Promise.all(
    files.map(async (entry) => {
      const path = join(entry.parentPath, entry.name)
      return [path.slice(root.length), await readFile(path, 'utf8')] as const
    }),
  )
  return Object.fromEntries(texts.sort())
}

test.each(Object.entries(trees))('%s: asked, and every document is as it was', async (_name, tree) => {
  const project = await createStage(tree.files)
  const before = await documents(project.dir)
  const played = await play(project, {
    askFirst: () => ({ value: 'adopt' }),
    beforeAnswer: async () => expect(await documents(project.dir)).toEqual(before),
    answers: {},
  })
  const [question] = played.asked.filter(({ gate }) => gate !== 'Q-ADOPT')
  expect(question?.gate).toBe(tree.gate)
  expect([question?.title, ...(question?.body ?? [])].join('\n')).toMatch(tree.says)
  expect(played.stopped).toBe(true)
  expect(played.dispatches).toEqual([])
  // Whoever has only looked has changed nothing.
  expect(await documents(project.dir)).toEqual(before)
})
