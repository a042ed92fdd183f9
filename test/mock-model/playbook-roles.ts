import { commitCommand, type Part, playPart, promptIndex, promptOf, type Step, stepReached } from './part.js'
import { type Scenario, turn } from './turn.js'
import { bashCall, writingCommand } from './vocabulary.js'

// Plays the nine personas of the playbook workflow over a roadmap of one phase. The executor leaves a fault that the test
// specification shows, so that a debugger is needed. Everything is read from the conversation.

export const playbookProject: Record<string, string> = {
  'package.json': `${JSON.stringify({ name: 'polite', private: true, type: 'module' }, null, 2)}\n`,
  '.gitignore': '.autopilot/\n',
  '.planning/ROADMAP.md': `# Roadmap

- [ ] **Phase 1: Greeting** - a person is greeted

### Phase 1: Greeting

**Goal**: A person is greeted by name
**Depends on**: Nothing
**Success Criteria**:
1. A name is greeted -- verified by: \`node source/main.js Ada\` (contains "Hello, Ada!")
`,
  '.planning/config.json': `${JSON.stringify(
    {
      verification_min_seconds: 0,
      project: { commands: { compile: null, test: null, lint: null, build: null } },
    },
    null,
    2,
  )}\n`,
}

const greeting = (mark: string) => `process.stdout.write(\`Hello, \${process.argv[2]}${mark}\\n\`)\n`
const file = 'source/main.js'

const plan = `# Plan: Greeting

<task id="01-01" type="auto" complexity="simple">
<name>Greet by name</name>
<files>${file}</files>
<action>Print the greeting of the first argument.</action>
<verify>
- A name is greeted -- verified by: \`node ${file} Ada\` (contains "Ada")
</verify>
<done>A person is greeted by name.</done>
</task>
`

const spec = `if [ "$(node ${file} Ada)" = "Hello, Ada!" ]; then echo "PASS: greeted"; else echo "FAIL: greeted"; exit 1; fi
`

interface Order {
  prompt: string
  dir: string
  subject: string
}

const persona = /^You are ((?:phase|plan|mini)-[a-z]+)\./m
const shell =
  (command: string): Step =>
  (request) =>
    bashCall(request, command)

/** The handler for `play`. */
export const playbookRoles: Scenario = (request) => {
  const prompt = promptOf(request, persona)
  const role = persona.exec(prompt)?.[1]
  const play = role === undefined ? undefined : parts[role]
  if (!play) return turn({ text: 'I do not know this persona.' })
  const order = {
    prompt,
    dir: /^- Directory of the phase: `(.+)`$/m.exec(prompt)?.[1] ?? '.planning',
    subject: /^- Begin each commit subject with: `(.+)`$/m.exec(prompt)?.[1] ?? 'chore: ',
  }
  return playPart(request, play(order), stepReached(request, promptIndex(request, persona)))
}

/** Words of results, as they stand in journals, logs and conversations, for `grep -E`. */
const toldOf =
  '(tasks_completed|autonomous_confidence|aggregate_justification)[^a-z<]{1,9}[a-z0-9][^,]{1,9}|Nobody is [g]reeted'

/** What a role prints that looks into the papers of the others: `peek of <role>`, and what it found. */
const peek = ({ dir }: Order, role: string): Step =>
  shell(`echo "peek of ${role}"; tail -n 40 ${dir}/*.md; grep -rhsoE '${toldOf}' .autopilot | sort -u; true`)

const looked = [`node ${file} Ada -> Hello, Ada!`]
const place = `${file}:1 -- the whole program`
const criterionIds = ({ prompt }: Order) =>
  [...prompt.matchAll(/^- (\S+-c\d+) \(/gm)].map((found) => found[1] ?? '')

const parts: Readonly<Record<string, (order: Order) => Part>> = {
  'phase-researcher': ({ dir }) => ({
    steps: [shell(writingCommand(`${dir}/RESEARCH.md`, '# Research\n\nNothing is there yet.\n'))],
    result: { key_findings: ['empty'], recommended_approach: 'one file', risks: [], open_questions: [] },
    prose: 'I looked around.',
  }),
  'phase-planner': ({ dir }) => ({
    steps: [
      shell(writingCommand(`${dir}/PLAN.md`, plan)),
      shell(writingCommand(`${dir}/tests/task-01-01.sh`, spec)),
    ],
    result: {
      plans_created: 1,
      waves: 1,
      total_tasks: 1,
      complexity: 'simple',
      dependencies: [],
      concerns: [],
    },
    prose: 'One task.',
  }),
  'plan-checker': () => ({
    steps: [shell('git status --short')],
    result: { pass: true, issues: [], confidence: 9, blocker_count: 0, warning_count: 0 },
    prose: 'It can be worked by.',
  }),
  'phase-executor': ({ subject }) => ({
    steps: [
      shell(`${writingCommand(file, greeting('?'))}\n${commitCommand(file, `${subject}greet by name`)}`),
    ],
    result: {
      tasks_completed: '1/1',
      tasks_failed: '0/1',
      commit_shas: [],
      evidence: [{ task_id: '01-01', criteria_met: [place], commands_run: looked }],
      deviations: [],
      confidence: 8,
    },
    prose: 'It is written.',
  }),
  'phase-debugger': ({ subject }) => ({
    steps: [
      shell(`${writingCommand(file, greeting('!'))}\n${commitCommand(file, `${subject}the right mark`)}`),
    ],
    result: {
      fixed: true,
      changes: ['the right mark'],
      commits: [],
      remaining_issues: [],
      failure_categories: [],
    },
    prose: 'It is mended.',
  }),
  'mini-verifier': (order) => ({
    steps: [shell(`node ${file} Ada`), peek(order, 'mini-verifier')],
    result: {
      task_id: '01-01',
      pass: true,
      criteria_results: [],
      concerns: [],
      commands_run: looked,
      gate_validation: { compile: 'skipped', lint: 'skipped', test: 'skipped' },
    },
    prose: 'It greets.',
  }),
  'phase-verifier': verifies,
  'phase-judge': judges,
  'phase-rater': (order) => ({
    steps: [shell(`node ${file} Ada`), peek(order, 'rater')],
    result: {
      alignment_score: 9.3,
      scorecard: criterionIds(order).map((criterion) => ({
        criterion,
        score: 9.3,
        evidence: place,
        justification: 'it was run',
        verification_command: `node ${file} Ada`,
        command_output: 'Hello, Ada!',
      })),
      aggregate_justification: 'the mean',
      side_effects: [],
      commands_run: looked,
      test_coverage: { tasks_with_tests: 1, tasks_total: 1, assertions_passed: 1, assertions_total: 1 },
      score_band: 'good',
    },
    prose: 'It is good.',
  }),
}

/** The verifier of a phase, of the whole run, and of the spec. */
function verifies(order: Order): Part {
  const steps = [shell(`node ${file} Ada`), peek(order, 'verifier')]
  if (order.prompt.includes('whether they fit together'))
    return { steps, result: { pass: true, issues: [], commands_run: looked }, prose: 'They fit.' }
  if (order.prompt.includes('you go through the spec'))
    return { steps, result: { gaps: [], commands_run: looked }, prose: 'Nothing is missing.' }
  const none = { status: 'n/a', detail: 'the project has none' }
  return {
    steps,
    result: {
      pass: true,
      automated_checks: { compile: none, lint: none, build: none, test: none },
      criteria_results: criterionIds(order).map((criterion) => ({
        criterion,
        status: 'verified',
        evidence: place,
      })),
      commands_run: looked,
      failures: [],
      failure_categories: [],
      scope_creep: [],
      execution_results: [],
      autonomous_confidence: 9,
      deferral_evidence: [],
    },
    prose: 'Verified.',
  }
}

/** Both turns of the judge; the second one knows the report of the verifier. */
function judges(order: Order): Part {
  const { prompt, dir } = order
  const path = `${dir}/JUDGE-REPORT.md`
  const judgement = {
    recommendation: 'proceed',
    concerns: ['Nobody is greeted where no name is given.'],
    independent_evidence: [place],
    scope_creep: [],
    missing_requirements: [],
    notes: '',
  }
  if (!prompt.includes('- Report of the verifier:'))
    return {
      steps: [peek(order, 'judge'), shell(writingCommand(path, `# Judge report\n\n${place}\n`))],
      result: judgement,
      prose: 'My report.',
    }
  const divergence = `# Judge report\n\n${place}\n\n## Divergence Analysis\n\nBoth saw the same.\n`
  return {
    steps: [peek(order, 'judge, second turn'), shell(writingCommand(path, divergence))],
    result: { ...judgement, verifier_agreement: true, verifier_missed: [] },
    prose: 'Compared.',
  }
}
