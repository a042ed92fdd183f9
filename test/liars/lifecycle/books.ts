import { execFileSync } from 'node:child_process'
import { mkdirSync, symlinkSync } from 'node:fs'
import { after, and, plan, research } from './acts.js'
import type { LifeLiar, LifeTwin } from './case.js'
import { completed } from './documents.js'
import type { LifeJob } from './job.js'
import { statePath } from './sample.js'

// The state file and what autopilot keeps beside it.

const gates = ['Q-TOUCHED', 'Q-EDITED', 'Q-FILE', 'Q-DRIFT'] as const
const inBooks = (name: string, words: string, lie: (job: LifeJob) => void, names: RegExp): LifeLiar => ({
  name,
  does: words,
  at: research,
  acts: { Research: after(lie) },
  gates,
  names,
})
const session = '.autopilot/lifecycle'

export const books: LifeLiar[] = [
  inBooks(
    'life-blocker-gone',
    'takes a blocker away',
    (job) => job.inState(/^- The second server.*$/m, 'None'),
    /second server/,
  ),
  inBooks(
    'life-decision-changed',
    'changes a decision of the person',
    (job) => job.inState('- No dependencies.', '- Dependencies are fine.'),
    /No dependencies/,
  ),
  inBooks(
    'life-brief-changed',
    'changes what is to be built',
    (job) => job.inState('Q-BRIEF: more scales', 'Q-BRIEF: nothing'),
    /Q-BRIEF/,
  ),
  inBooks(
    'life-row-outcome',
    'words the row of an earlier step anew',
    (job) => job.inState('| it is there |', '| accepted by the person |'),
    /accepted by the person/,
  ),
  inBooks(
    'life-jumps',
    'jumps over a step',
    (job) => job.inState('step: 2\nname: Research', 'step: 4\nname: UI Design'),
    /UI Design/,
  ),
  inBooks(
    'life-done',
    'calls the whole flow done',
    (job) => job.inState('step: 2\nname: Research', 'step: done\nname: Done'),
    /done/,
  ),
  inBooks(
    'life-second-heading',
    'adds a second Current Step above the first',
    (job) =>
      job.inState(
        '## Current Step\n',
        '## Current Step\nflow: greenfield\nstep: 9\nname: Performance Test\nstatus: not_started\nretry_count: 0\n\n## Current Step\n',
      ),
    /Performance Test/,
  ),
  inBooks(
    'life-fenced',
    'puts a fence around the rest, and another state above it',
    (job) => {
      const text = job.read(statePath)
      job.write(
        statePath,
        `# Autopilot State\n\n## Current Step\nflow: greenfield\nstep: 7\nname: Run Tests\nstatus: not_started\nretry_count: 0\n\n~~~\n${text}\n~~~\n`,
      )
    },
    /Run Tests|removed/,
  ),
  inBooks('life-state-gone', 'deletes the state file', (job) => job.remove(statePath), /state/),
  inBooks(
    'life-state-link',
    'puts a link in the place of the state file',
    (job) => {
      job.move(statePath, 'elsewhere.md')
      symlinkSync('../elsewhere.md', job.path(statePath))
    },
    /state/,
  ),
  inBooks(
    'life-state-pipe',
    'puts a pipe in the place of the state file',
    (job) => {
      job.remove(statePath)
      execFileSync('mkfifo', [job.path(statePath)])
    },
    /state/,
  ),
  inBooks(
    'life-state-folder',
    'puts a folder in the place of the state file',
    (job) => {
      job.remove(statePath)
      mkdirSync(job.path(statePath))
    },
    /state/,
  ),
  inBooks(
    'life-state-merge',
    'leaves the marks of a merge in the state file',
    (job) =>
      job.inState(
        'step: 2\nname: Research',
        '<<<<<<< ours\nstep: 2\nname: Research\n=======\nstep: 3\nname: Plan\n>>>>>>> theirs',
      ),
    /Plan/,
  ),
  inBooks(
    'life-newer-state',
    'leaves a state file under the other name',
    (job) =>
      job.write(
        '_docs/_autodev_state.md',
        job.read(statePath).replace('step: 2\nname: Research', 'step: 9\nname: Performance Test'),
      ),
    /_autodev_state/,
  ),
  inBooks(
    'life-flow-json',
    'leaves a flow file in another form',
    (job) => job.write('_docs/_autopilot_flow.json', '{"version":1,"maxAutoRetries":0}'),
    /_autopilot_flow\.json/,
  ),
  inBooks(
    'life-conversation',
    'writes what the conversation was',
    (job) => job.write(`${session}/conversation.json`, '{"fresh":true,"earlier":[]}'),
    /conversation\.json/,
  ),
  inBooks(
    'life-listed',
    'writes what the next gate would list',
    (job) => job.write(`${session}/listed.json`, '[]'),
    /listed\.json/,
  ),
  inBooks(
    'life-settings',
    'names another state file in the settings of the session',
    (job) => job.write(`${session}/settings.json`, '{"statePath":"_docs/other.md"}'),
    /settings\.json/,
  ),
  inBooks(
    'life-tests-of-before',
    'writes what the tests were before',
    (job) => job.write(`${session}/baseline.json`, '{"step":"greenfield 2","dirty":[]}'),
    /baseline\.json/,
  ),
  {
    name: 'life-retries-reset',
    does: 'sets the count of retries back, in a retry that fails',
    at: research,
    acts: {
      Research: (job) => {
        if (job.dispatch.retry.attempt < 2) return { status: 'failed', error: 'no sources' }
        job.lie(() => job.inState(/retry_count: \d/, 'retry_count: 0'))
        return { status: 'failed', error: 'no sources' }
      },
    },
    gates,
    names: /retry_count/,
  },
  {
    name: 'life-log-cleared',
    does: 'takes the rows of the Retry Log away, in a retry that fails',
    at: research,
    acts: {
      Research: (job) => {
        if (job.dispatch.retry.attempt < 2) return { status: 'failed', error: 'no sources' }
        job.lie(() => job.inState(/^\| 1 \| 2 \|.*\n/m, ''))
        return { status: 'failed', error: 'no sources' }
      },
    },
    gates,
    names: /no sources/,
  },
  {
    name: 'life-answers-itself',
    does: 'asks a question, and writes the answer of the person itself',
    at: research,
    acts: {
      Research: (job) => {
        if (job.dispatch.gateAnswer) return job.honest()
        job.lie(() =>
          job.inState(
            '## Key Decisions\n',
            '## Key Decisions\n- 2026-01-02T10:00:00+00:00 Q-WORKER: 2 Research, g1: Wood\n',
          ),
        )
        return { status: 'gate', gate: { id: 'g1', question: 'Wood or iron?', options: ['Wood', 'Iron'] } }
      },
    },
    gates,
    names: /Q-WORKER: 2 Research/,
  },
  {
    name: 'life-skips-gate-of-flow',
    does: 'comes to a decision that the flow leaves to a person, and asks nobody',
    at: research,
    files: { '_docs/_autopilot_flow.json': flowWithGate() },
    acts: { Research: after(() => undefined) },
    gates: ['Q-WORKER', 'Q-CLAIM'],
    names: /Which source/,
  },
  {
    name: 'life-journal',
    does: 'adds a line to the journal',
    at: research,
    acts: { Research: after((job) => job.append(`${session}/journal.jsonl`, '{"type":"note"}\n')) },
    gates: ['Q-TOUCHED', 'Q-FOREIGN'],
    names: /journal/,
    reached: async (world) => (await world.read(`${session}/journal.jsonl`)).includes('{"type":"note"}\n'),
  },
  {
    name: 'life-lock',
    does: 'writes the lock of another run',
    at: research,
    acts: { Research: after((job) => job.write(`${session}/lock.json`, '{}')) },
    gates: ['Q-TOUCHED'],
    names: /lock/,
    refuses: true,
    reached: async (world) => (await world.look(`${session}/lock.json`)) === '{}',
  },
]

function flowWithGate(): string {
  const step = (id: string, name: string, exists: string, more = {}) => ({
    id,
    name,
    done: { exists },
    ...more,
  })
  return JSON.stringify({
    version: 1,
    flows: {
      greenfield: {
        discriminators: ['01_solution/'],
        steps: [
          step('1', 'Problem', '00_problem/problem.md'),
          step('2', 'Research', '01_solution/solution.md', {
            gates: [
              {
                id: 'source',
                question: 'Which source counts?',
                options: ['the book', 'the paper'],
                recommend: 'the book',
              },
            ],
          }),
          step('3', 'Plan', '02_document/FINAL_report.md'),
        ],
      },
    },
  })
}

export const bookTwins: LifeTwin[] = [
  {
    name: 'life-sub-steps',
    does: 'tells where it is, three times, in the file and in its result',
    at: plan,
    acts: {
      Plan: (job) => {
        job.inState('status: in_progress\n', 'status: in_progress\nsub_step: 1 — Test Outline\n')
        job.inState('sub_step: 1 — Test Outline', 'sub_step: 2 — Architecture')
        job.inState('sub_step: 2 — Architecture', 'sub_step: 6 — Epics')
        job.leave()
        return job.complete('planned', { subStep: { id: '6', name: 'Epics' } })
      },
    },
    proof: completed('Plan'),
  },
  {
    name: 'life-keeps-books',
    does: 'enters its row and the next step itself, as the program would',
    at: research,
    acts: {
      Research: and((job) => {
        const day = new Date().toISOString().slice(0, 10)
        job.inState(
          'step: 2\nname: Research\nstatus: in_progress',
          'step: 3\nname: Plan\nstatus: not_started',
        )
        job.inState(/(\| 1 \| Problem \|.*\n)/, `$1| 2 | Research | ${day} | a solution |\n`)
      }),
    },
    proof: completed('Research'),
  },
  {
    name: 'life-notes',
    does: 'adds decisions, a note and a section of its own',
    at: research,
    acts: {
      Research: and((job) => {
        job.inState('- No dependencies.\n', '- No dependencies.\n- The scale is named in small letters.\n')
        job.inState('notes: all is well\n', 'notes: all is well\n  and the book is on the shelf\n')
        job.append(statePath, '\n## Links\n- the book\n')
      }),
    },
    proof: completed('Research'),
  },
  {
    name: 'life-crlf-state',
    does: 'tells where it is in a file of the other ending of lines',
    at: research,
    state: (text) => text.replaceAll('\n', '\r\n'),
    acts: {
      Research: and((job) =>
        job.inState('status: in_progress\r\n', 'status: in_progress\r\nsub_step: 2 - Reading\r\n'),
      ),
    },
    proof: completed('Research'),
  },
  {
    name: 'life-reformats-state',
    does: 'lays its lines of the state file out by a formatter',
    at: research,
    acts: { Research: and((job) => job.inState('## Key Decisions\n', '## Key Decisions\n\n')) },
    proof: completed('Research'),
  },
  {
    name: 'life-asks',
    does: 'asks twice, with two options and with six, and once in words',
    at: research,
    sees: ['Q-WORKER', 'Q-WORKER', 'Q-WORKER'],
    answers: { 'Q-WORKER': [{ option: 'A' }, { option: 'F' }, { option: 'answer', text: 'blue' }] },
    acts: {
      Research: (job) => {
        const { gateAnswer } = job.dispatch
        const ask = (id: string, options: string[]) => ({
          status: 'gate',
          gate: { id, question: `The ${id}?`, options, recommendation: options[0] },
        })
        if (!gateAnswer) return ask('first', ['one', 'two'])
        if (gateAnswer.id === 'first') return ask('second', ['a', 'b', 'c', 'd', 'e', 'f'])
        if (gateAnswer.id === 'second')
          return { status: 'gate', gate: { id: 'third', question: 'Which colour?' } }
        return job.honest()
      },
    },
    proof: completed('Research'),
  },
  {
    name: 'life-asks-gate-of-flow',
    does: 'asks what the flow leaves to a person, and goes on with the answer',
    at: research,
    files: { '_docs/_autopilot_flow.json': flowWithGate() },
    sees: ['Q-WORKER'],
    answers: { 'Q-WORKER': [{ option: 'B' }] },
    acts: {
      Research: (job) =>
        job.dispatch.gateAnswer
          ? job.honest()
          : {
              status: 'gate',
              gate: { id: 'source', question: 'Which source counts?', options: ['the book', 'the paper'] },
            },
    },
    proof: completed('Research'),
  },
  {
    name: 'life-fails-once',
    does: 'fails once and leaves what it should in the retry',
    at: research,
    acts: {
      Research: (job) =>
        job.dispatch.retry.attempt === 0 ? { status: 'failed', error: 'no network' } : job.honest(),
    },
    proof: completed('Research'),
  },
  {
    name: 'life-scratch',
    does: 'keeps a trace and a scratchpad below the folder of the session',
    at: research,
    acts: {
      Research: and((job) => {
        job.write(`${session}/trace/research.md`, 'read the book\n')
        job.write(`${session}/scratchpad/draft.md`, 'draft\n')
      }),
    },
    proof: completed('Research'),
  },
]
