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
    body: [...listed],
    options: [
      option('run', 'run', 'start it now', recommended),
      option('skip', 'skip', 'go on to the next step', {
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
      option('deploy', 'deploy', 'start the step'),
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
    body: [...about.lines, '', 'What lies in the folders clears no failure:', ...about.evidence],
    ...panel('what was looked at', about.evidence),
    options: [
      option('reset', 'reset', 'clear count, log and blocker, and run it again'),
      ...(step.optional
        ? [
            option('skip', 'skip', 'go on to the next step', {
              text: { label: 'Why is it skipped?', required: true },
            }),
          ]
        : []),
      { ...stop, ...safe },
    ],
  }
}
