import type { QuestionDraft } from '../../../view/question.js'
import { stop } from '../../options.js'
import { option, recommended, safe } from './options.js'

// At a boundary, and behind the last step (docs/lifecycle.md, "States").

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
        'for context freshness: the next agent knows the files, not the talk so far; quitting here is as safe',
        recommended,
      ),
      option(
        'B',
        'B) Continue implementation in this conversation',
        'the same context goes on: the agent keeps what it has read and said',
      ),
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
      option('new', 'new task', 'begin another loop: the steps run once more, for something new'),
      option('close', 'close', 'end here; the same is asked next time', safe),
    ],
  }
}
