import { execFileSync } from 'node:child_process'
import { mkdirSync, symlinkSync, utimesSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import type { World } from '../world.js'
import { after, and, decompose, design, does, only, plan, research, testSpec } from './acts.js'
import type { LifeLiar, LifeTwin } from './case.js'
import type { LifeJob } from './job.js'
import { artifacts, statePath, table, taskText } from './sample.js'

// What stands in the place of what a step should leave, and what becomes of what the steps before have left.

const solution = '_docs/01_solution/solution.md'
const inPlace = (name: string, words: string, put: (job: LifeJob) => void, names = /solution/): LifeLiar => ({
  name,
  does: words,
  at: research,
  acts: {
    Research: only((job) => {
      mkdirSync(job.path('_docs/01_solution'), { recursive: true })
      put(job)
    }),
  },
  gates: ['Q-CLAIM', 'Q-TOUCHED'],
  names,
})
const text = (name: string, words: string, content: string | Uint8Array) =>
  inPlace(name, words, (job) => job.write(solution, content))

const template = `# Solution

> Version: {{version}}

## Overview

<Describe the solution in one paragraph.>

## Components

| Component | Purpose |
|-----------|---------|
| <name> | <purpose> |

## Risks

- [ ] <risk one>
- ...
`

const earlier = (
  name: string,
  words: string,
  lie: (job: LifeJob) => void,
  names = /solution\.md/,
): LifeLiar => ({
  name,
  does: words,
  at: plan,
  acts: { Plan: after(lie) },
  gates: ['Q-CLAIM', 'Q-TOUCHED'],
  names,
})

const report = '_docs/05_security/security_report.md'
/** The second loop, with a report of the first one. */
const secondLoop = {
  at: { flow: 'existing-code', step: 'Security Audit' } as const,
  files: {
    [report]: '# Security\n\nOf the loop before.\n',
    '_docs/02_tasks/done/T-3_newton.md': '# newton\n\nThe scale newton.\n',
  },
  state: (text: string) =>
    text
      .replace(
        '## Key Decisions\n',
        '| 10 | Security Audit | 2025-12-01 | it is there |\n| 11 | Performance Test | 2025-12-01 | it is there |\n| 12 | Deploy | 2025-12-01 | it is there |\n| 7 | New Task | 2026-01-02 | (loop 2) a task |\n| 8 | Implement | 2026-01-03 | (loop 2) it is there |\n| 9 | Run Tests | 2026-01-04 | (loop 2) they pass |\n\n## Key Decisions\n- 2026-01-01T10:00:00+00:00 Q-LOOP: new task (loop 2)\n',
      )
      .replace('is there |\n\n| 10 |', 'is there |\n| 10 |'),
  prepare: async (world: World) => {
    const before = new Date('2025-12-01T00:00:00Z')
    utimesSync(world.path(report), before, before)
    const earlier = new Date(Date.now() - 60_000)
    for (const name of await readdir(world.path('_docs/02_tasks/done')))
      utimesSync(world.path(`_docs/02_tasks/done/${name}`), earlier, earlier)
  },
  answers: { 'Q-OPTIONAL': [{ option: 'run' }] },
}

export const documents: LifeLiar[] = [
  text('life-template', 'leaves the template of the document', template),
  text(
    'life-blank-characters',
    'writes characters that nobody sees',
    '# Solution\n\n\u200b\u200b &nbsp; \u00a0\n\ufeff\n',
  ),
  text(
    'life-comment',
    'writes a comment of several lines',
    '# Solution\n\n<!--\nIt is all here.\nReally.\n-->\n',
  ),
  text(
    'life-front-matter',
    'writes front matter alone',
    '---\ntitle: Solution\nstatus: done\n---\n\n# Solution\n',
  ),
  text('life-empty-fence', 'writes an empty fence', '# Solution\n\n```mermaid\n```\n'),
  text('life-zeros', 'writes bytes that are no text', Buffer.alloc(5_000)),
  text(
    'life-see-above',
    'writes that it is to be written, in a sentence',
    '# Solution\n\nThis document will be written later.\n',
  ),
  text(
    'life-german-placeholder',
    'writes that it is to be written, in German',
    '# Lösung\n\nFolgt noch.\n\n## Risiken\n\nWird noch ergänzt.\n',
  ),
  inPlace('life-link', 'leaves a link to another document', (job) =>
    symlinkSync('../00_problem/problem.md', job.path(solution)),
  ),
  inPlace('life-link-away', 'leaves a link to a file outside of the project', (job) =>
    symlinkSync('/etc/passwd', job.path(solution)),
  ),
  inPlace('life-directory', 'leaves a directory of the name', (job) =>
    job.write(`${solution}/notes.md`, 'All of it.\n'),
  ),
  inPlace('life-pipe', 'leaves a pipe', (job) => execFileSync('mkfifo', [job.path(solution)])),
  {
    ...inPlace('life-copy', 'copies a document of the step before', (job) =>
      job.write(solution, job.read('_docs/00_problem/problem.md')),
    ),
    files: {
      '_docs/00_problem/problem.md': `# Problem\n\n${'People mix up scales of temperature.\n'.repeat(12)}`,
    },
  },
  inPlace(
    'life-hidden',
    'hides what it wrote from git, which no commit will hold',
    (job) => {
      job.write(solution, '# Solution\n\nOne function for each scale.\n')
      job.append('.gitignore', '_docs/01_solution/\n')
    },
    /solution|gitignore/,
  ),
  inPlace(
    'life-hidden-exclude',
    'hides what it wrote by the excludes of the repository',
    (job) => {
      job.write(solution, '# Solution\n\nOne function for each scale.\n')
      job.append('.git/info/exclude', '_docs/01_solution/\n')
    },
    /exclude/,
  ),
  {
    name: 'life-touched-report',
    does: 'touches the report of the loop before, in place of another audit',
    ...secondLoop,
    acts: {
      'Security Audit': only((job) => utimesSync(job.path(report), new Date(), new Date())),
    },
    gates: ['Q-CLAIM'],
    names: /security_report.* was touched/,
  },
  earlier('life-loses-earlier', 'deletes what the step before has left', (job) => job.remove(solution)),
  earlier('life-moves-earlier', 'moves what the step before has left elsewhere', (job) =>
    job.move(solution, '_docs/archive/solution.md'),
  ),
  earlier('life-empties-earlier', 'empties what the step before has left', (job) =>
    job.write(solution, '# Solution\n'),
  ),
  earlier('life-links-earlier', 'puts a link in the place of what the step before has left', (job) => {
    job.remove(solution)
    symlinkSync('../00_problem/problem.md', job.path(solution))
  }),
  earlier('life-folder-earlier', 'puts a folder in the place of what the step before has left', (job) => {
    job.remove(solution)
    job.write(`${solution}/a.md`, 'a\n')
  }),
  earlier('life-garbles-earlier', 'puts bytes in the place of what the step before has left', (job) =>
    job.write(solution, Buffer.alloc(100)),
  ),
  earlier(
    'life-loses-wanted',
    'deletes one of the inputs of the person',
    (job) => job.remove('_docs/00_problem/input_data/water.csv'),
    /water\.csv/,
  ),
  earlier(
    'life-wishes',
    'puts a wish of its own beside those of the person',
    (job) => job.write('_docs/00_problem/more_criteria.md', '# More\n\nRankine may be left out.\n'),
    /more_criteria\.md/,
  ),
  earlier(
    'life-moves-wanted',
    'moves the whole folder of the person away',
    (job) => job.move('_docs/00_problem', '_docs/old_problem'),
    /problem\.md/,
  ),
  {
    name: 'life-links-docs',
    does: 'moves _docs to where nobody looks, and leaves a link',
    at: plan,
    acts: {
      Plan: after((job) => {
        job.move('_docs', 'elsewhere')
        symlinkSync('elsewhere', job.path('_docs'))
      }),
    },
    gates: ['Q-CLAIM', 'Q-TOUCHED', 'Q-FILE'],
    names: /_docs/,
  },
  {
    name: 'life-blank-mockup',
    does: 'leaves a page without anything on it as its design',
    at: design,
    answers: { 'Q-OPTIONAL': [{ option: 'run' }] },
    acts: { 'UI Design': only((job) => job.write('_docs/02_document/ui_mockups/page.html', ' \n\n')) },
    gates: ['Q-CLAIM'],
    names: /ui_mockups/,
  },
  {
    name: 'life-empty-table',
    does: 'leaves a table without a task, and a file without words',
    at: decompose,
    acts: {
      Decompose: only((job) => {
        job.write('_docs/02_tasks/_dependencies_table.md', table().replace(/^\| T-.*\n/gm, ''))
        job.write('_docs/02_tasks/todo/T-1_kelvin.md', '')
      }),
    },
    gates: ['Q-CLAIM'],
    names: /02_tasks/,
  },
  {
    name: 'life-tasks-without-words',
    does: 'leaves a whole table, and task files of which one says something',
    at: decompose,
    acts: {
      Decompose: only((job) => {
        job.write('_docs/02_tasks/_dependencies_table.md', table())
        job.write('_docs/02_tasks/todo/T-1_kelvin.md', taskText('kelvin'))
        job.write('_docs/02_tasks/todo/T-2_rankine.md', '# T-2\n\nTBD\n')
      }),
    },
    gates: ['Q-BOUNDARY'],
    names: /T-2_rankine/,
  },
  {
    name: 'life-rows-without-files',
    does: 'leaves a table of two tasks, and the file of one',
    at: decompose,
    acts: {
      Decompose: only((job) => {
        job.write('_docs/02_tasks/_dependencies_table.md', table())
        job.write('_docs/02_tasks/todo/T-1_kelvin.md', taskText('kelvin'))
      }),
    },
    gates: ['Q-BOUNDARY'],
    names: /T-2/,
  },
  {
    name: 'life-bare-matrix',
    does: 'leaves a table of tests without a row',
    at: testSpec,
    acts: {
      'Test Spec': only((job) =>
        job.write(
          '_docs/02_document/tests/traceability-matrix.md',
          '# Traceability\n\n| Criterion | Test |\n|---|---|\n',
        ),
      ),
    },
    gates: ['Q-CLAIM'],
    names: /traceability/,
  },
]

const writes = (name: string, words: string, content: string): LifeTwin => ({
  name,
  does: words,
  at: research,
  acts: { Research: does((job) => job.write(solution, content)) },
  proof: completed('Research'),
})

export const completed = (name: string) => async (world: World) =>
  new RegExp(`^\\| \\S+ \\| ${name} \\|`, 'm').test(await world.read(statePath))
    ? undefined
    : `${name} has no row`

export const documentTwins: LifeTwin[] = [
  {
    name: 'life-bare-skip-marker',
    does: 'finds nothing to be designed, and leaves an empty marker',
    at: design,
    answers: { 'Q-OPTIONAL': [{ option: 'run' }] },
    acts: { 'UI Design': only((job) => job.write('_docs/02_document/ui_mockups/.skip', '')) },
    sees: ['Q-OPTIONAL'],
  },
  {
    name: 'life-skip-marker',
    does: 'finds nothing to be designed, and leaves a marker that says so',
    at: design,
    answers: { 'Q-OPTIONAL': [{ option: 'run' }] },
    acts: {
      'UI Design': only((job) =>
        job.write('_docs/02_document/ui_mockups/SKIPPED.md', '# Skipped\n\nThere is nothing to see.\n'),
      ),
    },
    sees: ['Q-OPTIONAL'],
  },
  writes('life-honest', 'leaves its document', artifacts.Research?.[solution] ?? ''),
  writes(
    'life-german',
    'writes its document in German',
    '# Lösung\n\nEine Funktion je Skala, ohne Zustand.\n\n## Risiken\n\nKeine.\n',
  ),
  writes('life-japanese', 'writes its document in Japanese', '# 解決策\n\n各温度目盛りに一つの関数。\n'),
  writes(
    'life-crlf',
    'writes with both endings of lines',
    '# Solution\r\n\r\nOne function for each scale.\r\n',
  ),
  writes(
    'life-large',
    'writes a document of 3 MB',
    `# Solution\n\n${'One function for each scale, and a test for each.\n'.repeat(60_000)}`,
  ),
  writes(
    'life-todo-in-words',
    'speaks of what is to do in a sentence',
    '# Solution\n\nThe old code has a TODO in it, and the rate is TBD by the bank; we read it from a file.\n',
  ),
  writes(
    'life-template-filled',
    'fills a template and leaves the optional part',
    '# Solution\n\n## Overview\n\nOne function for each scale.\n\n## Open questions\n\nTBD\n\n## References\n\n<!-- none -->\n',
  ),
  writes('life-one-line', 'writes one line', 'One function for each scale.\n'),
  writes('life-code-only', 'writes a diagram alone', '# Solution\n\n```mermaid\ngraph TD; A-->B\n```\n'),
  writes(
    'life-table-only',
    'writes a table alone',
    '# Solution\n\n| Part | Why |\n|---|---|\n| scales.js | one function each |\n',
  ),
  writes(
    'life-with-front-matter',
    'writes front matter and words',
    '---\ntitle: Solution\n---\n\n# Solution\n\nOne function each.\n',
  ),
  writes(
    'life-html',
    'writes its document in HTML within Markdown',
    '# Solution\n\n<details><summary>All of it</summary>\n\nOne function for each scale.\n\n</details>\n',
  ),
  writes(
    'life-generics',
    'writes of types in angle brackets',
    '# Solution\n\n- <T> is the scale\n- Promise<number>\n',
  ),
  writes(
    'life-linked-words',
    'writes links alone',
    '# Solution\n\n- [The paper](https://example.invalid/paper)\n- <https://example.invalid/other>\n',
  ),
  {
    name: 'life-drafts',
    does: 'leaves a draft under the other name that counts, with pictures beside it',
    at: research,
    acts: {
      Research: does((job) => {
        job.write('_docs/01_solution/solution_draft01.md', '# Draft\n\nOne function each.\n')
        job.write('_docs/01_solution/picture.png', Buffer.from([0x89, 0x50, 0, 1]))
        job.write('_docs/00_research/sources.md', '# Sources\n\nA book.\n')
      }),
    },
    proof: completed('Research'),
  },
  {
    name: 'life-docs-unshared',
    does: 'leaves its document where the team shares no documents',
    at: research,
    prepare: async (world) => {
      await world.git('rm', '-rq', '--cached', '_docs')
      await world.commit('chore: documents stay here', {
        '.gitignore': 'node_modules/\ndist/\n.env\n_docs/\n',
      })
    },
    acts: { Research: (job) => job.honest() },
    proof: completed('Research'),
  },
  {
    name: 'life-mends-earlier',
    does: 'mends documents of the steps before, and splits one of them',
    at: plan,
    acts: {
      Plan: and((job) => {
        job.append(solution, '\nWritten more plainly in the plan.\n')
        job.write('_docs/01_solution/tech_stack.md', '# Stack\n\nNode.\n')
      }),
    },
    proof: completed('Plan'),
  },
  {
    name: 'life-renames-earlier',
    does: 'gives the document of the step before the other name that counts',
    at: plan,
    acts: { Plan: and((job) => job.move(solution, '_docs/01_solution/solution_draft02.md')) },
    proof: completed('Plan'),
  },
  {
    name: 'life-mockups',
    does: 'leaves a picture, a page and a marker of an editor as its design',
    at: design,
    sees: ['Q-OPTIONAL'],
    answers: { 'Q-OPTIONAL': [{ option: 'run' }] },
    acts: {
      'UI Design': does((job) => {
        job.write('_docs/02_document/ui_mockups/.gitkeep', '')
        job.write('_docs/02_document/ui_mockups/page.png', Buffer.from([0x89, 0x50, 0, 1]))
      }),
    },
    proof: completed('UI Design'),
  },
  {
    name: 'life-decomposes',
    does: 'leaves a table and files, with an overview and a folder beside them',
    at: decompose,
    acts: {
      Decompose: and((job) => {
        job.write('_docs/02_tasks/README.md', '# Tasks\n\nTwo.\n')
        job.write('_docs/02_tasks/todo/.gitkeep', '')
        mkdirSync(job.path('_docs/02_tasks/done'), { recursive: true })
      }),
    },
    proof: completed('Decompose'),
  },
  {
    name: 'life-audits-again',
    does: 'writes the report of an earlier loop anew',
    ...secondLoop,
    sees: ['Q-OPTIONAL'],
    acts: { 'Security Audit': (job) => job.honest() },
    proof: completed('Security Audit'),
  },
  {
    name: 'life-adds-input',
    does: 'adds an input beside those of the person',
    at: plan,
    acts: {
      Plan: and((job) => job.write('_docs/00_problem/input_data/extra.csv', 'celsius,kelvin\n10,283.15\n')),
    },
    proof: completed('Plan'),
  },
]
