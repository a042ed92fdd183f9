import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, expect, test } from 'vitest'
import { bundleGarden } from '../fourth/bundle.js'
import { makeTemporary } from '../support/temporary.js'
import { openTerminal } from '../support/terminal.js'
import { harnessGates } from './gates/harness-gates.js'
import { lifecycleGates } from './gates/lifecycle-gates.js'
import type { Asked, Order } from './gates/order.js'
import { answerAll, recordedIn, type ToRead } from './gates/person.js'
import { playbookGates } from './gates/playbook-gates.js'
import { createEvidence, planPath, words } from './gates/project.js'
import { runGates, sessionGates } from './gates/session-gates.js'
import { sharedGates } from './gates/shared-gates.js'

// Every question that the product builds, on the real screen of a real terminal, answered by keys alone with what there is
// to read opened first: docs/terminal.md "Gates".

const source = fileURLToPath(new URL('../../source', import.meta.url))
const program = '../e2e/gates/program.ts'
const now = new Date()
/** Most of a gate's time is waiting until keys count, so several terminals are answered at once. */
const terminals = 5

let bundle = ''
beforeAll(async () => {
  bundle = await makeTemporary('gates')
  await bundleGarden(bundle, { program })
  return () => rm(bundle, { recursive: true, force: true })
})

/** How many questions of each gate are built in the source: a literal `gate` with a title, or at least its name. */
async function gatesOfSource(): Promise<Map<string, number>> {
  const names = (await readdir(source, { recursive: true })).filter((name) => /\.tsx?$/.test(name))
  const texts = await Promise.all(names.map((name) => readFile(join(source, name), 'utf8')))
  const named = texts.flatMap((text) => [...text.matchAll(/['"](Q-[A-Z]+(?:-[A-Z]+)*)\b/g)])
  const built = texts.flatMap((text) => [...text.matchAll(/\bgate: '([\w-]+)',\s+title\b/g)])
  const counts = new Map(named.map(([, gate = '']) => [gate, 1]))
  for (const [, gate = ''] of built) counts.set(gate, built.filter((one) => one[1] === gate).length)
  return counts
}

const finding = {
  phase: '1',
  severity: 'blocking',
  tone: 'bad',
  file: 'src/rules.ts',
  title: 'Rules of other users can be read',
  rationale: 'The query has no owner.',
} as const

test('every question of the product, by keys alone, after reading what there is to read', async () => {
  const { project, since } = await createEvidence()
  const inRun = [
    ...harnessGates,
    ...playbookGates(now),
    ...lifecycleGates(),
    ...(await sharedGates(project, now)),
    ...runGates(now),
  ]
  const before = await sessionGates(now)
  const all: Asked[] = [
    ...before.map((draft) => ({ draft, before: true })),
    ...inRun.map((draft) => ({ draft, before: false })),
  ]

  // Whoever adds a question adds it here.
  const known = (gate: string) => all.filter(({ draft }) => draft.gate === gate).length
  const missing = [...(await gatesOfSource())].filter(([gate, count]) => known(gate) < count)
  expect(missing.map(([gate, count]) => `${gate}: ${known(gate)} of ${count}`)).toEqual([])

  const diff = 'changes since phase 1 began'
  const view: Order['view'] = {
    documents: [
      { id: 'plan', kind: 'plan', title: 'plan of phase 1', path: planPath },
      { id: 'diff', kind: 'diff', title: diff, since },
    ],
    findings: [finding],
    work: [{ phase: '1', facts: [], lines: ['npm test passed: 12 executed'] }],
  }
  const views: ToRead[] = [
    { title: 'plan of phase 1', says: words.plan },
    { title: diff, says: words.diff },
    { title: 'findings', says: finding.rationale },
    { title: 'evidence', says: 'npm test passed: 12 executed' },
  ]

  async function answerPart(part: number): Promise<void> {
    const asked = all.filter((_, index) => index % terminals === part)
    const record = join(project.root, `record-${part}.jsonl`)
    const order: Order = { root: project.dir, record, view, asked }
    const path = join(project.root, `order-${part}.json`)
    await writeFile(record, '')
    await writeFile(path, JSON.stringify(order))
    const terminal = openTerminal({
      command: [process.execPath, join(bundle, 'program.js'), path],
      cwd: project.dir,
      env: project.env,
    })
    const meant = await answerAll(terminal, { asked, record, views })
    expect((await terminal.exit).code).toBe(0)
    expect(recordedIn(record)).toEqual(meant)
    expect(terminal.everything()).toContain(`${asked.length} questions were answered.`)
  }
  await Promise.all(Array.from({ length: terminals }, (_, part) => answerPart(part)))
})
