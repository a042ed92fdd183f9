import { learningEntries } from '../../documents/learnings.js'
import { type PlanTask, taskBody } from '../../documents/plan.js'
import { insideRoot } from '../../project/paths.js'
import { readText, sessionFiles } from '../harness/artifacts/files.js'
import type { HarnessState } from '../harness/state/state.js'
import type { HarnessTools } from '../harness/tools.js'

// The retry budget of a task, and what each attempt is told more than the one before (section 1.3).

/** One more re-dispatch of the task is used; the attempt counts as failed until it has passed. */
export function beginAttempt(
  state: HarnessState,
  task: string,
  error: string,
  timestamp: string,
): HarnessState {
  const current = state.retryBudget.currentTask
  const before = current?.name === task ? current : { name: task, attemptsUsed: 0, attempts: [] }
  const attempt = { timestamp, error, fix: '', result: 'failed' as const }
  return {
    ...state,
    retryBudget: {
      ...state.retryBudget,
      currentTask: {
        ...before,
        attemptsUsed: before.attemptsUsed + 1,
        attempts: [...before.attempts, attempt],
      },
    },
  }
}

/** What the newest attempt did, as far as the executor said it. */
export function describeAttempt(state: HarnessState, fix: string): HarnessState {
  const current = state.retryBudget.currentTask
  if (!current) return state
  const last = current.attempts.length - 1
  const attempts = current.attempts.map((attempt, index) => (index === last ? { ...attempt, fix } : attempt))
  return { ...state, retryBudget: { ...state.retryBudget, currentTask: { ...current, attempts } } }
}

/** The task passed: its attempts count for the phase, and the next failure starts at zero. */
export function settleAttempts(state: HarnessState): HarnessState {
  const used = state.retryBudget.currentTask?.attemptsUsed ?? 0
  const phases = state.phases.map((phase, index) =>
    index === state.currentPhase && used > 0
      ? { ...phase, retriesUsed: (phase.retriesUsed ?? 0) + used }
      : phase,
  )
  return { ...state, phases, retryBudget: { ...state.retryBudget, currentTask: null } }
}

const fileCap = 4000
const filesCap = 6
const learningsCap = 5
const logTailLines = 60

export interface RetryFacts {
  attempt: number
  task: PlanTask | undefined
  errors: readonly string[]
  planPath: string
  /** Raw log of the dispatch that failed, repo-relative. */
  logPath?: string
}

/** What an attempt is told beyond the errors. Absent parts belong to a later attempt, or there is nothing. */
export interface RetryContext {
  relatedFiles: string[]
  similarLearnings: string[]
  testOutput?: string
  imports?: string[]
  planText?: string
}

/** Attempt 1: the errors; 2: also related files and similar learnings; 3: also output, imports and the plan's text. */
export async function retryContext(tools: HarnessTools, facts: RetryFacts): Promise<RetryContext> {
  if (facts.attempt < 2) return { relatedFiles: [], similarLearnings: [] }
  const files = await relatedFiles(tools, facts)
  const wider: RetryContext = {
    relatedFiles: files.map(({ path, text }) => `${path}\n\`\`\`\n${text.slice(0, fileCap)}\n\`\`\``),
    similarLearnings: await similarLearnings(tools, facts),
  }
  if (facts.attempt < 3) return wider
  const testOutput = await outputTail(tools, facts)
  const planText = await planTextOf(tools, facts)
  return {
    ...wider,
    imports: files.flatMap(({ path, text }) => importsOf(text).map((name) => `${path}: ${name}`)),
    ...(testOutput ? { testOutput } : {}),
    ...(planText ? { planText } : {}),
  }
}

/** The same in one text, for the dispatch file. */
export function retryContextText(context: RetryContext): string {
  const list = (title: string, items: readonly string[] | undefined) =>
    items && items.length > 0 ? [`${title}:\n${items.join('\n')}`] : []
  return [
    ...list('Related files', context.relatedFiles),
    ...list('Similar learnings', context.similarLearnings),
    ...list('Output of the failed attempt', context.testOutput ? [context.testOutput] : []),
    ...list('Imports', context.imports),
    ...list('Plan text of the task', context.planText ? [context.planText] : []),
  ].join('\n\n')
}

/** Files that the plan names for the task or the errors mention, as far as they exist inside the project. */
async function relatedFiles(
  tools: HarnessTools,
  facts: RetryFacts,
): Promise<{ path: string; text: string }[]> {
  const mentioned = facts.errors.flatMap((error) => error.match(/[\w@./-]+\.[A-Za-z]{1,5}\b/g) ?? [])
  const paths = [...new Set([...(facts.task?.files ?? []), ...mentioned])].slice(0, 20)
  const files: { path: string; text: string }[] = []
  for (const path of paths) {
    if (files.length >= filesCap) break
    if (!insideRoot(tools.root, path)) continue
    const text = await readText(tools, path).catch(() => undefined)
    if (text !== undefined) files.push({ path, text })
  }
  return files
}

function importsOf(text: string): string[] {
  return [...text.matchAll(/(?:from|import|require\()\s*['"]([^'"]+)['"]/g)].flatMap(
    (match) => match[1] ?? [],
  )
}

/** Entries that share at least two words with the errors, best first. */
async function similarLearnings(tools: HarnessTools, facts: RetryFacts): Promise<string[]> {
  const files = sessionFiles(tools.sessionDir)
  const paths = [files.learnings, files.globalLearnings, files.failures]
  const texts = await Promise.all(paths.map((path) => readText(tools, path)))
  const words = new Set(wordsOf(`${facts.errors.join(' ')} ${facts.task?.title ?? ''}`))
  return texts
    .flatMap((text) => learningEntries(text ?? ''))
    .map(({ text }) => ({ text, score: wordsOf(text).filter((word) => words.has(word)).length }))
    .filter(({ score }) => score >= 2)
    .sort((a, b) => b.score - a.score)
    .slice(0, learningsCap)
    .map(({ text }) => text)
}

function wordsOf(text: string): string[] {
  return [...new Set(text.toLowerCase().match(/[a-z_]{4,}/g) ?? [])]
}

async function outputTail(tools: HarnessTools, facts: RetryFacts): Promise<string | undefined> {
  if (facts.logPath === undefined) return undefined
  const log = await readText(tools, facts.logPath).catch(() => undefined)
  return log?.trimEnd().split('\n').slice(-logTailLines).join('\n').slice(-fileCap)
}

async function planTextOf(tools: HarnessTools, facts: RetryFacts): Promise<string | undefined> {
  const plan = await readText(tools, facts.planPath)
  const body = plan === undefined || !facts.task ? undefined : taskBody(plan, facts.task.id)
  return body?.slice(0, fileCap * 2)
}
