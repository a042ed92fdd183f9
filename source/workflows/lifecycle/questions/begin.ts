import type { QuestionDraft } from '../../../view/question.js'
import { withListed } from '../../evidence/questions.js'
import { stop } from '../../options.js'
import type { FlowStep } from '../flow/flow.js'
import { label, option, panel, recommended, safe } from './options.js'

// What is asked before a step runs (docs/lifecycle.md, "Questions").

export function qOptional(step: FlowStep, listed: readonly string[] = []): QuestionDraft {
  return {
    gate: 'Q-OPTIONAL',
    title: `${label(step)} is optional. Run it?`,
    body: ['The flow can go on without it. What it would leave is then not there.', ...withListed(listed)],
    options: [
      option('run', 'run', 'an agent does the step now', recommended),
      option('skip', 'skip', 'nothing is done: your reason is recorded, and the next step begins', {
        text: { label: 'Why is it skipped?', required: true },
      }),
      stop,
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
        ...safe,
      }),
      option('file', 'name a file', 'a file of the project that says it', {
        text: { label: 'Path of the file', required: true },
      }),
      stop,
    ],
  }
}

export function qDeploy(step: FlowStep, listed: readonly string[] = []): QuestionDraft {
  return {
    gate: 'Q-DEPLOY',
    title: `${label(step)}: release it?`,
    body: ['A deployment reaches other machines and cannot be taken back by git.', ...withListed(listed)],
    options: [
      option('deploy', 'deploy', 'an agent does the step now, and may release'),
      option(
        'prepare',
        'prepare only',
        'procedures and scripts, nothing is released; the step stays open',
        safe,
      ),
      stop,
    ],
  }
}

export function qBlocked(about: { step: FlowStep; lines: string[]; evidence: string[] }): QuestionDraft {
  const { step } = about
  return {
    gate: 'Q-BLOCKED',
    title: `${label(step)} has failed. What now?`,
    body: [...about.lines, '', 'What the folders hold of it, which undoes no failure:', ...about.evidence],
    ...panel('what was looked at', about.evidence),
    options: [
      option('reset', 'reset', 'forget its failures (count, log and blocker), and run it again'),
      ...(step.optional
        ? [
            option('skip', 'skip', 'your reason is recorded, and the next step begins', {
              text: { label: 'Why is it skipped?', required: true },
            }),
          ]
        : []),
      { ...stop, ...safe },
    ],
  }
}
