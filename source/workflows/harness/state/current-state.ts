import { counted } from '../../../counted.js'
import { isObject, type JsonObject } from '../../../documents/json.js'
import type { MigrationAsk } from './migration-ask.js'
import type { MigrationLog } from './normalise.js'
import { type StateName, stateNames } from './state.js'

// Where a state file says that the work stands, read against its phases (docs/harness.md, "State migrations").

const working: readonly unknown[] = ['PLAN', 'APPROVE_PLAN', 'EXECUTE', 'VERIFY', 'REVIEW', 'ASSESS']

interface Standing {
  /** 0-based places of the phases that are neither complete nor skipped. */
  open: number[]
  phases: number
  finished: boolean
}

/** Normalises `currentState` and `currentPhase`; the phases and the final review are normalised before. */
export function normaliseCurrentState(state: JsonObject, log: MigrationLog, asks: MigrationAsk[]): void {
  const standing = standingOf(state)
  const found = state.currentState
  state.currentState = knownState(found, standing, log, asks)
  normaliseCurrentPhase(state, standing, found, { log, asks })
  leaveClosedPhase(state, standing, log)
}

function standingOf(state: JsonObject): Standing {
  const phases: unknown[] = Array.isArray(state.phases) ? state.phases : []
  const open = phases.flatMap((phase, index) => {
    const closed = isObject(phase) && (phase.status === 'complete' || phase.status === 'skipped')
    return closed ? [] : [index]
  })
  const review = isObject(state.finalReview) ? state.finalReview.status : undefined
  return { open, phases: phases.length, finished: review === 'passed' || review === 'overridden' }
}

/** Where a session goes on that says it is over. */
function afterLastPhase(standing: Standing): StateName {
  if (standing.open.length > 0) return 'ASSESS'
  return standing.finished ? 'DONE' : 'FINAL_REVIEW'
}

function knownState(found: unknown, standing: Standing, log: MigrationLog, asks: MigrationAsk[]): StateName {
  const word = typeof found === 'string' ? found.trim().toUpperCase() : ''
  const known = stateNames.find((name) => name === word)
  const say = (name: StateName): StateName => {
    log.changes.push(`currentState ${JSON.stringify(found)} is read as ${name}.`)
    return name
  }
  if (known === 'DONE' && standing.open.length > 0) {
    log.warnings.push(
      `The session is DONE with ${counted(standing.open.length, 'open phase')}; ${standing.open.length === 1 ? 'it was' : 'they were'} left out.`,
    )
  }
  if (known !== undefined) return known === found ? known : say(known)
  if (word === 'INIT') return say('ASSESS')
  if (word === 'INTEGRATE') return say('REVIEW')
  if (word === 'COMPLETE') {
    if (standing.open.length > 0) askOpen(standing, asks)
    return say(afterLastPhase(standing))
  }
  if (word === 'OUTCOME_EVAL') {
    if (standing.open.length > 0) askOpen(standing, asks)
    else asks.push({ kind: 'outcome-eval', suggested: 'DONE' })
    return say(standing.open.length > 0 ? 'ASSESS' : 'DONE')
  }
  const suggested = afterLastPhase(standing)
  const shown = found === undefined ? 'missing' : JSON.stringify(found)
  log.warnings.push(
    `currentState is ${shown}, which is no state; ${suggested} is used unless you say otherwise.`,
  )
  asks.push({ kind: 'unknown-state', found: typeof found === 'string' ? found : shown, suggested })
  return suggested
}

function askOpen(standing: Standing, asks: MigrationAsk[]): void {
  if (asks.some((ask) => ask.kind === 'open-phases-but-complete')) return
  asks.push({ kind: 'open-phases-but-complete', open: standing.open })
}

function normaliseCurrentPhase(
  state: JsonObject,
  standing: Standing,
  foundState: unknown,
  { log, asks }: { log: MigrationLog; asks: MigrationAsk[] },
): void {
  const found = state.currentPhase
  const number = typeof found === 'string' && /^\d+$/.test(found) ? Number(found) : found
  const next = standing.open[0] ?? standing.phases - 1
  if (typeof number !== 'number' || !Number.isSafeInteger(number) || number < 0) {
    state.currentPhase = next
    const text = `currentPhase was ${found === undefined ? 'absent' : JSON.stringify(found)}; ${next} is used.`
    if (found === undefined) log.changes.push(text)
    else log.warnings.push(text)
    return
  }
  state.currentPhase = number
  if (number < standing.phases) return
  state.currentPhase = next
  log.changes.push(`currentPhase ${number} is past the last phase; ${next} is used.`)
  if (number > standing.phases) log.warnings.push(`currentPhase ${number} names no phase at all.`)
  if (foundState === 'DONE') return
  if (standing.open.length > 0) askOpen(standing, asks)
  // An ask about the state itself goes first; what it suggests holds until then.
  const over = afterLastPhase(standing)
  if (state.currentState === over || state.currentState === 'DONE') return
  log.changes.push(`All phases are said to be over; ${String(state.currentState)} is read as ${over}.`)
  state.currentState = over
}

/** Completed phases never run again: work in one of them goes on at the first phase that is open. */
function leaveClosedPhase(state: JsonObject, standing: Standing, log: MigrationLog): void {
  const current = state.currentPhase
  if (!working.includes(state.currentState) || typeof current !== 'number') return
  if (standing.open.includes(current)) return
  const next = standing.open[0]
  const then = afterLastPhase(standing)
  const goesOn = next === undefined ? then : `${then} of phase ${next + 1}`
  log.warnings.push(
    `Phase ${current + 1} is closed already; ${String(state.currentState)} is read as ${goesOn}.`,
  )
  state.currentState = then
  if (next !== undefined) state.currentPhase = next
}
