import { isObject, type JsonObject } from '../../../documents/json.js'
import { readFinding } from '../../../documents/review.js'
import { type Complexity, complexities, type Finding, rigorLevels } from './state.js'

// Odd values of real state files, one function per key of section 2.2. Each takes what the file holds, returns what
// is used, and says what it changed. Unknown keys stay.

/** Collects what was done to a state file while reading it, in sentences for people. */
export interface Account {
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

/** Fills an absent key with its default; an odd value is replaced by it with a warning. */
function fill<Value>(
  object: JsonObject,
  key: string,
  where: string,
  accepts: (value: unknown) => value is Value,
  fallback: Value,
  account: Account,
): void {
  const value = object[key]
  if (accepts(value)) return
  object[key] = fallback
  if (value === undefined) account.changes.push(`${where}${key} was absent; ${shown(fallback)} is used.`)
  else account.warnings.push(`${where}${key} was ${shown(value)}; ${shown(fallback)} is used.`)
}

/** Takes out an optional key whose value cannot be used. */
function dropUnless(
  object: JsonObject,
  key: string,
  where: string,
  accepts: (value: unknown) => boolean,
  account: Account,
): void {
  const value = object[key]
  if (value === undefined || accepts(value)) return
  delete object[key]
  // null is only another spelling of absent.
  if (value === null) account.changes.push(`${where}${key} was null and is left out.`)
  else account.warnings.push(`${where}${key} was ${shown(value)} and is left out.`)
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

export function normaliseFlags(state: JsonObject, account: Account): void {
  fill(state, 'reviewPlans', '', isFlag, false, account)
  fill(state, 'rigorLevel', '', oneOf(rigorLevels), 'standard', account)
  fill(state, 'awaitingInteractivePlan', '', isFlag, false, account)
}

export function normalisePhases(state: JsonObject, account: Account): void {
  const phases: unknown[] = Array.isArray(state.phases) ? state.phases : []
  state.phases = phases.map((phase, index) => normalisePhase(phase, index, account))
}

const phaseStatuses = ['pending', 'in-progress', 'complete', 'skipped'] as const
const phaseStatusWords: Record<string, string> = { in_progress: 'in-progress', PHASE_COMPLETE: 'complete' }

function normalisePhase(value: unknown, index: number, account: Account): JsonObject {
  const where = `Phase ${index + 1}: `
  const phase: JsonObject = isObject(value) ? value : isText(value) ? { name: value } : {}
  if (!isObject(value)) account.warnings.push(`${where}was ${shown(value)}, not a phase record.`)
  if (isText(phase.title) && phase.name === undefined) phase.name = phase.title
  fill(phase, 'name', where, isText, `Phase ${index + 1}`, account)
  fill(phase, 'complexity', where, isComplexity, 'medium', account)
  fill(phase, 'complexityOverride', where, isOverride, null, account)
  fill(phase, 'planPath', where, isTextOrNull, null, account)
  const known = isText(phase.status) ? phaseStatusWords[phase.status] : undefined
  if (known !== undefined) {
    account.changes.push(`${where}status ${shown(phase.status)} is read as "${known}".`)
    phase.status = known
  }
  fill(phase, 'status', where, oneOf(phaseStatuses), 'pending', account)
  dropUnless(phase, 'startedAt', where, isText, account)
  dropUnless(phase, 'startCommit', where, isText, account)
  dropUnless(phase, 'retriesUsed', where, isCount, account)
  dropUnless(phase, 'verification', where, oneOf(['pass', 'fail', 'skipped']), account)
  if (isText(phase.concerns)) phase.concerns = [phase.concerns]
  dropUnless(phase, 'concerns', where, (list) => isList(list) && list.every(isText), account)
  return phase
}

export function normaliseRetryBudget(state: JsonObject, account: Account): void {
  const found = state.retryBudget
  if (isCount(found)) account.changes.push(`retryBudget ${found} is read as that many attempts.`)
  else if (found === undefined) account.changes.push('retryBudget was absent; 3 attempts are used.')
  else if (!isObject(found)) account.warnings.push(`retryBudget was ${shown(found)}; 3 attempts are used.`)
  const budget: JsonObject = isObject(found)
    ? found
    : { maxAttempts: isCount(found) ? found : 3, currentTask: null }
  fill(budget, 'maxAttempts', 'retryBudget: ', isCount, 3, account)
  if (isText(budget.currentTask)) budget.currentTask = { name: budget.currentTask }
  const isTask = (value: unknown): value is JsonObject | null =>
    value === null || (isObject(value) && isText(value.name))
  fill(budget, 'currentTask', 'retryBudget: ', isTask, null, account)
  if (isObject(budget.currentTask)) normaliseCurrentTask(budget.currentTask, account)
  state.retryBudget = budget
}

function normaliseCurrentTask(task: JsonObject, account: Account): void {
  const where = 'retryBudget.currentTask: '
  const attempts: unknown[] = Array.isArray(task.attempts) ? task.attempts : []
  if (task.attempts !== undefined && !isList(task.attempts)) {
    account.warnings.push(`${where}attempts was ${shown(task.attempts)}; none are known.`)
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
  fill(task, 'attemptsUsed', where, isCount, attempts.length, account)
}

/** History and decisions of any shape are kept as they are. */
export function normaliseRecords(state: JsonObject, account: Account): void {
  fill(state, 'history', '', isList, [], account)
  fill(state, 'decisions', '', isList, [], account)
  if (isList(state.history)) for (const entry of state.history) nameFindings(entry, account)
  const totals = isList(state.history) ? state.history.filter((entry) => !hasTotals(entry)).length : 0
  if (totals > 0)
    account.warnings.push(`${totals} history ${entries(totals)} of another shape: kept, not in the totals.`)
  const odd = isList(state.decisions) ? state.decisions.filter((entry) => !isDecision(entry)).length : 0
  if (odd > 0) account.warnings.push(`${odd} decision ${entries(odd)} of another shape: kept as they are.`)
}

/** Some files count critical, important and suggestion: the same numbers under our words, beside theirs. */
function nameFindings(entry: unknown, account: Account): void {
  const found = isObject(entry) && isObject(entry.reviewFindings) ? entry.reviewFindings : undefined
  if (found === undefined || !['critical', 'important', 'suggestion'].some((word) => isCount(found[word])))
    return
  const words = { blocking: found.critical, warning: found.important, note: found.suggestion }
  for (const [key, count] of Object.entries(words)) {
    if (isCount(found[key])) continue
    found[key] = isCount(count) ? count : 0
    account.changes.push(`A history entry has ${key} findings under another word.`)
  }
}

function entries(count: number): string {
  return count === 1 ? 'entry is' : 'entries are'
}

function hasTotals(entry: unknown): boolean {
  return isObject(entry) && isCount(entry.tasksCompleted) && Number.isSafeInteger(entry.phase)
}

function isDecision(entry: unknown): boolean {
  return isObject(entry) && isText(entry.decision) && 'phase' in entry
}

export function normaliseFinalReview(state: JsonObject, account: Account): void {
  const found = state.finalReview
  if (found === undefined) account.changes.push('finalReview was absent; it is pending.')
  else if (!isObject(found)) account.warnings.push(`finalReview was ${shown(found)}; it is pending.`)
  const review: JsonObject = isObject(found) ? found : { status: 'pending', findings: [], retryCount: 0 }
  if (review.status === 'complete') {
    account.changes.push('finalReview: status "complete" is read as "passed".')
    review.status = 'passed'
  }
  const statuses = oneOf(['pending', 'in_progress', 'passed', 'overridden'])
  fill(review, 'status', 'finalReview: ', statuses, 'pending', account)
  fill(review, 'findings', 'finalReview: ', isList, [], account)
  fill(review, 'retryCount', 'finalReview: ', isCount, 0, account)
  const findings: unknown[] = isList(review.findings) ? review.findings : []
  review.findings = findings.map((finding) => normaliseFinding(finding, account))
  state.finalReview = review
}

/** A finding is never lost: what cannot be read as one blocks under its own text. */
function normaliseFinding(value: unknown, account: Account): Finding {
  const finding = readFinding(value, account.warnings)
  if (finding !== undefined) return finding
  account.warnings.push(`finalReview: ${shown(value)} is no finding; it is read as blocking.`)
  return { severity: 'blocking', file: '', line: null, title: isText(value) ? value : shown(value) }
}

export function normalisePendingQuestion(state: JsonObject, account: Account): void {
  const complete = (value: unknown) =>
    isObject(value) &&
    isText(value.id) &&
    isText(value.askedAt) &&
    Array.isArray(value.options) &&
    value.options.every(isText)
  dropUnless(state, 'pendingQuestion', '', complete, account)
}
