import type { PlanTask } from '../../documents/plan.js'
import type { Run } from '../../run/run.js'
import { checkpointMessage, commitChanges } from '../commits/checkpoint-commit.js'
import { knownDecisions, withDecision } from './decisions.js'
import type { ExecutorOrder } from './executor.js'
import type { PhaseContext } from './phases.js'
import { qDecision, qHumanAction, qHumanVerify } from './questions/execute.js'
import type { CheckpointReport } from './results.js'
import type { HarnessState } from './state/state.js'
import { planTaskId, taskName } from './task-ids.js'
import type { HarnessTools } from './tools.js'

/** Decision words of answered checkpoints; their number in a phase numbers its checkpoint commits. */
const answeredWords = ['checkpoint_confirmed', 'checkpoint_decision', 'checkpoint_done']

/** Asks the checkpoint's question, records the answer, commits, and says what the executor is told (section 1.3). */
export async function answerCheckpoint(
  run: Run<HarnessState>,
  tools: HarnessTools,
  work: { context: PhaseContext; tasks: readonly PlanTask[] },
  round: number,
  checkpoint: CheckpointReport,
): Promise<ExecutorOrder> {
  const { context } = work
  const name = taskName(checkpoint.task, work.tasks)
  const task = work.tasks.find((one) => one.id === planTaskId(checkpoint.task, work.tasks))
  const title = task ? `${name}: ${task.title}` : name
  const prompt = checkpoint.prompt.split('\n')
  const given = await ask(run, round, checkpoint, title, prompt)

  const latest = await run.update(`checkpoint-decision-${round}`, (state) =>
    withDecision(state, {
      phase: context.index,
      decision: given.decision,
      timestamp: tools.now().toISOString(),
      choice: given.answer,
      ...(given.note ? { rationale: given.note } : {}),
    }),
  )
  if (given.decision !== 'checkpoint_rejected') {
    const number = knownDecisions(latest).filter(
      (entry) => entry.phase === context.index && answeredWords.includes(entry.decision),
    ).length
    const description = task?.title || (prompt[0] ?? name)
    await commitChanges(run, tools, context, `checkpoint-${round}`, checkpointMessage(number, description))
  }
  return {
    kind: 'answer',
    type: checkpoint.type,
    task: name,
    answer: given.answer,
    ...(given.note ? { note: given.note } : {}),
  }
}

interface Given {
  decision: 'checkpoint_confirmed' | 'checkpoint_rejected' | 'checkpoint_decision' | 'checkpoint_done'
  answer: string
  note?: string
}

async function ask(
  run: Run<HarnessState>,
  round: number,
  checkpoint: CheckpointReport,
  title: string,
  prompt: string[],
): Promise<Given> {
  switch (checkpoint.type) {
    case 'human-verify': {
      const answer = await run.ask(`human-verify-${round}`, qHumanVerify(title, prompt))
      if (answer.value === 'confirm') return { decision: 'checkpoint_confirmed', answer: 'confirm' }
      return { decision: 'checkpoint_rejected', answer: 'reject', note: answer.text ?? '' }
    }
    case 'decision': {
      const answer = await run.ask(`decision-${round}`, qDecision(title, prompt, checkpoint.options ?? []))
      const chosen = answer.value === 'other' ? (answer.text ?? '') : answer.value.slice('option:'.length)
      return { decision: 'checkpoint_decision', answer: chosen }
    }
    case 'human-action':
      await run.ask(`human-action-${round}`, qHumanAction(title, prompt))
      return { decision: 'checkpoint_done', answer: 'done' }
  }
}
