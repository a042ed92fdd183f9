import type { Order } from '../orders/order.js'
import { type Begin, listSection, page, reportsSection, taskSection, taxonomySection } from './page.js'

/** Mends what failed, and nothing else. */
export function debuggerPrompt(order: Order<'debug'>, begin: Begin): string {
  const { phase, debugAttempt, task } = order
  return page(order, begin, {
    role: `You are phase-debugger. You mend what failed in phase ${phase.id}, ${phase.name}. This is attempt ${debugAttempt}.`,
    where: [
      ['Begin each commit subject with', `\`${order.commitSubject}\``],
      ...(order.verificationPath === undefined
        ? []
        : [['Report of the verifier', `\`${order.verificationPath}\``] as const]),
      ...(order.visualBugsPath === undefined
        ? []
        : [['Faults seen on the screen', `\`${order.visualBugsPath}\``] as const]),
    ],
    sections: [
      task === undefined ? undefined : taskSection(task),
      listSection('What failed', order.issues),
      reportsSection('Red commands', order.failingChecks),
      listSection('What the attempt before left broken', order.remainingIssues),
      taxonomySection(),
    ],
    must: [
      'Find the cause of each failure before you change anything: reproduce it, guess, test the guess.',
      'Mend the cause, with the smallest change that does. Do not touch what is not broken, and never weaken a test or a check.',
      'Compile, lint and run the red command again before you commit.',
      'One commit for each fix, with its subject beginning as told and your summary behind it. Stage by explicit paths.',
      'Say what is still broken. `fixed` is true only if nothing of the list is.',
      'Give each failure a word of the list.',
    ],
    should: ['Name file and line of each cause.', 'Check each fix before you go on to the next.'],
    may: ['Name what you saw beside it and left alone.'],
    output:
      'Code, tests and commits. The plan, the spec, the test specifications of the tasks and the reports stay as they are.',
  })
}
