import { counted } from '../../../counted.js'
import { isObject, type JsonObject } from '../../../documents/json.js'
import { readFinding } from '../../../documents/review.js'
import { lookup } from '../../../lookup.js'
import { type Complexity, complexities, type Finding, rigorLevels } from './state.js'

// Odd values of real state files, one function per key (docs/harness.md, "State migrations"). Each takes what the
// file holds, returns what is used, and says what it changed. Unknown keys stay.

/** Collects what was done to a state file while reading it, in sentences for people. */
export interface MigrationLog {
  changes: string[]
  warnings: string[]
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value)
  return text.length > 60 ? `${text.slice(0, 57)}...` : text
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0
}

/** One key of an object in the file: `where` begins the sentences about it. */
interface Place {
  object: JsonObject
  key: string
  where?: string
  log: MigrationLog
}

/** Fills an absent key with its default; an odd value is replaced by it with a warning. */
function fill<Value>(
  { object, key, where = '', log }: Place,
  accepts: (value: unknown) => value is Value,
  fallback: Value,
): void {
  const value = object[key]
  if (accepts(value)) return
  object[key] = fallback
  if (value === undefined) log.changes.push(`${where}${key} was absent; ${shown(fallback)} is used.`)
  else log.warnings.push(`${where}${key} was ${shown(value)}; ${shown(fallback)} is used.`)
}

/** Takes out an optional key whose value cannot be used. */
function dropUnless({ object, key, where = '', log }: Place, accepts: (value: unknown) => boolean): void {
  const value = object[key]
  if (value === undefined || accepts(value)) return
  delete object[key]
  // null is only another way to write absent.
  if (value === null) log.changes.push(`${where}${key} was null and is left out.`)
  else log.warnings.push(`${where}${key} was ${shown(value)} and is left out.`)
}

const isText = (value: unknown): value is string => typeof value === 'string'
const isFlag = (value: unknown): value is boolean => typeof value === 'boolean'
const isTextOrNull = (value: unknown): value is string | null => value === null || isText(value)
const isList = (value: unknown): value is unknown[] => Array.isArray(value)

function oneOf<Word extends string>(words: readonly Word[]): (value: unknown) => value is Word {
  return (value): value is Word => words.some((word) => word === value)
}

const isComplexity: (value: unknown) => value is Complexity = oneOf(complexities)
const isOverride = (value: unknown): value is 'medium' | 'high' | null =>
  value === null || value === 'medium' || value === 'high'

export function normaliseFlags(state: JsonObject, log: MigrationLog): void {
  fill({ object: state, key: 'reviewPlans', log }, isFlag, false)
  fill({ object: state, key: 'rigorLevel', log }, oneOf(rigorLevels), 'standard')
  fill({ object: state, key: 'awaitingInteractivePlan', log }, isFlag, false)
}

export function normalisePhases(state: JsonObject, log: MigrationLog): void {
  const phases: unknown[] = Array.isArray(state.phases) ? state.phases : []
  state.phases = phases.map((phase, index) => normalisePhase(phase, index, log))
}

const phaseStatuses = ['pending', 'in-progress', 'complete', 'skipped'] as const
const phaseStatusWords = lookup<string>({ in_progress: 'in-progress', PHASE_COMPLETE: 'complete' })

function normalisePhase(value: unknown, index: number, log: MigrationLog): JsonObject {
  const where = `Phase ${index + 1}: `
  const phase: JsonObject = isObject(value) ? value : isText(value) ? { name: value } : {}
  if (!isObject(value)) log.warnings.push(`${where}was ${shown(value)}, not a phase record.`)
  if (isText(phase.title) && phase.name === undefined) phase.name = phase.title
  fill({ object: phase, key: 'name', where, log }, isText, `Phase ${index + 1}`)
  fill({ object: phase, key: 'complexity', where, log }, isComplexity, 'medium')
  fill({ object: phase, key: 'complexityOverride', where, log }, isOverride, null)
  fill({ object: phase, key: 'planPath', where, log }, isTextOrNull, null)
  const known = isText(phase.status) ? phaseStatusWords[phase.status] : undefined
  if (known !== undefined) {
    log.changes.push(`${where}status ${shown(phase.status)} is read as "${known}".`)
    phase.status = known
  }
  fill({ object: phase, key: 'status', where, log }, oneOf(phaseStatuses), 'pending')
  dropUnless({ object: phase, key: 'startedAt', where, log }, isText)
  dropUnless({ object: phase, key: 'startCommit', where, log }, isText)
  dropUnless({ object: phase, key: 'specLabel', where, log }, isText)
  if (phase.specText !== null) dropUnless({ object: phase, key: 'specText', where, log }, isText)
  dropUnless({ object: phase, key: 'retriesUsed', where, log }, isCount)
  dropUnless({ object: phase, key: 'verification', where, log }, oneOf(['pass', 'fail', 'skipped']))
  if (isText(phase.concerns)) phase.concerns = [phase.concerns]
  dropUnless({ object: phase, key: 'concerns', where, log }, (list) => isList(list) && list.every(isText))
  return phase
}

export function normaliseRetryBudget(state: JsonObject, log: MigrationLog): void {
  const found = state.retryBudget
  if (isCount(found)) log.changes.push(`retryBudget ${found} is read as that many attempts.`)
  else if (found === undefined) log.changes.push('retryBudget was absent; 3 attempts are used.')
  else if (!isObject(found)) log.warnings.push(`retryBudget was ${shown(found)}; 3 attempts are used.`)
  const budget: JsonObject = isObject(found)
    ? found
    : { maxAttempts: isCount(found) ? found : 3, currentTask: null }
  fill({ object: budget, key: 'maxAttempts', where: 'retryBudget: ', log }, isCount, 3)
  if (isText(budget.currentTask)) budget.currentTask = { name: budget.currentTask }
  const isTask = (value: unknown): value is JsonObject | null =>
    value === null || (isObject(value) && isText(value.name))
  fill({ object: budget, key: 'currentTask', where: 'retryBudget: ', log }, isTask, null)
  if (isObject(budget.currentTask)) normaliseCurrentTask(budget.currentTask, log)
  state.retryBudget = budget
}

function normaliseCurrentTask(task: JsonObject, log: MigrationLog): void {
  const where = 'retryBudget.currentTask: '
  const attempts: unknown[] = Array.isArray(task.attempts) ? task.attempts : []
  if (task.attempts !== undefined && !isList(task.attempts)) {
    log.warnings.push(`${where}attempts was ${shown(task.attempts)}; none are known.`)
  }
  task.attempts = attempts.map((attempt) => {
    const record: JsonObject = isObject(attempt)
      ? attempt
      : { error: isText(attempt) ? attempt : shown(attempt) }
    for (const key of ['timestamp', 'error', 'fix']) if (!isText(record[key])) record[key] = ''
    // Only a word that says so is a success.
    if (record.result !== 'passed') record.result = 'failed'
    return record
  })
  fill({ object: task, key: 'attemptsUsed', where, log }, isCount, attempts.length)
}

/** History and decisions of any shape are kept as they are. */
export function normaliseRecords(state: JsonObject, log: MigrationLog): void {
  fill({ object: state, key: 'history', log }, isList, [])
  fill({ object: state, key: 'decisions', log }, isList, [])
  if (isList(state.history)) for (const entry of state.history) nameFindings(entry, log)
  const totals = isList(state.history) ? state.history.filter((entry) => !hasTotals(entry)).length : 0
  if (totals > 0)
    log.warnings.push(
      `${counted(totals, 'history entry is', 'history entries are')} of another shape: kept, not in the totals.`,
    )
  const odd = isList(state.decisions) ? state.decisions.filter((entry) => !isDecision(entry)).length : 0
  if (odd > 0)
    log.warnings.push(
      `${counted(odd, 'decision entry is', 'decision entries are')} of another shape: kept as ${odd === 1 ? 'it is' : 'they are'}.`,
    )
}

/** Some files count critical, important and suggestion: the same numbers under our words, beside theirs. */
function nameFindings(entry: unknown, log: MigrationLog): void {
  const found = isObject(entry) && isObject(entry.reviewFindings) ? entry.reviewFindings : undefined
  if (found === undefined || !['critical', 'important', 'suggestion'].some((word) => isCount(found[word])))
    return
  const words = { blocking: found.critical, warning: found.important, note: found.suggestion }
  for (const [key, count] of Object.entries(words)) {
    if (isCount(found[key])) continue
    found[key] = isCount(count) ? count : 0
    log.changes.push(`A history entry has ${key} findings under another word.`)
  }
}

function hasTotals(entry: unknown): boolean {
  return isObject(entry) && isCount(entry.tasksCompleted) && Number.isSafeInteger(entry.phase)
}

function isDecision(entry: unknown): boolean {
  return isObject(entry) && isText(entry.decision) && 'phase' in entry
}

export function normaliseFinalReview(state: JsonObject, log: MigrationLog): void {
  const found = state.finalReview
  if (found === undefined) log.changes.push('finalReview was absent; it is pending.')
  else if (!isObject(found)) log.warnings.push(`finalReview was ${shown(found)}; it is pending.`)
  const review: JsonObject = isObject(found) ? found : { status: 'pending', findings: [], retryCount: 0 }
  if (review.status === 'complete') {
    log.changes.push('finalReview: status "complete" is read as "passed".')
    review.status = 'passed'
  }
  const statuses = oneOf(['pending', 'in_progress', 'passed', 'overridden'])
  fill({ object: review, key: 'status', where: 'finalReview: ', log }, statuses, 'pending')
  fill({ object: review, key: 'findings', where: 'finalReview: ', log }, isList, [])
  fill({ object: review, key: 'retryCount', where: 'finalReview: ', log }, isCount, 0)
  const findings: unknown[] = isList(review.findings) ? review.findings : []
  review.findings = findings.map((finding) => normaliseFinding(finding, log))
  state.finalReview = review
}

/** A finding is never lost: what cannot be read as one blocks under its own text. */
function normaliseFinding(value: unknown, log: MigrationLog): Finding {
  const finding = readFinding(value, log.warnings)
  if (finding !== undefined) return finding
  log.warnings.push(`finalReview: ${shown(value)} is no finding; it is read as blocking.`)
  return { severity: 'blocking', file: '', line: null, title: isText(value) ? value : shown(value) }
}

export function normalisePendingQuestion(state: JsonObject, log: MigrationLog): void {
  const complete = (value: unknown) =>
    isObject(value) &&
    isText(value.id) &&
    isText(value.askedAt) &&
    Array.isArray(value.options) &&
    value.options.every(isText)
  dropUnless({ object: state, key: 'pendingQuestion', log }, complete)
}
