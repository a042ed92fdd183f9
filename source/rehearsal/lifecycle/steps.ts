import type { Order } from './order.js'

// What the scripted worker writes in each step.

export interface ScriptFile {
  path: string
  /** What it is to hold; where that goes on from what it holds, of that, which is empty where there is no file. */
  text: string | ((before: string) => string)
}

/** Names of the task files that lie there. */
export interface TaskFolders {
  todo: readonly string[]
  done: readonly string[]
}

const noTasks: TaskFolders = { todo: [], done: [] }

export interface StepScript {
  /** What it says before it begins. */
  says: string
  /** Its sub-steps, shown while it works. */
  subSteps: readonly { id: string; name: string }[]
  files: readonly ScriptFile[]
  /** Files that are moved, from and to. */
  moves?: readonly (readonly [string, string])[]
  /** Runs the tests of the project; it has failed when they do. */
  tests?: boolean
  outcome: string
  gate?: { id: string; question: string; options: string[]; recommendation: string }
}

const tests = `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { share } from '../source/bill.mjs'

test('sums up what was eaten', () => {
  assert.equal(share([{ cents: 250, count: 2 }, { cents: 400 }], 3).sum, 900)
})
`
/** Wrong at first: three guests cannot pay 334 each for 1000. */
const wrongTest = `
test('nobody pays for what does not divide', () => {
  assert.equal(share([{ cents: 1000 }], 3).each, 334)
})
`
const rightTest = wrongTest.replace('334', '333')

const table = `# Dependencies

**Total Tasks**: 2
**Total Complexity Points**: 3

| Task | Name | Complexity | Dependencies | Epic |
|------|------|------------|--------------|------|
| T-1 | Test the sum | 1 | None | Tests |
| T-2 | Test the shares | 2 | T-1 | Tests |
`
const [sum, shares] = ['T-1_test_sum.md', 'T-2_test_shares.md']
const task = (title: string) => `# ${title}\n\nWrite it with node:test.\n`
const docs = '_docs'
const tableFile = `${docs}/02_tasks/_dependencies_table.md`

const documentScript: StepScript = {
  says: 'I read the code and write down what it does.',
  subSteps: [
    { id: '0', name: 'Discovery' },
    { id: '1', name: 'Modules' },
    { id: '7', name: 'Final report' },
  ],
  files: [
    { path: `${docs}/02_document/00_discovery.md`, text: '# Discovery\n\nOne module, no dependencies.\n' },
    { path: `${docs}/02_document/modules/bill.md`, text: '# bill\n\nSums up a bill and shares it.\n' },
  ],
  outcome: 'one module is documented',
  gate: {
    id: 'vision',
    question: 'What should this become?',
    options: ['A library for other programs', 'A program with a command line'],
    recommendation: 'A - it has no surface yet',
  },
}

/** What to do for an order; steps behind the demo do the least that shows them done. */
export function scriptOf(order: Order, folders: TaskFolders = noTasks): StepScript {
  const { step, retry, gateAnswer } = order
  switch (step.name) {
    case 'Document':
      if (!gateAnswer) return documentScript
      return {
        says: `It becomes this, then: ${gateAnswer.choice}.`,
        subSteps: documentScript.subSteps,
        files: [
          {
            path: `${docs}/02_document/FINAL_report.md`,
            text: `# Report\n\nVision: ${gateAnswer.choice}.\n`,
          },
        ],
        outcome: documentScript.outcome,
      }
    case 'Test Spec':
      return {
        says: 'I write down what has to be tested.',
        subSteps: [
          { id: '1', name: 'Requirements' },
          { id: '1b', name: 'Test Case Generation' },
        ],
        files: [
          {
            path: `${docs}/02_document/tests/traceability-matrix.md`,
            text: '# Traceability\n\n| Requirement | Test |\n|---|---|\n| sum | T-1 |\n| shares | T-2 |\n',
          },
        ],
        outcome: 'two cases',
      }
    case 'Decompose Tests':
      return {
        says: 'I cut the test spec into tasks.',
        subSteps: [],
        files: [
          { path: tableFile, text: table },
          { path: `${docs}/02_tasks/todo/${sum}`, text: task('Test the sum') },
          { path: `${docs}/02_tasks/todo/${shares}`, text: task('Test the shares') },
        ],
        outcome: 'two test tasks',
      }
    case 'Implement Tests':
      return implementTests(retry.attempt)
    default:
      return later(order, folders)
  }
}

function implementTests(retry: number): StepScript {
  const wrong = retry === 0
  const move = (name: string) => [`${docs}/02_tasks/todo/${name}`, `${docs}/02_tasks/done/${name}`] as const
  return {
    says: wrong ? 'I write both tests.' : 'The second test asked for a wrong number. I mend it.',
    subSteps: [
      { id: '1', name: 'Batch 1' },
      { id: '2', name: 'Batch 2' },
    ],
    files: [
      { path: 'test/bill.test.mjs', text: tests + (wrong ? wrongTest : rightTest) },
      ...(wrong
        ? []
        : [
            {
              path: `${docs}/03_implementation/implementation_report_tests.md`,
              text: '# Tests\n\nTwo tests, both green.\n',
            },
          ]),
    ],
    ...(wrong ? {} : { moves: [move(sum), move(shares)] }),
    tests: true,
    outcome: 'two tests',
  }
}

const cents = `/** An amount in cents as a person reads it, such as 12.50. */
export const readable = (cents) => (cents / 100).toFixed(2)
`
const wishList = /^export const wishes = (\[.{0,10000}\])$/m

/** What was wished for in earlier loops, as the module holds it. */
function earlierWishes(module: string): string[] {
  const found = wishList.exec(module)?.[1]
  try {
    return found === undefined ? [] : (JSON.parse(found) as string[])
  } catch {
    // Somebody has edited it: the list begins anew.
    return []
  }
}

/** Each loop changes code, also one that wishes for the same again. */
const wish = (brief: string) => (before: string) =>
  `import { readable } from './cents.mjs'

/** What was wished for, the oldest first. */
export const wishes = ${JSON.stringify([...earlierWishes(before), brief.split('\n')[0] ?? ''])}

/** A bill in one line. */
export const lineOf = ({ sum, each }) => \`\${readable(sum)} in all, \${readable(each)} each\`
`

/** A step that is to change code does: a claim without one is asked about. */
function withCode(script: StepScript, file: StepScript['files'][number]): StepScript {
  return { ...script, files: [file, ...script.files] }
}

/** A row for a task, and the totals with it; a task that has one keeps it. */
const withRow = (id: string, name: string, points: number) => (before: string) => {
  if (before === '' || before.includes(`| ${id} |`)) return before
  const more = (label: string, by: number, text: string) =>
    text.replace(new RegExp(`^(\\*\\*${label}\\*\\*: )(\\d{1,9})`, 'm'), (_, head: string, count: string) => {
      return `${head}${Number(count) + by}`
    })
  const counted = more('Total Complexity Points', points, more('Total Tasks', 1, before))
  return `${counted.trimEnd()}\n| ${id} | ${name.replaceAll('|', '/')} | ${points} | None | Wishes |\n`
}

const wishFile = /^T-(\d{1,6})_wish\.md$/
const taskFile = /^T-(\d{1,6})_/

/** The wish that is open, else a new one behind all tasks there are. */
function wishId({ todo, done }: TaskFolders): string {
  const open = todo.find((name) => wishFile.test(name))
  const numbers = [...todo, ...done].map((name) => Number(taskFile.exec(name)?.[1] ?? 0))
  return `T-${(open ? wishFile.exec(open)?.[1] : undefined) ?? Math.max(2, ...numbers) + 1}`
}

function newTask(script: StepScript, folders: TaskFolders, brief: string): StepScript {
  const id = wishId(folders)
  const title = brief.split('\n')[0] ?? ''
  return {
    ...script,
    files: [
      { path: tableFile, text: withRow(id, title, 2) },
      { path: `${docs}/02_tasks/todo/${id}_wish.md`, text: `# ${title}\n\n${brief}\n` },
    ],
    outcome: `task ${id}`,
  }
}

/** What a record holds: a loop behind the first goes on from it, since one that stays as it was shows nothing done. */
const record = (name: string, text: string, brief: string) => (before: string) =>
  before === ''
    ? `# ${name}\n\n${text}\n`
    : `${before.trimEnd()}\n\n## Again, for: ${brief.split('\n')[0]}\n\n${text}\n`

function later({ step: { name }, brief = 'A wish.', prepareOnly }: Order, folders: TaskFolders): StepScript {
  const report = (path: string, text: string): StepScript => ({
    says: `I do what ${name} needs.`,
    subSteps: [],
    files: [{ path: `${docs}/${path}`, text: record(name, text, brief) }],
    outcome: text,
  })
  switch (name) {
    case 'Refactor':
      return withCode(
        report('04_refactoring/01-first/FINAL_report.md', 'What counts whole cents has a module of its own.'),
        { path: 'source/cents.mjs', text: cents },
      )
    case 'New Task':
      return newTask(report('', ''), folders, brief)
    case 'Implement':
      return {
        ...withCode(report('03_implementation/implementation_report_wish.md', 'The wish has a module.'), {
          path: 'source/wish.mjs',
          text: wish(brief),
        }),
        moves: folders.todo
          .filter((task) => wishFile.test(task))
          .map((task) => [`${docs}/02_tasks/todo/${task}`, `${docs}/02_tasks/done/${task}`] as const),
      }
    case 'Security Audit':
      return report('05_security/security_report.md', 'Nothing was found.')
    case 'Performance Test':
      return report('06_metrics/perf_first.md', 'It is fast enough.')
    case 'Deploy':
      return prepareOnly
        ? report('04_deploy/deployment_procedures.md', 'How it would be released.')
        : report('04_deploy/reports/deploy_status_report.md', 'Nothing was released: it is a demo.')
    default:
      return {
        says: `I run the tests.`,
        subSteps: [],
        files: [],
        tests: true,
        outcome: 'all tests are green',
      }
  }
}
