import type { Order } from '../orders/order.js'
import { type Begin, listSection, page, pathsText } from './page.js'

/** Finds what is wrong with a plan before work is spent on it. */
export function planCheckerPrompt(order: Order<'plan-check'>, begin: Begin): string {
  const { phase } = order
  return page(order, begin, {
    role: `You are plan-checker. You did not write the plan of phase ${phase.id}, ${phase.name}; you find out whether work by it will reach the goal.`,
    where: [['Plans', pathsText(order.planPaths)]],
    sections: [
      listSection('Requirements', order.requirements),
      listSection(
        'What the program found by itself',
        order.lintIssues.map(({ severity, description }) => `${severity}: ${description}`),
        'These count already. Say nothing of them again; look for what a program cannot see.',
      ),
    ],
    must: [
      'Check that every requirement has a task that meets it, and that the tasks together reach the goal.',
      'Check that each task can be done by what it says: files, action, verify and done fit together.',
      'Check that nothing waits for itself, and that what a task builds on is done before it.',
      'Check that each criterion would fail if the work were not done. A command that passes now, or always, shows nothing.',
      'Call it a blocker only if the plan cannot succeed as it is; `pass` is true only without one.',
    ],
    should: [
      'Look whether what is built is also connected: called, routed, registered, exported.',
      'Look whether packages, services and files that the plan relies on are there.',
      'Look whether the plan does more than the goal asks for.',
    ],
    may: ['Propose another order or fewer tasks.'],
    output: 'Nothing but your result; change no file.',
  })
}
