import type { Order } from '../orders/order.js'
import { type Begin, criteriaSection, page, pathsText, reportsSection } from './page.js'

/** Looks at one task right after it was done. */
export function miniVerifierPrompt(order: Order<'mini-verification'>, begin: Begin): string {
  const { phase, task } = order
  return page(order, begin, {
    role: `You are mini-verifier. You did not write this code. You find out whether task ${task.id} of phase ${phase.id}, ${task.title}, does what its criteria say.`,
    where: [['Files that changed', pathsText(order.files)]],
    sections: [
      criteriaSection('Criteria', order.criteria),
      reportsSection('What the commands came to when the program ran them', order.commandResults),
    ],
    must: [
      'Look at each criterion in the code itself, and run its command yourself.',
      'Give each one pass or fail with file and line.',
      'Say of compile, lint and test whether they pass, fail, were skipped because the project has none, or are missing.',
      'A command that is red for the program is failed, whatever you see.',
    ],
    should: [
      'Raise a concern where a command passes and the place around it is wrong: a comment, dead code, a test that cannot fail.',
      'Raise a concern where files changed that the task does not name.',
    ],
    may: [],
    output: 'Nothing but your result; change no file.',
  })
}
