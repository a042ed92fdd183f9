// Why something failed, in one of ten words (docs/playbook-checks.md, "Failures"): what post-mortems, learnings and metrics are sorted by.

export const categories = [
  'executor_incomplete',
  'executor_wrong_approach',
  'compilation_failure',
  'lint_failure',
  'build_failure',
  'acceptance_criteria_unmet',
  'scope_creep',
  'context_exhaustion',
  'tool_failure',
  'coordination_failure',
] as const

export type Category = (typeof categories)[number]

/** What each word means, as agents are told it. */
export const meanings: Readonly<Record<Category, string>> = {
  executor_incomplete: 'a task was called complete and its criteria are not met',
  executor_wrong_approach: 'the way that was taken cannot meet the requirements',
  compilation_failure: 'the code does not compile',
  lint_failure: 'the linter refuses the code',
  build_failure: 'the build does not succeed',
  acceptance_criteria_unmet: 'a criterion was checked and does not hold',
  scope_creep: 'something was built that neither spec nor plan asks for',
  context_exhaustion: 'an agent ran out of context before it was done',
  tool_failure: 'a program failed by itself: git, an installer, a timeout',
  coordination_failure: 'what one step handed to the next was lost, invalid or missing',
}

export function isCategory(word: string): word is Category {
  return (categories as readonly string[]).includes(word)
}

/** One failure as it was seen. Times are ISO. */
export interface Seen {
  at: string
  step: string
  failure: string
  category: Category
}

/** The earliest failure is the root cause; of two at the same time the first in the list. */
export function rootCause(failures: readonly Seen[]): Seen | undefined {
  return failures.reduce<Seen | undefined>(
    (first, one) => (first === undefined || one.at < first.at ? one : first),
    undefined,
  )
}

/** Failures that were told without a word of the taxonomy. */
export function uncategorised(
  failures: readonly string[],
  told: readonly { failure: string; category: string }[],
): string[] {
  const known = new Set(told.filter(({ category }) => isCategory(category)).map(({ failure }) => failure))
  // More failures than categories: some were left out, whatever words they were told in.
  const wrong = told.filter(({ category }) => !isCategory(category)).map(({ failure }) => failure)
  const missing = failures.length > told.length ? failures.filter((failure) => !known.has(failure)) : []
  return [...new Set([...wrong, ...missing])]
}

const checkCategories: Readonly<Record<string, Category>> = {
  compile: 'compilation_failure',
  lint: 'lint_failure',
  build: 'build_failure',
  test: 'acceptance_criteria_unmet',
}

/** The word for a red check of the project. */
export function categoryOfCheck(check: string): Category {
  return checkCategories[check] ?? 'acceptance_criteria_unmet'
}
