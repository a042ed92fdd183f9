import { type LogStream, logMarks } from '../../agents/log.js'
import { fenced } from '../../agents/quote.js'
import { learningEntries } from '../../documents/learnings.js'
import { type PlanTask, taskBody } from '../../documents/plan.js'
import { insideRoot } from '../../project/paths.js'
import { type ProjectRoot, readText } from '../../project/text-files.js'

// What each attempt of a task is told more than the one before (docs/harness.md, "Execution").

const fileCap = 4000
const filesCap = 6
const learningsCap = 5
const logTailLines = 60

export interface RetryFacts {
  attempt: number
  task: PlanTask | undefined
  errors: readonly string[]
  planPath: string
  /** What the tests of the dispatch that failed printed, where its program tells. */
  output?: string
  /** Raw log of that dispatch, repo-relative: read where its program tells of no commands. */
  logPath?: string
  /** Files with learnings and failures, repo-relative; those that are missing do not count. */
  learnings: readonly string[]
}

/** What an attempt is told beyond the errors. Absent parts belong to a later attempt, or there is nothing. */
export interface RetryContext {
  relatedFiles: string[]
  similarLearnings: string[]
  testOutput?: string | undefined
  imports?: string[] | undefined
  planText?: string | undefined
}

/** Attempt 1: the errors; 2: also related files and similar learnings; 3: also output, imports and the plan's text. */
export async function retryContext(project: ProjectRoot, facts: RetryFacts): Promise<RetryContext> {
  if (facts.attempt < 2) return { relatedFiles: [], similarLearnings: [] }
  const files = await relatedFiles(project, facts)
  const wider: RetryContext = {
    relatedFiles: files.map(({ path, text }) => `${path}\n${fenced(beginning(text, fileCap))}`),
    similarLearnings: await similarLearnings(project, facts),
  }
  if (facts.attempt < 3) return wider
  const testOutput = facts.output ?? (await outputTail(project, facts))
  const planText = await planTextOf(project, facts)
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
  project: ProjectRoot,
  facts: RetryFacts,
): Promise<{ path: string; text: string }[]> {
  const mentioned = facts.errors.flatMap(mentionedFiles)
  const paths = [...new Set([...(facts.task?.files ?? []), ...mentioned])].slice(0, 20)
  const files: { path: string; text: string }[] = []
  for (const path of paths) {
    if (files.length >= filesCap) break
    if (!insideRoot(project.root, path)) continue
    const text = await readText(project, path).catch(() => undefined)
    if (text !== undefined) files.push({ path, text })
  }
  return files
}

/** Words of a text that look like a path with an extension: `src/box.ts`. Linear in the text. */
export function mentionedFiles(text: string): string[] {
  return (text.match(/[\w@./-]+/g) ?? []).flatMap((word) => {
    const path = withoutEnd(word)
    return /\.[A-Za-z]{1,5}$/.test(path.slice(-6)) && path.length > 2 ? [path] : []
  })
}

/** A word at the end of a sentence has its full stop with it. */
function withoutEnd(word: string): string {
  let end = word.length
  while (end > 0 && '.-/'.includes(word[end - 1] ?? '')) end -= 1
  return word.slice(0, end)
}

function importsOf(text: string): string[] {
  return [...text.matchAll(/(?:from|import|require\()\s*['"]([^'"]+)['"]/g)].flatMap(
    (match) => match[1] ?? [],
  )
}

/** Entries that share at least two words with the errors, best first. */
async function similarLearnings(project: ProjectRoot, facts: RetryFacts): Promise<string[]> {
  const texts = await Promise.all(facts.learnings.map((path) => readText(project, path)))
  const words = new Set(wordsOf(`${facts.errors.join(' ')} ${facts.task?.title ?? ''}`))
  return texts
    .flatMap((text) => learningEntries(text ?? ''))
    .map(({ text }) => withoutComments(text))
    .filter((text, index, all) => all.indexOf(text) === index)
    .map((text) => ({ text, score: wordsOf(text).filter((word) => words.has(word)).length }))
    .filter(({ score }) => score >= 2)
    .sort((a, b) => b.score - a.score)
    .slice(0, learningsCap)
    .map(({ text }) => text)
}

function wordsOf(text: string): string[] {
  return [...new Set(text.toLowerCase().match(/[a-z_]{4,}/g) ?? [])]
}

/** Marks of files that programs leave in an entry. */
function withoutComments(text: string): string {
  return text
    .split('\n')
    .filter((line) => !/^\s*<!--/.test(line))
    .join('\n')
    .trim()
}

/** Whole lines from the beginning of a text, and what is left out is said. */
function beginning(text: string, cap: number): string {
  if (text.length <= cap) return text.trimEnd()
  const end = text.lastIndexOf('\n', cap)
  return `${text.slice(0, end > 0 ? end : cap)}\n[... the rest is in the file ...]`
}

/** What the agent printed: not what was sent to it, however often it repeats that, and no records of its program. */
async function outputTail(project: ProjectRoot, { logPath }: RetryFacts): Promise<string | undefined> {
  if (logPath === undefined) return undefined
  const log = await readText(project, logPath).catch(() => undefined)
  if (log === undefined) return undefined
  const lines = log.trimEnd().split('\n')
  const sent = new Set(lines.filter(isMarked('stdin')).map(bare))
  const said = lines
    .filter((line) => isMarked('stdout')(line) || isMarked('stderr')(line))
    .map(bare)
    .filter((line) => !sent.has(line) && !line.trimStart().startsWith('{'))
  return said.slice(-logTailLines).join('\n').slice(-fileCap).trim() || undefined
}

const isMarked = (stream: LogStream) => (line: string) => line.startsWith(logMarks[stream])
const bare = (line: string) => line.slice(2).trimEnd()

async function planTextOf(project: ProjectRoot, facts: RetryFacts): Promise<string | undefined> {
  const plan = await readText(project, facts.planPath)
  const body = plan === undefined || !facts.task ? undefined : taskBody(plan, facts.task.id)
  return body?.slice(0, fileCap * 2)
}
