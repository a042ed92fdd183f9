import type { PhaseWork, PlaybookWork } from './work.js'

/** Work over the whole run, in the place of one on a phase: the checks at its end are dispatches like any other. */
export function runWork({ run, tools }: PlaybookWork, requirements: string[]): PhaseWork {
  return {
    run,
    tools,
    git: tools.git,
    at: '',
    facts: {
      id: 'run',
      name: 'The whole run',
      goal: 'What the phases came to holds together, and meets the spec.',
      description: '',
      requirements,
      isDone: false,
      criteria: [],
      dependencies: [],
      completedDirs: [],
      completedSummaries: [],
      contextPaths: [],
      dir: '.planning',
      type: 'mixed',
      number: run.state._meta.total_phases,
      total: run.state._meta.total_phases,
    },
  }
}
