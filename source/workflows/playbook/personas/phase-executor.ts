import { counted } from '../../../counted.js'
import type { Order } from '../orders/order.js'
import { type Begin, listSection, page, pathsText, reportsSection, taskSection } from './page.js'

/** Carries out one task, or all of a long plan, or the rest of one. */
export function executorPrompt(order: Order<'execution'>, begin: Begin): string {
  const { phase, task, tasks = [], handoff } = order
  const all = [...(task === undefined ? [] : [task]), ...tasks]
  const what =
    all.length === 1
      ? `task ${all[0]?.id} of phase ${phase.id}`
      : `${counted(all.length, 'task')} of phase ${phase.id}`
  return page(order, begin, {
    role: `You are phase-executor. You carry out ${what}, ${phase.name}, and nothing else of it.`,
    where: [
      ['Plans', pathsText(order.planPaths)],
      ['Log of the tasks before', `\`${order.logPath}\``],
      ['Last checkpoint', order.lastCheckpointSha],
      ['Begin each commit subject with', `\`${order.commitSubject}\``],
      ...(order.learningsPath === undefined
        ? []
        : [['Learnings of this run', `\`${order.learningsPath}\``] as const]),
      ...(order.repoMapPath === undefined ? [] : [['Map of the code', `\`${order.repoMapPath}\``] as const]),
    ],
    sections: [
      ...all.map(taskSection),
      remediation(order),
      handoff === undefined
        ? undefined
        : listSection(
            'Where the conversation before you left off',
            handoff.tasksRemaining,
            `It was full. What it did is told in \`${handoff.path}\`; ${counted(handoff.tasksCompleted.length, 'task is', 'tasks are')} done. Left:`,
          ),
      order.baselineCompile === null
        ? undefined
        : reportsSection('How the project compiled before', [order.baselineCompile]),
    ],
    must: [
      'Read the plan, the log of the tasks before and the files of the task before you change anything.',
      'Compile after every file that you write, and mend that file before you write another. What did not compile before you came is not yours.',
      'Lint before you commit.',
      'Run the command of every criterion and the test specification of the task yourself, and go on until they pass. That you wrote it shows nothing.',
      'Connect what you create: a new source file that nothing imports is unfinished, unless it stands alone by its nature; then say why.',
      `One commit for each task, with its subject beginning as told and your summary behind it. Stage by explicit paths.`,
      `If your context fills up before you are done, commit what is whole, write \`${order.phaseDir}/HANDOFF.md\` (phase id, reason, last checkpoint, tasks completed with commits, tasks remaining, files modified, current step) and end.`,
    ],
    should: [
      'Extend what exists before you create something beside it; look in the map of the code, then by searching.',
      'Heed the learnings of this run.',
      'Follow the habits of the repository in names, tests and messages.',
      'Say below 7 of confidence if a criterion is not surely met; it is then looked at more closely.',
    ],
    may: [
      `Write \`${order.phaseDir}/SUMMARY.md\` if it helps those who come after.`,
      'Explain in a comment what is not plain.',
    ],
    output:
      'Code, tests and commits. The plan, the spec, the test specifications of the tasks and the log stay as they are; the program writes the log.',
  })
}

function remediation({ remediationCycle, remediationFeedback = [] }: Order<'execution'>): string | undefined {
  if (remediationCycle === undefined) return undefined
  const items = remediationFeedback.map(
    ({ criterion, deficiency, target_file, current_score, target_score, expected_impact }) =>
      [
        `${criterion}: ${deficiency}`,
        target_file === undefined ? '' : ` (in ${target_file})`,
        current_score === undefined ? '' : `; now ${current_score.toFixed(1)}`,
        target_score === undefined ? '' : `, wanted ${target_score.toFixed(1)}`,
        expected_impact === undefined ? '' : `; ${expected_impact}`,
      ].join(''),
  )
  return listSection(
    `Cycle ${remediationCycle} of mending`,
    items,
    'The phase was done and is not good enough yet. Mend exactly this, and nothing else of the phase:',
  )
}
