import type { Visit } from '../ledger/visit.js'
import { Problem } from '../problem.js'
import { version } from '../version.js'
import type { QuestionDraft } from '../view/question.js'
import type { AskAside } from './ask-aside.js'
import type { VisitContext } from './run-context.js'
import type { TrustChanged } from './trust-changed.js'

/** The calls of state functions, one after the other: what the driver of a run does beside the states themselves. */
export interface Visits<State extends object> {
  /** Starts a visit, or goes on with the one that was interrupted. */
  enter(state: string, interlude?: boolean): Promise<void>
  /** Ends the visit: the next state is saved and shown. */
  leave(from: string, change: (latest: State | undefined) => State, finished: boolean): Promise<void>
  /** Ends whatever the state function left under way: agents, questions, steps. */
  abandon(): Promise<void>
  /** Shows the state that another hand has put into the place of ours. */
  reset(): void
  /** Asks whether what is executed now may be; the state function then begins again. Throws RunStopped otherwise. */
  settleTrust(changed: TrustChanged): Promise<void>
  /** Asks about a file that cannot be read as it has to be; what needs it then begins again. Throws RunStopped otherwise. */
  settleFile(problem: Problem): Promise<void>
  /** True while a visit goes on that an earlier process began. */
  midVisit(): boolean
  /** Id of the interlude that such a visit is one of. */
  interlude(): string | undefined
  /**
   * Before anything else: an interrupted visit that this version cannot replay is begun again, if the person says so.
   * Problem('unknown-workflow') for a session of another workflow.
   */
  settleRevision(): Promise<void>
}

export function createVisits<State extends object>(
  context: VisitContext<State>,
  askAside: AskAside,
): Visits<State> {
  const { ledger, live, machine, saver } = context

  const visitOf = (state: string) =>
    ({
      type: 'visit',
      visit: ledger.visit.number + 1,
      state,
      workflow: machine.workflow,
      revision: revisionOf(context, state),
      version,
    }) as const

  /** From the newest state: what was decided and counted in the interrupted visit is in it, and stays. */
  async function beginAgain({ number: again }: Visit): Promise<void> {
    const state = ledger.state === undefined ? 'INIT' : machine.nameOf(ledger.state)
    await saver.append({ ...visitOf(state), again })
  }

  return {
    midVisit: () => ledger.visit.state !== '',
    interlude: () => (ledger.visit.interlude ? ledger.visit.state : undefined),

    async enter(state, interlude = false) {
      const { visit } = ledger
      if (visit.number > 0 && visit.state === state && visit.interlude === interlude) return visit.restart()
      await saver.append(interlude ? { ...visitOf(state), interlude } : visitOf(state))
    },

    async leave(from, change, finished) {
      await context.pause()
      await noteLeftovers(context)
      const visit = ledger.visit.number
      let next: State | undefined
      const made = (latest: State | undefined) => {
        next ??= change(latest)
        return next
      }
      const to = machine.nameOf(made(ledger.state))
      const fact = { type: 'transition', visit, from, to } as const
      await saver.saveImage(finished ? { ...fact, finished } : fact, (latest) =>
        machine.withQuestion(made(latest), undefined),
      )
    },

    abandon: () => context.endVisit(),
    reset: () => live.patch({ view: machine.view(context.saved()) }),

    async settleTrust(changed) {
      await askAside(`trust-${changed.hash.slice(0, 12)}`, trustQuestion(changed.lines), context.visitSignal)
      await changed.consent()
    },

    async settleFile(problem) {
      await askAside('file', fileQuestion(problem), context.visitSignal)
    },

    async settleRevision() {
      const { workflow } = ledger.digest
      if (workflow !== null && workflow !== machine.workflow)
        throw unknownWorkflow(workflow, machine.workflow)
      const { visit } = ledger
      if (visit.state === '') return
      const revision = revisionOf(context, visit.state)
      if (visit.revision === revision && !visit.damaged) return
      const why = visit.damaged
        ? damagedWhy
        : `It was begun by another version of the program (revision ${visit.revision}; this one has ${revision}).`
      await askAside('revision', revisionQuestion(visit.state, why), context.visitSignal)
      await beginAgain(visit)
    },
  }
}

/** A file that a person has to put right before a state can go on. */
export function fileQuestion({ what, why, todo }: Problem): QuestionDraft {
  return {
    gate: 'Q-FILE',
    title: 'A file is not what it has to be',
    body: [what, why, todo],
    options: [
      {
        value: 'again',
        label: 'look again',
        consequence: 'go on from the last step, once it is put right',
        safe: true,
      },
      { value: 'stop', label: 'stop', consequence: 'save the state and exit', stops: true },
    ],
  }
}

/** What is executed has changed in the middle of a run (docs/durability.md, "Trust"). */
export function trustQuestion(programs: readonly string[]): QuestionDraft {
  return {
    gate: 'Q-TRUST',
    title: 'What this run executes has changed. Go on with it?',
    body: [
      'Something that is executed is not what you agreed to; nothing was started since:',
      '',
      ...programs,
    ],
    options: [
      {
        value: 'stop',
        label: 'stop',
        consequence: 'save the state and exit',
        stops: true,
        safe: true,
      },
      { value: 'yes', label: 'yes, trust it as it is now', consequence: 'remember it and go on' },
    ],
  }
}

/** States that have never changed their keys since revisions are written are 1; what 0.1.0 wrote is 0. */
function revisionOf<State extends object>({ machine }: VisitContext<State>, state: string): number {
  return machine.revisions[state] ?? 1
}

const damagedWhy = 'A line of the journal that it would need is damaged.'

/** A state that this version cannot replay, or whose records are damaged. */
export function revisionQuestion(state: string, why: string): QuestionDraft {
  return {
    gate: 'Q-REVISION',
    title: `${state} was interrupted and cannot be gone on with step by step`,
    body: [
      why,
      'The state can be begun again: what was decided and committed in it is kept, your answers hold where the same is',
      'asked again, and agents are dispatched anew.',
    ],
    options: [
      {
        value: 'again',
        label: 'begin this state again',
        consequence: 'from what is saved; answers are kept',
        safe: true,
      },
      { value: 'stop', label: 'stop', consequence: 'leave everything as it is', stops: true },
    ],
  }
}

const shownLeftovers = 5

/** Records that no code asked for say that the replay took another way than the first run: somebody should know. */
async function noteLeftovers<State extends object>(context: VisitContext<State>): Promise<void> {
  const { visit } = context.ledger
  const left = visit.leftovers()
  if (left.length === 0) return
  const names = left.slice(0, shownLeftovers).join(', ')
  const more = left.length > shownLeftovers ? ` and ${left.length - shownLeftovers} more` : ''
  await context.saver.append({
    type: 'note',
    visit: visit.number,
    key: 'leftovers',
    kind: 'warning',
    text: `${visit.state}: done before the interruption and not needed after it: ${names}${more}`,
  })
  context.onLeftovers?.(left)
}

function unknownWorkflow(found: string, ours: string): Problem {
  return new Problem({
    code: 'unknown-workflow',
    what: `This session belongs to the workflow ${found}, and was opened as one of ${ours}.`,
    why: 'The steps of one workflow mean nothing to another, so nothing was changed.',
    todo: `Open it with a version of autopilot that knows the workflow ${found}.`,
  })
}
