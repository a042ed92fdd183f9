import type { ConflictReading } from '../../documents/merge-conflicts.js'
import type { Evidence, QuestionDraft, QuestionOption } from '../../view/question.js'
import { stop } from '../options.js'
import type { FlowStep } from './flow/flow.js'
import type { WorkerGate } from './results.js'

// Gates of this workflow (docs/lifecycle.md, "Questions").

const option = (
  value: string,
  label: string,
  consequence: string,
  more: Partial<QuestionOption> = {},
): QuestionOption => ({
  value,
  label,
  consequence,
  ...more,
})
const recommended = { recommended: true } as const
const label = (step: Pick<FlowStep, 'id' | 'name'>) => `Step ${step.id} ${step.name}`

function panel(title: string, lines: string[]): { evidence?: Evidence[] } {
  return lines.length === 0 ? {} : { evidence: [{ id: 'looked', kind: 'text', title, lines }] }
}

/** Before anything is written: which flow, from which step. */
export function qStart(about: {
  flow: string
  step: string
  why: string
  others: string[]
  choose: boolean
  looked: string[]
}): QuestionDraft {
  return {
    gate: 'Q-START',
    title: about.choose ? 'Which flow does this project follow?' : `Start the ${about.flow} flow here?`,
    body: [about.why, `It would begin at ${about.step}. Nothing has been written yet.`],
    ...panel('What was looked at', about.looked),
    options: [
      option(
        'start',
        about.choose ? `start ${about.flow}` : 'start',
        'write the state file and begin',
        recommended,
      ),
      ...about.others.map((flow) => option(`flow:${flow}`, `other flow: ${flow}`, `begin the ${flow} flow`)),
      stop,
    ],
  }
}

export function qFlow(path: string, lines: readonly string[]): QuestionDraft {
  return {
    gate: 'Q-FLOW',
    title: 'The flow file cannot be used',
    body: [path, ...lines],
    options: [
      option('built-in', 'built-in', 'follow the steps that are known without this file', recommended),
      stop,
    ],
  }
}

export function qTwoFiles(paths: readonly string[], used: string): QuestionDraft {
  return {
    gate: 'Q-DRIFT',
    title: 'There is more than one state file',
    body: [...paths, '', `Only ${used} is read and written.`],
    options: [option('use', `use ${used}`, 'go on; the others stay as they are', recommended), stop],
  }
}

export function qDrift(about: {
  file: string
  folders: string
  evidence: string[]
  effects: { file: string; folders: string }
}): QuestionDraft {
  return {
    gate: 'Q-DRIFT',
    title: 'State file and folders disagree',
    body: [`state file: ${about.file}`, `folders: ${about.folders}`, '', ...about.evidence],
    ...panel('What was looked at', about.evidence),
    options: [
      option('folders', 'folders', about.effects.folders, recommended),
      option('file', 'state file', about.effects.file),
      stop,
    ],
  }
}

export function qName(about: {
  number: string
  name: string
  byNumber: string | undefined
  byName: string | undefined
}): QuestionDraft {
  const byName =
    about.byName === undefined ? [] : [option('name', 'name', `go on at ${about.byName}`, recommended)]
  const byNumber =
    about.byNumber === undefined
      ? []
      : [
          option(
            'number',
            'number',
            `go on at ${about.byNumber}`,
            about.byName === undefined ? recommended : {},
          ),
        ]
  return {
    gate: 'Q-NAME',
    title: 'Number and name of the step disagree',
    body: [`The state file says step ${about.number}, and the name "${about.name}".`],
    options: [
      ...byName,
      ...byNumber,
      ...(byName.length + byNumber.length === 0 ? [{ ...stop, ...recommended }] : [stop]),
    ],
  }
}

/** The position cannot be read: the folders are what is left to go by. */
export function qUnclear(about: {
  lines: string[]
  places: { value: string; text: string }[]
  looked: string[]
}): QuestionDraft {
  return {
    gate: 'Q-DRIFT',
    title: 'The state file does not say where the project stands',
    body: about.lines,
    ...panel('What was looked at', about.looked),
    options: [
      ...about.places.map(({ value, text }, index) =>
        option(
          value,
          index === 0 ? `folders: ${text}` : text,
          'go on there; the rest of the file stays',
          index === 0 ? recommended : {},
        ),
      ),
      stop,
    ],
  }
}

/** The file calls its current step over already. */
export function qTold(step: FlowStep, status: string, lines: string[]): QuestionDraft {
  return {
    gate: 'Q-CONFIRM',
    title: `${label(step)} is called ${status} in the state file. Is it?`,
    body: lines,
    options: [
      option('confirm', 'confirm', 'write its row and go on to the next step', recommended),
      option('retry', 'retry', 'take it up again'),
      stop,
    ],
  }
}

export function qOptional(step: FlowStep): QuestionDraft {
  return {
    gate: 'Q-OPTIONAL',
    title: `${label(step)} is optional. Run it?`,
    body: [],
    options: [
      option('run', 'run', 'start it now', recommended),
      option('skip', 'skip', 'go on to the next step', {
        text: { label: 'Why is it skipped?', required: true },
      }),
      stop,
    ],
  }
}

const shownConflicts = 10
const shownOfSide = 6

/** An unfinished merge in the state file: one side of each place where two changes did not fit. */
export function qConflict(path: string, reading: ConflictReading): QuestionDraft {
  const gate = 'Q-EDITED'
  const title = 'The state file is in the middle of a merge'
  if (reading.kind === 'broken')
    return {
      gate,
      title,
      body: [
        path,
        `The marks of a merge in its lines ${reading.lines.join(', ')} do not belong together, so its sides cannot be told apart.`,
        'Finish the merge in an editor, and start autopilot again. Nothing was changed.',
      ],
      options: [{ ...stop, ...recommended }],
    }
  const { conflicts } = reading
  const side = (sign: string, { lines }: { lines: string[] }) => [
    ...lines.slice(0, shownOfSide).map((line) => `  ${sign} ${line}`),
    ...(lines.length > shownOfSide ? [`  ${sign} (${lines.length - shownOfSide} more lines)`] : []),
  ]
  const [first] = conflicts
  const named = (name: string | undefined) => (name ? ` (${name})` : '')
  return {
    gate,
    title,
    body: [
      path,
      ...conflicts
        .slice(0, shownConflicts)
        .flatMap(({ from, to, ours, theirs }) => [
          `Lines ${from} to ${to}:`,
          ...side('ours  ', ours),
          ...side('theirs', theirs),
        ]),
      ...(conflicts.length > shownConflicts ? [`and ${conflicts.length - shownConflicts} more places`] : []),
    ],
    options: [
      option('theirs', 'theirs', `take the second side everywhere${named(first?.theirs.name)}`),
      option('ours', 'ours', `take the first side everywhere${named(first?.ours.name)}`),
      { ...stop, ...recommended },
    ],
  }
}

export function qBrief(step: FlowStep, problem: string | undefined): QuestionDraft {
  return {
    gate: 'Q-BRIEF',
    title: 'What is to be built?',
    body: [
      ...(problem === undefined ? [] : [problem, '']),
      `${label(step)} begins with it, and every step of this loop is told.`,
    ],
    options: [
      option('text', 'say it', 'in your own words', {
        text: { label: 'What is to be built', required: true },
        ...recommended,
      }),
      option('file', 'name a file', 'a file of the project that says it', {
        text: { label: 'Path of the file', required: true },
      }),
      stop,
    ],
  }
}

export function qDeploy(step: FlowStep): QuestionDraft {
  return {
    gate: 'Q-DEPLOY',
    title: `${label(step)}: release it?`,
    body: ['A deployment reaches other machines and cannot be taken back by git.'],
    options: [
      option('deploy', 'deploy', 'start the step'),
      option(
        'prepare',
        'prepare only',
        'procedures and scripts, nothing is released; the step stays open',
        recommended,
      ),
      stop,
    ],
  }
}

const letters = ['A', 'B', 'C', 'D', 'E', 'F']

/** What a worker leaves to a person, as a menu with letters; without options in words. */
export function qWorker(step: FlowStep, gate: WorkerGate): QuestionDraft {
  const { question, options, recommendation } = gate
  const wanted = recommendation?.trim()
  const isWanted = (text: string, letter: string) =>
    wanted !== undefined &&
    (wanted === letter || wanted.startsWith(text) || new RegExp(`^${letter}\\b`).test(wanted))
  const first = options.findIndex((text, index) => isWanted(text, letters[index] ?? ''))
  const menu = options.map((text, index) =>
    option(letters[index] ?? '', `${letters[index]}) ${text}`, 'tell the worker', {
      ...(index === Math.max(0, first) ? recommended : {}),
      text: { label: 'A word to it', required: false },
    }),
  )
  return {
    gate: 'Q-WORKER',
    title: question,
    body: [label(step), ...(wanted === undefined ? [] : [`Recommendation: ${wanted}`])],
    options: [
      ...(menu.length > 0
        ? menu
        : [
            option('answer', 'answer', 'tell the worker', {
              ...recommended,
              text: { label: 'Answer', required: true },
            }),
          ]),
      stop,
    ],
  }
}

export function qConfirm(step: FlowStep, lines: string[], ok: boolean | undefined): QuestionDraft {
  return {
    gate: 'Q-CONFIRM',
    title: `${label(step)} is reported complete. Is it?`,
    body: lines,
    options: [
      option('confirm', 'confirm', 'write its row and go on', ok === false ? {} : recommended),
      option('retry', 'retry', 'counts as a failed run', ok === false ? recommended : {}),
      stop,
    ],
  }
}

export function qClaim(step: FlowStep, outcome: string, evidence: string[]): QuestionDraft {
  return {
    gate: 'Q-CLAIM',
    title: `${label(step)} is reported complete, and what it should leave is not there`,
    body: [outcome, '', ...evidence],
    ...panel('What was looked at', evidence),
    options: [
      option('retry', 'retry', 'counts as a failed run', recommended),
      option('accept', 'accept', 'write its row with your reason', {
        text: { label: 'Why is it accepted?', required: true },
      }),
      stop,
    ],
  }
}

export function qTouched(step: FlowStep, lines: readonly string[]): QuestionDraft {
  return {
    gate: 'Q-TOUCHED',
    title: 'The state file was changed where only the program writes',
    body: [
      `During: ${label(step)}. It was the agent or you, if you worked beside it. These lines were changed:`,
      ...lines,
    ],
    options: [
      option(
        'put-back',
        'put back',
        'it has been put back already; sub-step and additions stay',
        recommended,
      ),
      option('mine', 'mine, keep', 'the file as it was changed; nothing is held against the agent'),
      option('accept', 'accept', 'the file as it was changed; the decision is recorded'),
      stop,
    ],
  }
}

export function qBlocked(about: { step: FlowStep; lines: string[]; evidence: string[] }): QuestionDraft {
  const { step } = about
  return {
    gate: 'Q-BLOCKED',
    title: `${label(step)} has failed. What now?`,
    body: [...about.lines, '', 'What lies in the folders clears no failure:', ...about.evidence],
    ...panel('What was looked at', about.evidence),
    options: [
      option('reset', 'reset', 'clear count, log and blocker, and run it again'),
      ...(step.optional
        ? [
            option('skip', 'skip', 'go on to the next step', {
              text: { label: 'Why is it skipped?', required: true },
            }),
          ]
        : []),
      { ...stop, ...recommended },
    ],
  }
}

export const rule = '\u2550'.repeat(38)

export function qBoundary(about: { title: string; lines: string[] }): QuestionDraft {
  return {
    gate: 'Q-BOUNDARY',
    title: `DECISION REQUIRED: ${about.title} \u2014 start implementation?`,
    body: [
      ...about.lines,
      rule,
      'Recommendation: A \u2014 implementation is the longest phase, fresh context helps',
    ],
    options: [
      option(
        'A',
        'A) Start a new conversation for implementation',
        'for context freshness; quitting here is as safe',
        recommended,
      ),
      option('B', 'B) Continue implementation in this conversation', 'the same context goes on'),
      stop,
    ],
  }
}

export function qLoop(lines: string[]): QuestionDraft {
  return {
    gate: 'Q-LOOP',
    title: 'Every step is done. What comes next?',
    body: lines,
    options: [
      option('new', 'new task', 'begin another loop'),
      option('close', 'close', 'end here; the same is asked next time', recommended),
    ],
  }
}
