// A spec of three small phases, and what its agents build: enough for a whole run, small enough to read.

export interface BuiltFile {
  path: string
  text: string
}

export interface PhaseWork {
  name: string
  /** One task for each file, in order. */
  tasks: { title: string; file: BuiltFile; commit: string }[]
}

const moduleTask = (title: string, path: string, text: string, commit: string) => ({
  title,
  file: { path, text },
  commit,
})

export const phaseWorks: readonly PhaseWork[] = [
  {
    name: 'Greeting',
    tasks: [
      moduleTask(
        'Greet by name',
        'source/greeting.js',
        "export function greet(name) {\n  return 'Hello, ' + name + '!'\n}\n",
        'Greet a person by name',
      ),
      moduleTask(
        'Test the greeting',
        'test/greeting.test.js',
        `import assert from 'node:assert/strict'
import test from 'node:test'
import { greet } from '../source/greeting.js'

test('greets by name', () => assert.equal(greet('Ada'), 'Hello, Ada!'))
`,
        'Hold the greeting by a test',
      ),
    ],
  },
  {
    name: 'Farewell',
    tasks: [
      moduleTask(
        'Say goodbye by name',
        'source/farewell.js',
        "export function leave(name) {\n  return 'Goodbye, ' + name + '.'\n}\n",
        'Say goodbye to a person by name',
      ),
      moduleTask(
        'Test the farewell',
        'test/farewell.test.js',
        `import assert from 'node:assert/strict'
import test from 'node:test'
import { leave } from '../source/farewell.js'

test('says goodbye by name', () => assert.equal(leave('Ada'), 'Goodbye, Ada.'))
`,
        'Hold the farewell by a test',
      ),
    ],
  },
  {
    name: 'Command line',
    tasks: [
      moduleTask(
        'Greet and say goodbye from the command line',
        'source/main.js',
        `import { leave } from './farewell.js'
import { greet } from './greeting.js'

const name = process.argv[2] ?? 'world'
process.stdout.write(\`\${greet(name)}\\n\${leave(name)}\\n\`)
`,
        'Run both from the command line',
      ),
      moduleTask(
        'Test the command line',
        'test/main.test.js',
        `import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import test from 'node:test'

test('greets, then leaves', () => {
  const said = execFileSync(process.execPath, ['source/main.js', 'Ada'], { encoding: 'utf8' })
  assert.equal(said, 'Hello, Ada!\\nGoodbye, Ada.\\n')
})
`,
        'Hold the command line by a test',
      ),
    ],
  },
]

export const harnessSpecPath = 'docs/changes/polite/proposal.md'

export const harnessSpec = `# A polite program

A program that greets a person and says goodbye.

## Implementation Order

### Phase 1: Greeting
<!-- complexity: low -->

\`greet(name)\` in \`source/greeting.js\`, with a test.

### Phase 2: Farewell
<!-- complexity: low -->

\`leave(name)\` in \`source/farewell.js\`, with a test.

### Phase 3: Command line
<!-- complexity: low -->

\`node source/main.js <name>\` prints both, with a test.
`

/** First commit of a project for this spec. */
export const harnessProject: Record<string, string> = {
  'package.json': `${JSON.stringify(
    { name: 'polite', version: '1.0.0', private: true, type: 'module', scripts: { test: 'node --test' } },
    undefined,
    2,
  )}\n`,
  'readme.md': '# Polite\n',
  [harnessSpecPath]: harnessSpec,
}

/** Every commit that the executors of a whole run make, oldest first. */
export const taskCommits: readonly string[] = phaseWorks.flatMap((phase) =>
  phase.tasks.map((task) => task.commit),
)
