import type { Order } from './order.js'
import { progressSource, progressTest, reportSource, reportTest, withoutPages } from './sample-code.js'

// What the roles know of the three phases of the sample project: what is planned, what is written, and what can be tried to
// see whether it holds.

type RunOrder = Pick<Order, 'expects' | 'requirements' | 'completedPhaseDirs'>

export interface SampleFile {
  path: string
  text: string
}

export interface TaskScript {
  title: string
  type: 'auto' | 'checkpoint:human-verify'
  files: readonly string[]
  action: string
  criteria: readonly string[]
  /** Lines of the test specification behind `sh`: each prints PASS or FAIL. */
  spec?: readonly string[]
  /** What is written first, and what a debugger puts in its place where it does not hold. */
  writes?: readonly SampleFile[]
  better?: readonly SampleFile[]
}

/** Something that must be so, and what shows it: the last line that `code` prints. */
export interface Trial {
  says: string
  code: string
  expected: string
  /** Where it is decided: a file, and words of the line. */
  at: { path: string; words: string }
}

export interface PhaseScript {
  /** Ids of what the roadmap wants of it. */
  requirements: readonly string[]
  findings: readonly string[]
  approach: string
  tasks: readonly TaskScript[]
  trials: readonly Trial[]
  /** What the rater gives a criterion where every trial held. */
  score: number
  /** What mends a trial that did not hold. */
  mended?: readonly SampleFile[]
  /** What no agent can decide, where there is such a thing. */
  undecided?: { tried: readonly string[]; why: string }
}

const index = (...names: string[]) => ({
  path: 'source/index.mjs',
  text: names.map((name) => `export { ${name}Of } from './${name}.mjs'\n`).join(''),
})

const prints = (name: string, expression: string) =>
  `import { ${name}Of } from './source/index.mjs'\nconsole.log(${expression})`

const shelfPhase: PhaseScript = {
  requirements: ['SHELF-1'],
  findings: ['source/shelf.mjs sorts and keeps each title once'],
  approach: 'Nothing has to be written.',
  tasks: [],
  trials: [
    {
      says: 'the shelf sorts by title',
      code: prints('shelf', "shelfOf([{ title: 'b' }, { title: 'a' }]).map((book) => book.title).join()"),
      expected: 'a,b',
      at: { path: 'source/shelf.mjs', words: 'localeCompare' },
    },
    {
      says: 'the library hands out the shelf',
      code: prints('shelf', 'typeof shelfOf'),
      expected: 'function',
      at: { path: 'source/index.mjs', words: 'shelf' },
    },
  ],
  score: 9.6,
}

const progressPhase: PhaseScript = {
  requirements: ['PROG-1', 'PROG-2'],
  findings: ['source/index.mjs hands out what the library has', 'tests lie in test/, run by node itself'],
  approach: 'One function of pages and pages read, rounded to whole per cent.',
  tasks: [
    {
      title: 'Tell the progress of a book',
      type: 'auto',
      files: ['source/progress.mjs', 'source/index.mjs', 'test/progress.test.mjs'],
      action: 'Write progressOf({ pages, read }) and hand it out (PROG-1, PROG-2).',
      criteria: [
        'Progress is told in per cent -- verified by: `node --test test/progress.test.mjs`',
        'Progress is part of the library -- verified by: `grep -c progress source/index.mjs` (at least 1)',
      ],
      spec: [
        'half=$(node --input-type=module -e "import { progressOf } from \'./source/index.mjs\'; console.log(progressOf({ pages: 200, read: 100 }))")',
        'if [ "$half" = 50 ]; then echo "PASS: half a book is 50"; else echo "FAIL: half a book is $half"; exit 1; fi',
      ],
      writes: [
        { path: 'source/progress.mjs', text: progressSource },
        index('shelf', 'progress'),
        { path: 'test/progress.test.mjs', text: progressTest },
      ],
    },
  ],
  trials: [
    {
      says: 'half a book is 50',
      code: prints('progress', 'progressOf({ pages: 200, read: 100 })'),
      expected: '50',
      at: { path: 'source/progress.mjs', words: 'Math.round' },
    },
    {
      says: 'a book without counted pages is at 0',
      code: prints('progress', 'progressOf({ read: 12 })'),
      expected: '0',
      at: { path: 'source/progress.mjs', words: 'export function' },
    },
  ],
  score: 9.3,
  mended: withoutPages,
}

const reportPhase: PhaseScript = {
  requirements: ['REP-1'],
  findings: ['shelfOf gives the order, progressOf the length of a bar'],
  approach: 'One line for each book: its title in a column, then a bar of ten characters.',
  tasks: [
    {
      title: 'Print a line for each book',
      type: 'auto',
      files: ['source/report.mjs', 'source/index.mjs', 'test/report.test.mjs'],
      action: 'Write reportOf(books); all bars begin in the same column (REP-1).',
      criteria: [
        'The report has a line for each book -- verified by: `node --test test/report.test.mjs`',
        'The report is part of the library -- verified by: `grep -c report source/index.mjs` (at least 1)',
      ],
      spec: [
        "columns=$(node --input-type=module -e \"import { reportOf } from './source/index.mjs'; const books = ['Emma', 'The Life and Opinions of Tristram Shandy'].map((title) => ({ title, pages: 2, read: 1 })); console.log(new Set(reportOf(books).split('\\n').map((line) => line.indexOf('#'))).size)\")",
        'if [ "$columns" = 1 ]; then echo "PASS: bars begin in one column"; else echo "FAIL: bars begin in $columns columns"; exit 1; fi',
      ],
      writes: [
        { path: 'source/report.mjs', text: reportSource('12') },
        index('shelf', 'progress', 'report'),
        { path: 'test/report.test.mjs', text: reportTest },
      ],
      better: [{ path: 'source/report.mjs', text: reportSource('width') }],
    },
    {
      title: 'Look at the report in a terminal',
      type: 'checkpoint:human-verify',
      files: [],
      action: 'Print a report of your own books and look whether one sees at a glance how far they are read.',
      criteria: [],
    },
  ],
  trials: [
    {
      says: 'two books are two lines',
      code: prints('report', "reportOf([{ title: 'a' }, { title: 'b' }]).split('\\n').length"),
      expected: '2',
      at: { path: 'source/report.mjs', words: 'map' },
    },
    {
      says: 'a book that is half read has half a bar',
      code: prints('report', "reportOf([{ title: 'a', pages: 2, read: 1 }]).split('#').length - 1"),
      expected: '5',
      at: { path: 'source/report.mjs', words: 'repeat' },
    },
  ],
  score: 9.1,
  undecided: {
    tried: ['printed a report of two books', 'counted the characters of each bar'],
    why: 'How a bar comes out depends on the device that it is read on, and that is not here.',
  },
}

const phases: Readonly<Record<string, PhaseScript>> = {
  Shelf: shelfPhase,
  Progress: progressPhase,
  Report: reportPhase,
}

/** What a look over the whole run needs: all that can be tried out of the phases that an order speaks of. */
export function runScript({ expects, requirements, completedPhaseDirs }: RunOrder): PhaseScript {
  const isMeant = (name: string, script: PhaseScript) =>
    expects === 'audit'
      ? script.requirements.some((id) => requirements.includes(id))
      : completedPhaseDirs.some((dir) => dir.toLowerCase().endsWith(name.toLowerCase()))
  const meant = Object.entries(phases).flatMap(([name, script]) => (isMeant(name, script) ? [script] : []))
  return {
    requirements,
    findings: [],
    approach: '',
    tasks: [],
    trials: meant.flatMap(({ trials }) => trials),
    score: 9,
  }
}

/** Throws for a phase of another project: its work is not in this script. */
export function phaseScript(name: string): PhaseScript {
  const found = phases[name]
  if (found) return found
  throw new Error(
    `The rehearsal knows the phases of its sample project only, and "${name}" is none of them.\nUse another agent for a project of your own.`,
  )
}
