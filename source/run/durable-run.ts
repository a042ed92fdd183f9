import type { RunSnapshot, Said, TaskView } from '../view/view.js'
import { createAgentsAtWork } from './agents-at-work.js'
import { createAskAside } from './ask-aside.js'
import { createDispatcher } from './dispatches.js'
import { createGateDesk, type GateDesk } from './gate-desk.js'
import { createGate } from './gates.js'
import { hiddenLines } from './hidden.js'
import type { Run } from './run.js'
import { createContext, type RunParts, type VisitContext } from './run-context.js'
import { createSaver } from './saver.js'
import { createSteering } from './steering.js'
import { createSteps } from './steps.js'
import { createUsageMeter } from './usage-meter.js'
import { createVisits, type Visits } from './visits.js'

export type { RunParts } from './run-context.js'

/** A run plus what the driver of a run and the keys need. */
export interface DrivenRun<State extends object> extends Run<State>, Visits<State> {
  desk: GateDesk
  /** Tells the agent of a pane, or all that work, something, now or at the next dispatch. */
  say(text: string, paneId?: string): Said
  /** Suspends or continues that agent, or all that work; false if none works. */
  suspendAgent(on: boolean, paneId?: string): boolean
  /** True if that agent, or every one that works, is suspended. */
  agentSuspended(paneId?: string): boolean
  /** Ends the turn of that agent, or of all that work; false if there is none that can be ended. */
  interruptAgent(paneId?: string): boolean
}

export function createRun<State extends object>(parts: RunParts<State>): DrivenRun<State> {
  const { ledger, live, signal } = parts
  const desk = createGateDesk(signal, (question, others) =>
    live.patch({
      question,
      waiting: others.map(({ id, gate, title, askedAt }) => ({ id, gate, title, askedAt })),
    }),
  )
  const saver = createSaver({ ...parts, desk })
  const context: VisitContext<State> = createContext(parts, { desk, saver })
  const atWork = createAgentsAtWork(live)
  const steering = createSteering(context, atWork)
  const askAside = createAskAside(context)
  const meter = createUsageMeter(ledger.digest, live)
  const gate = createGate(context)

  return {
    signal,
    desk,
    get state() {
      return context.saved()
    },
    get spent() {
      const { usage, usageByPhase } = ledger.digest
      return { total: usage, byPhase: usageByPhase }
    },
    get times() {
      return ledger.digest.times
    },
    ...createSteps(context),
    gate,
    agent: createDispatcher({ run: context, atWork, steering, askAside, meter }),
    answered: (key) => ledger.visit.find('answered', key)?.stop === false,
    brokenOff: () => ledger.visit.unfinished.filter(({ before }) => before !== undefined),
    broken: (key) => [...ledger.visit.broken(key)],
    async ask(key, question, onStop) {
      const { answer } = await gate(key, async () => ({ subject: null, question }), onStop)
      return answer
    },
    report: (lines) => live.patch({ reports: hiddenLines(context.hide, lines) }),
    tasks: (tasks) => live.patch(withTitles(live.getSnapshot(), hiddenTitles(context.hide, tasks))),
    banner: (text) => live.patch({ banner: text === undefined ? undefined : context.hide(text) }),
    ...createVisits(context, askAside),
    say: steering.say,
    suspendAgent: atWork.suspend,
    agentSuspended: atWork.suspended,
    interruptAgent: atWork.interrupt,
  }
}

function hiddenTitles(hide: (text: string) => string, tasks: readonly TaskView[]): TaskView[] {
  return tasks.map((task) => ({ ...task, title: hide(task.title) }))
}

/** The tasks of the phase in work, with their titles beside those of the phases before it. */
function withTitles(
  { view, taskTitles = new Map() }: RunSnapshot,
  tasks: readonly TaskView[],
): Pick<RunSnapshot, 'tasks' | 'taskTitles'> {
  const phase = view.currentPhase
  if (phase === undefined || phase === null || tasks.length === 0) return { tasks, taskTitles }
  const known = new Map([
    ...(taskTitles.get(phase) ?? []),
    ...tasks.map(({ id, title }) => [id, title] as const),
  ])
  return { tasks, taskTitles: new Map([...taskTitles, [phase, known]]) }
}
