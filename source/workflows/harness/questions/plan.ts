import type { QuestionDraft, QuestionOption } from '../../../view/question.js'
import { stop } from '../../options.js'

// Gates of PLAN and APPROVE_PLAN (docs/harness.md, "Questions").

/** In place of another try of the planner. */
export const choosePlanFile: QuestionOption = {
  value: 'choose',
  label: 'choose plan file',
  consequence: 'use a plan that exists',
  text: { label: 'Plan file (relative to the project)', required: true },
}

/** A high-complexity phase waits for a plan that a person makes (docs/harness.md, "States"). */
export function qInteractive(phase: string, planPath: string, notice: string[]): QuestionDraft {
  return {
    gate: 'Q-INTERACTIVE',
    title: `${phase} is high-complexity and needs a plan made with you`,
    body: [
      ...notice,
      `Plan it interactively in your agent with the section of the spec for this phase, and have the plan written to ${planPath}.`,
      'Then check again here. If that takes longer, stop: the next start goes on by itself once the plan exists.',
    ],
    options: [
      { value: 'check', label: 'check again', consequence: 'look for the plan file', safe: true },
      { ...choosePlanFile, consequence: 'name the file yourself' },
      stop,
    ],
  }
}

/** Several files, or one with only a similar name, could be the plan (docs/harness.md, "Plan grammar"). */
export function qPlanFile(phase: string, candidates: string[], sure: boolean): QuestionDraft {
  return {
    gate: 'Q-PLAN-FILE',
    title: candidates.length === 1 ? `Is this the plan of ${phase}?` : `Which file is the plan of ${phase}?`,
    body: sure ? ['These were written since planning began.'] : ['Found by name only.'],
    options: [
      ...candidates.map((path) => ({
        value: path,
        label: path,
        consequence: 'use this file',
      })),
      { ...choosePlanFile, consequence: 'name the file yourself' },
      stop,
    ],
  }
}

/** thorough: the outline is approved before the plan is written out (docs/harness.md, "Rigor"). */
export function qSkeleton(phase: string, skeleton: string[]): QuestionDraft {
  return {
    gate: 'Q-SKELETON',
    title: `Approve this outline of ${phase}?`,
    body: skeleton,
    options: [
      {
        value: 'approve',
        label: 'approve',
        consequence: 'the planner writes the plan from it',
        safe: true,
      },
      {
        value: 'revise',
        label: 'revise',
        consequence: 'the planner makes another outline with your note',
        text: { label: 'What should be different?', required: true },
      },
      stop,
    ],
  }
}

/** The plan gate; `frozen` is the copy of the text that is approved (docs/harness.md, "Plan gate"). */
export function qApprove(body: string[], planPath: string, frozen: string): QuestionDraft {
  return {
    gate: 'Q-APPROVE',
    title: 'Approve this plan and begin execution?',
    body,
    evidence: [{ id: 'plan', kind: 'plan', title: planPath, path: frozen }],
    options: [
      { value: 'yes', label: 'yes', consequence: 'execute this plan' },
      {
        value: 'revise',
        label: 'revise',
        consequence: `edit ${planPath} yourself, then this gate opens again`,
      },
      { value: 'skip', label: 'skip phase', consequence: 'the phase is marked skipped' },
      stop,
    ],
  }
}

/** A plan in which no task is recognised cannot be executed, at any rigor level (docs/harness.md, "Plan gate"). */
export function qNoTasks(body: string[], planPath: string): QuestionDraft {
  return {
    gate: 'Q-APPROVE',
    title: 'The plan has no tasks that can be recognised',
    body,
    options: [
      {
        value: 'revise',
        label: 'revise',
        consequence: `edit ${planPath} yourself, then it is read again`,
        rereads: true,
        safe: true,
      },
      { value: 'skip', label: 'skip phase', consequence: 'the phase is marked skipped' },
      stop,
    ],
  }
}
