import type { QuestionDraft } from '../../../view/question.js'
import { stop } from '../../options.js'

// Gates of PHASE_COMPLETE and of the roadmap (docs/harness.md, "Questions").

/** A phase is over: what it is called and how it ended; `next` is the one that would begin. */
export function qNext(
  done: { mark: string; word: 'complete' | 'skipped' },
  next: { title: string; complexity: string },
  summary: string[],
): QuestionDraft {
  return {
    gate: 'Q-NEXT',
    title: `Phase ${done.mark} ${done.word}. Next: ${next.title} (complexity: ${next.complexity}). Continue?`,
    body: summary,
    options: [{ value: 'yes', label: 'yes', consequence: 'begin the next phase', safe: true }, stop],
  }
}

/** A change of docs/roadmap.md, shown before it is made (docs/harness.md, "Roadmap row"). */
export function qRoadmap(diff: string[], generated: boolean): QuestionDraft {
  return {
    gate: 'Q-ROADMAP',
    title: 'Update docs/roadmap.md?',
    body: [
      ...(generated ? ['docs/roadmap.d/ exists, so docs/roadmap.md may be generated from it.', ''] : []),
      'It says how far each spec is. This is what would change:',
      ...diff,
    ],
    options: [
      { value: 'apply', label: 'apply', consequence: 'write this change', safe: true },
      { value: 'leave', label: 'leave', consequence: 'leave the file as it is' },
    ],
  }
}

/** All phases were skipped: is the feature done? (docs/harness.md, "Roadmap row") */
export function qAllSkipped(): QuestionDraft {
  return {
    gate: 'Q-ROADMAP',
    title: 'Every phase was skipped. Is the feature done?',
    body: ['Nothing was executed in this session, so the roadmap is not set to done by itself.'],
    options: [
      { value: 'leave', label: 'leave', consequence: 'the roadmap stays as it is', safe: true },
      { value: 'apply', label: 'apply', consequence: 'set the feature to done' },
    ],
  }
}
