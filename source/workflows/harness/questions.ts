import type { PhaseDraft, QuestionDraft, QuestionOption } from '../../run/question.js'
import type { Attempt, Finding } from './state.js'

// Every gate of the harness workflow, in the order of harness.md section 1.4. Option labels are exact.

const stop: QuestionOption = {
  value: 'stop',
  label: 'stop',
  consequence: 'save the state and exit; the same question is asked on resume',
  stops: true,
}

const rationale = { label: 'Why is this acceptable?', required: true }

/** Finished session opened again (section 5.1): shows the summary; nothing runs again by itself. */
export function qDone(summary: string[]): QuestionDraft {
  return {
    gate: 'Q-DONE',
    title: 'This session is done',
    body: summary,
    options: [
      { value: 'close', label: 'close', consequence: 'leave everything as it is', recommended: true },
      {
        value: 'archive',
        label: 'archive and start fresh',
        consequence: 'move the session to .harness/archive/sessions and begin again',
      },
    ],
  }
}

/** The state file and its backup cannot be used (section 1.1 step 3). */
export function qBroken(reasons: string[]): QuestionDraft {
  return {
    gate: 'Q-BROKEN',
    title: 'The saved state of this session cannot be read',
    body: reasons,
    options: [
      { value: 'close', label: 'close', consequence: 'touch nothing', recommended: true },
      {
        value: 'archive',
        label: 'archive and start fresh',
        consequence: 'move the session to .harness/archive/sessions and begin again',
      },
    ],
  }
}

/** A tolerant reading of the phases has to be confirmed (section 3). */
export function qReading(body: string[], phases: PhaseDraft[]): QuestionDraft {
  return {
    gate: 'Q-READING',
    title: 'Are these the phases of the spec?',
    body,
    options: [
      { value: 'use', label: 'use these phases', consequence: 'begin with this list', recommended: true },
      {
        value: 'edit',
        label: 'edit the list',
        consequence: 'rename, drop, merge, set complexity',
        edits: true,
      },
      stop,
    ],
    editor: { kind: 'reading', phases },
  }
}

/** No phases could be read at all (section 3). */
export function qNoPhases(body: string[]): QuestionDraft {
  return {
    gate: 'Q-READING',
    title: 'No phases could be read from the spec',
    body,
    options: [
      {
        value: 'heading',
        label: 'choose a heading',
        consequence: 'read the phases below the heading in this line of the spec',
        text: { label: 'Line number of the heading', required: true },
      },
      { value: 'edit', label: 'type the phases', consequence: 'write the list yourself', edits: true },
      {
        value: 'retry',
        label: 'edit the spec and retry',
        consequence: 'read the file again',
        recommended: true,
      },
      stop,
    ],
    editor: { kind: 'reading', phases: [] },
  }
}

/** The base of the final review is not known (section 2.2, migration). */
export function qBase(head: string): QuestionDraft {
  return {
    gate: 'Q-BASE',
    title: 'Where did the work of this session begin?',
    body: [
      'The saved state names no starting commit that can be trusted.',
      'The final review reads everything from that commit to HEAD; with HEAD it misses the earlier phases.',
    ],
    options: [
      {
        value: 'enter',
        label: 'enter a commit',
        consequence: 'the final review starts there',
        text: { label: 'Commit, tag or branch', required: true },
      },
      {
        value: 'head',
        label: 'use HEAD',
        consequence: `start at ${head.slice(0, 7)}; earlier phases are not reviewed`,
        recommended: true,
      },
      stop,
    ],
  }
}

/** A stored state that this version does not know, or one that says "complete" with open phases (section 2.2). */
export function qOddState(
  body: string[],
  options: { value: string; label: string; consequence: string }[],
): QuestionDraft {
  return {
    gate: 'Q-STATE',
    title: 'Where should this session go on?',
    body,
    options: [...options.map((option, index) => ({ ...option, recommended: index === 0 })), stop],
  }
}

/** A high-complexity phase waits for a plan that a person makes (section 1.1, PLAN). */
export function qInteractive(phase: string, planPath: string, notice: string[]): QuestionDraft {
  return {
    gate: 'Q-INTERACTIVE',
    title: `${phase} is high-complexity and needs a plan made with you`,
    body: [
      ...notice,
      'Plan it interactively in your agent with the section of the spec for this phase,',
      `and have the plan written to ${planPath}.`,
      'Stop here if that takes longer; the run goes on by itself once the plan exists.',
    ],
    options: [
      { value: 'check', label: 'check again', consequence: 'look for the plan file', recommended: true },
      {
        value: 'choose',
        label: 'choose plan file',
        consequence: 'name the file yourself',
        text: { label: 'Plan file (relative to the project)', required: true },
      },
      stop,
    ],
  }
}

/** Several files, or one with only a similar name, could be the plan (section 4, finding the plan). */
export function qPlanFile(phase: string, candidates: string[], sure: boolean): QuestionDraft {
  return {
    gate: 'Q-PLAN-FILE',
    title: candidates.length === 1 ? `Is this the plan of ${phase}?` : `Which file is the plan of ${phase}?`,
    body: sure ? ['These were written since planning began.'] : ['Found by name only.'],
    options: [
      ...candidates.map((path, index) => ({
        value: path,
        label: path,
        consequence: 'use this file',
        recommended: index === 0,
      })),
      {
        value: 'choose',
        label: 'choose plan file',
        consequence: 'name the file yourself',
        text: { label: 'Plan file (relative to the project)', required: true },
      },
      stop,
    ],
  }
}

/** thorough: the outline is approved before the plan is written out (section 1.5). */
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
        recommended: true,
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

/** The plan gate (section 1.2). */
export function qApprove(body: string[], planPath: string): QuestionDraft {
  return {
    gate: 'Q-APPROVE',
    title: 'Approve this plan and begin execution?',
    body,
    options: [
      { value: 'yes', label: 'yes', consequence: 'execute this plan', recommended: true },
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

/** A plan in which no task is recognised cannot be executed, at any rigor level (section 1.2). */
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
        recommended: true,
      },
      { value: 'skip', label: 'skip phase', consequence: 'the phase is marked skipped' },
      stop,
    ],
  }
}

export function qHumanVerify(task: string, prompt: string[]): QuestionDraft {
  return {
    gate: 'human-verify',
    title: `Checkpoint in ${task}: is this right?`,
    body: prompt,
    options: [
      { value: 'confirm', label: 'confirm', consequence: 'commit and go on', recommended: true },
      {
        value: 'reject',
        label: 'reject',
        consequence: 'your note becomes the order to fix it',
        text: { label: 'What is wrong?', required: true },
      },
      stop,
    ],
  }
}

export function qDecision(task: string, prompt: string[], options: string[]): QuestionDraft {
  return {
    gate: 'decision',
    title: `Decision in ${task}`,
    body: prompt,
    options: [
      ...options.map((label, index) => ({
        value: `option:${label}`,
        label,
        consequence: 'go on with this choice',
        recommended: index === 0,
      })),
      {
        value: 'other',
        label: 'something else',
        consequence: 'answer in your own words',
        text: { label: 'Your decision', required: true },
      },
      stop,
    ],
  }
}

export function qHumanAction(task: string, prompt: string[]): QuestionDraft {
  return {
    gate: 'human-action',
    title: `${task} needs something done by you`,
    body: prompt,
    options: [{ value: 'done', label: 'done', consequence: 'go on', recommended: true }, stop],
  }
}

/** The retry budget of a task is gone (section 1.3). */
export function qRetry(task: string, attempts: readonly Attempt[]): QuestionDraft {
  return {
    gate: 'Q-RETRY',
    title: 'How should we proceed?',
    body: [
      `${task} - FAILED (budget exhausted)`,
      ...attempts.map(
        (attempt, index) => `Attempt ${index + 1}: ${attempt.fix || 'no fix reported'} -> ${attempt.error}`,
      ),
      'Recorded in .harness/failures.md.',
    ],
    options: [
      {
        value: 'fix',
        label: 'fix manually and continue',
        consequence: 'a fresh budget; goes on with this task',
        recommended: true,
      },
      { value: 'revise', label: 'revise plan', consequence: 'back to the plan gate' },
      stop,
    ],
  }
}

/** Two phases in a row used up their budget: the spec may be the cause. */
export function qTwoFail(first: string, second: string): QuestionDraft {
  return {
    gate: 'Q-TWOFAIL',
    title: 'Two phases in a row have failed',
    body: [`${first} and ${second} both used up their retries. The cause may lie in the spec.`],
    options: [
      {
        value: 'stop',
        label: 'review the spec',
        consequence: 'save the state and exit',
        stops: true,
        recommended: true,
      },
      { value: 'continue', label: 'continue', consequence: 'go on with this phase' },
    ],
  }
}

export function qVerify(gaps: string[]): QuestionDraft {
  return {
    gate: 'Q-VERIFY',
    title: 'Fix these issues before review?',
    body: gaps.length > 0 ? gaps : ['The verifier did not pass the phase and named no gap.'],
    options: [
      {
        value: 'fix',
        label: 'fix',
        consequence: 'the executor fixes them, then verification runs again',
        recommended: true,
      },
      { value: 'skip', label: 'skip verification', consequence: 'go on to review; the reviewer is warned' },
      stop,
    ],
  }
}

/** `harness validate` could not say anything (section 2.10). */
export function qValidate(reason: string[]): QuestionDraft {
  return {
    gate: 'Q-VALIDATE',
    title: 'The validate command cannot run',
    body: reason,
    options: [
      {
        value: 'verifier',
        label: 'run verifier instead',
        consequence: 'an agent verifies the phase',
        recommended: true,
      },
      { value: 'skip', label: 'skip verification', consequence: 'go on to review; the reviewer is warned' },
      stop,
    ],
  }
}

export function findingLines(findings: readonly Finding[]): string[] {
  return findings.flatMap((finding) => {
    const at = Array.isArray(finding.line)
      ? `:${finding.line.join('-')}`
      : finding.line === null
        ? ''
        : `:${finding.line}`
    const head = `[${finding.severity}] ${finding.file}${at} ${finding.title}`
    return finding.rationale ? [head, `  ${finding.rationale}`] : [head]
  })
}

export function qReview(blocking: readonly Finding[]): QuestionDraft {
  return {
    gate: 'Q-REVIEW',
    title: 'Address blocking findings before completing this phase?',
    body: findingLines(blocking),
    options: [
      {
        value: 'fix',
        label: 'fix',
        consequence: 'the executor fixes them, then verify and review run again',
        recommended: true,
      },
      { value: 'override', label: 'override', consequence: 'complete the phase as it is', text: rationale },
      stop,
    ],
  }
}

export function qNext(
  done: number,
  next: number,
  name: string,
  complexity: string,
  summary: string[],
): QuestionDraft {
  return {
    gate: 'Q-NEXT',
    title: `Phase ${done} complete. Next: Phase ${next}: ${name} (complexity: ${complexity}). Continue?`,
    body: summary,
    options: [{ value: 'yes', label: 'yes', consequence: 'begin the next phase', recommended: true }, stop],
  }
}

export function qFinal(blocking: readonly Finding[], cycle: number): QuestionDraft {
  return {
    gate: 'Q-FINAL',
    title: 'Address blocking findings before completing?',
    body: [
      ...findingLines(blocking),
      cycle < 3 ? `Fix cycles used: ${cycle} of 3` : 'All 3 fix cycles are used.',
    ],
    options: [
      {
        value: 'fix',
        label: 'fix',
        consequence: 'the executor fixes them, one commit each, then the review runs again',
        recommended: true,
      },
      { value: 'override', label: 'override', consequence: 'finish as it is', text: rationale },
      stop,
    ],
  }
}

export function qFinalLimit(blocking: readonly Finding[]): QuestionDraft {
  return {
    gate: 'Q-FINAL-LIMIT',
    title: 'How should we proceed?',
    body: [
      'Three fix cycles did not clear the final review. Recorded in .harness/failures.md.',
      ...findingLines(blocking),
    ],
    options: [
      {
        value: 'fix',
        label: 'fix manually and continue',
        consequence: 'the final review runs again',
        recommended: true,
      },
      stop,
    ],
  }
}

export function qPr(body: string[]): QuestionDraft {
  return {
    gate: 'Q-PR',
    title: 'Create a PR?',
    body,
    options: [
      { value: 'yes', label: 'yes', consequence: 'title and body are made from the commits' },
      { value: 'no', label: 'no', consequence: 'finish', recommended: true },
    ],
  }
}

/** An agent failed, wrote nothing usable, or contradicts what is on disk. */
export function qAgent(title: string, body: string[], choosePlan: boolean): QuestionDraft {
  return {
    gate: 'Q-AGENT',
    title,
    body,
    options: [
      { value: 'retry', label: 'retry the step', consequence: 'dispatch the agent again', recommended: true },
      ...(choosePlan
        ? [
            {
              value: 'choose',
              label: 'choose plan file',
              consequence: 'use a plan that exists',
              text: { label: 'Plan file (relative to the project)', required: true },
            },
          ]
        : []),
      stop,
    ],
  }
}

/** A bound of tokens, cost or turns is reached (the user's own limits). */
export function qBudget(reached: string): QuestionDraft {
  return {
    gate: 'Q-BUDGET',
    title: 'A budget is used up',
    body: [reached.replace(/^\[\w+\] /, '')],
    options: [
      {
        value: 'raise',
        label: 'raise',
        consequence: 'double this budget and go on in the same conversation',
      },
      { ...stop, recommended: true },
    ],
  }
}

/** A commit did not go through (section 5.2). Hooks are skipped only on this answer. */
export function qCommit(message: string, output: string[], hooks: boolean): QuestionDraft {
  return {
    gate: 'Q-COMMIT',
    title: 'The commit did not go through',
    body: [message, ...output],
    options: [
      { value: 'retry', label: 'retry', consequence: 'commit again', recommended: true },
      ...(hooks
        ? [
            {
              value: 'no-hooks',
              label: 'commit without hooks',
              consequence: 'the hooks of the repository are skipped once',
            },
          ]
        : []),
      { value: 'leave', label: 'leave uncommitted', consequence: 'go on; the changes stay in the work tree' },
      stop,
    ],
  }
}

/** Paths that were dirty before the phase have changed in it (section 5.2). */
export function qDirty(paths: string[]): QuestionDraft {
  return {
    gate: 'Q-DIRTY',
    title: 'Files with changes of yours were changed in this phase',
    body: [
      'They had uncommitted changes before the phase began, so the commit would hold your changes too:',
      ...paths,
    ],
    options: [
      { value: 'leave', label: 'leave out', consequence: 'commit the other files', recommended: true },
      { value: 'include', label: 'include', consequence: 'commit them with what was there before' },
      stop,
    ],
  }
}

/** A file that looks like a secret would be committed (reliability.md section 6). */
export function qSecrets(found: string[]): QuestionDraft {
  return {
    gate: 'Q-SECRETS',
    title: 'Files that look like secrets would be committed',
    body: found,
    options: [
      { value: 'leave', label: 'leave out', consequence: 'commit the other files', recommended: true },
      { value: 'include', label: 'include', consequence: 'commit them' },
      stop,
    ],
  }
}

/** A change of docs/roadmap.md, shown before it is made (section 2.9). */
export function qRoadmap(diff: string[], generated: boolean): QuestionDraft {
  return {
    gate: 'Q-ROADMAP',
    title: 'Update the roadmap?',
    body: [
      ...(generated ? ['docs/roadmap.d/ exists, so docs/roadmap.md may be generated from it.', ''] : []),
      ...diff,
    ],
    options: [
      { value: 'apply', label: 'apply', consequence: 'write this change', recommended: true },
      { value: 'leave', label: 'leave', consequence: 'leave the file as it is' },
    ],
  }
}

/** All phases were skipped: is the feature done? (section 2.9) */
export function qAllSkipped(): QuestionDraft {
  return {
    gate: 'Q-ROADMAP',
    title: 'Every phase was skipped. Is the feature done?',
    body: ['Nothing was executed in this session, so the roadmap is not set to done by itself.'],
    options: [
      { value: 'leave', label: 'leave', consequence: 'the roadmap stays as it is', recommended: true },
      { value: 'apply', label: 'apply', consequence: 'set the feature to done' },
    ],
  }
}

/** Open phases skipped or moved (section 5.1); completed ones never run again. */
export function qPhases(phases: PhaseDraft[]): QuestionDraft {
  return {
    gate: 'Q-PHASES',
    title: 'Skip or reorder open phases',
    body: ['Phases that are complete or running are not listed.'],
    options: [
      { value: 'keep', label: 'keep as it is', consequence: 'go on', recommended: true },
      { value: 'edit', label: 'change the order', consequence: 'move or skip phases', edits: true },
    ],
    editor: { kind: 'order', phases },
  }
}
