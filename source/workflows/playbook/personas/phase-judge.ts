import { fenced } from '../../../agents/quote.js'
import type { Order } from '../orders/order.js'
import { type Begin, listSection, page, pathsText } from './page.js'

const role = (id: string, name: string) =>
  `You are phase-judge. You look at phase ${id}, ${name}, to find what everybody else has missed.`

/** The judge's own look, before anything is known of the verifier. */
export function judgePrompt(order: Order<'judgement'>, begin: Begin): string {
  const { phase, phaseType, reportPath } = order
  const isInteractive = phaseType === 'ui' || phaseType === 'mixed'
  return page(order, begin, {
    role: `${role(phase.id, phase.name)} You go by what you find yourself. There is a report of the verifier that you do not have yet; do not look for it.`,
    where: where(order),
    sections: [listSection('Requirements', order.requirements), executorWords(order)],
    must: [
      'Gather your own evidence: the difference, the log, the files, the spec.',
      isInteractive
        ? 'Check at least one criterion closely: follow one handler from what sets it off to what it finally does.'
        : 'Check at least one criterion closely, in the file itself.',
      'Look in the spec for requirements of this phase that nobody met.',
      `Write what you found to \`${reportPath}\`, with file and line and the commands that you ran.`,
      'Name at least one concern, however small. Who looks closely finds one.',
      'Recommend: `proceed` if it holds, concerns or not; `debug` if something is broken that can be mended; `rollback` or `halt` if it goes the wrong way.',
    ],
    should: [
      'Name what was built that nobody asked for.',
      'Form your own opinion; do not repeat what the executor says.',
    ],
    may: ['Name debts that the work leaves behind.'],
    output: `\`${reportPath}\`, and nothing else. Give no score; somebody else does.`,
  })
}

/** The judge's second turn: where the own findings and the verifier's differ. */
export function divergencePrompt(order: Order<'judgement-divergence'>, begin: Begin): string {
  const { phase, reportPath, verificationPath } = order
  return page(order, begin, {
    role: `${role(phase.id, phase.name)} You have written your report; now you hold the verifier's against it.`,
    where: [...where(order), ['Report of the verifier', `\`${verificationPath}\``]],
    sections: [
      listSection('Requirements', order.requirements),
      executorWords(order),
      `## What you found before\n\n${fenced(JSON.stringify(order.turnOne, null, 1), 'text')}`,
    ],
    must: [
      `Read \`${verificationPath}\` and append a section \`## Divergence Analysis\` to \`${reportPath}\`; change nothing above it.`,
      'Say there where you agree and by which evidence of your own, where you disagree, what the verifier missed, and what you missed.',
      'If you agree on everything, show file and line or output of your own that led you there. Agreement alone is not accepted.',
      'Give your recommendation anew, in the light of both.',
    ],
    should: ['Check one finding of the verifier that you did not have, in the file itself.'],
    may: ['Change your mind, and say why.'],
    output: `The section in \`${reportPath}\`, and nothing else.`,
  })
}

function where(
  order: Pick<Order<'judgement'>, 'planPaths' | 'diffCommand' | 'logCommand' | 'reportPath'>,
): (readonly [string, string])[] {
  return [
    ['Plans', pathsText(order.planPaths)],
    ['What changed', `\`${order.diffCommand}\``],
    ['Commits', `\`${order.logCommand}\``],
    ['Your report', `\`${order.reportPath}\``],
  ]
}

function executorWords({
  executorEvidence,
}: Pick<Order<'judgement'>, 'executorEvidence'>): string | undefined {
  return listSection(
    'What the executor says',
    executorEvidence.flatMap(({ task_id, criteria_met, commands_run }) => [
      ...criteria_met.map((one) => `${task_id}: ${one}`),
      ...commands_run.map((one) => `${task_id}: ran ${one}`),
    ]),
    'Claims, to be doubted:',
  )
}
