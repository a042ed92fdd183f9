import { checkpointMessage } from '../../commits/checkpoint-commit.js'
import { qDecision, qHumanAction, qHumanVerify } from '../questions/execute.js'
import type { CheckpointReport } from '../results.js'
import { knownDecisions, withDecision } from '../state/decisions.js'
import { commitPhase } from './commit-phase.js'
import type { ExecutorOrder, Round } from './orders.js'
import type { PlanWork } from './plan-work.js'
import { planTaskId, taskName } from './task-ids.js'

/** Decision words of answered checkpoints; their number in a phase numbers its checkpoint commits. */
const answeredWords = ['checkpoint_confirmed', 'checkpoint_decision', 'checkpoint_done']

/**
 * Asks the checkpoint's question, records the answer, commits, and says what the executor is told (docs/harness.md,
 * "Questions").
 */
export async function answerCheckpoint(
  work: PlanWork,
  round: Round,
  checkpoint: CheckpointReport,
): Promise<ExecutorOrder> {
  const { run, tools, phase } = work
  const name = taskName(checkpoint.task, work.tasks)
  const task = work.tasks.find((one) => one.id === planTaskId(checkpoint.task, work.tasks))
  const given = await ask(work, round, checkpoint, task ? `${name}: ${task.title}` : name)

  const latest = await run.update(`checkpoint-decision-${round.number}`, (state) =>
    withDecision(state, {
      phase: phase.index,
      decision: given.decision,
      timestamp: tools.now().toISOString(),
      choice: given.answer,
      ...(given.note ? { rationale: given.note } : {}),
    }),
  )
  if (given.decision !== 'checkpoint_rejected') {
    const number = knownDecisions(latest).filter(
      (entry) => entry.phase === phase.index && answeredWords.includes(entry.decision),
    ).length
    const description = task?.title || (checkpoint.prompt.split('\n')[0] ?? name)
    await commitPhase(work, `checkpoint-${round.number}`, checkpointMessage(number, description))
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
  { run }: PlanWork,
  round: Round,
  checkpoint: CheckpointReport,
  title: string,
): Promise<Given> {
  const prompt = checkpoint.prompt.split('\n')
  switch (checkpoint.type) {
    case 'human-verify': {
      const answer = await run.ask(`human-verify-${round.number}`, qHumanVerify(title, prompt))
      if (answer.value === 'confirm') return { decision: 'checkpoint_confirmed', answer: 'confirm' }
      return { decision: 'checkpoint_rejected', answer: 'reject', note: answer.text ?? '' }
    }
    case 'decision': {
      const question = qDecision(title, prompt, checkpoint.options ?? [])
      const answer = await run.ask(`decision-${round.number}`, question)
      const chosen = answer.value === 'other' ? (answer.text ?? '') : answer.value.slice('option:'.length)
      return { decision: 'checkpoint_decision', answer: chosen }
    }
    case 'human-action':
      await run.ask(`human-action-${round.number}`, qHumanAction(title, prompt))
      return { decision: 'checkpoint_done', answer: 'done' }
  }
}
