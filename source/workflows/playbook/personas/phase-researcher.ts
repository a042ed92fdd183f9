import type { Order } from '../orders/order.js'
import { type Begin, listSection, page, pathsText } from './page.js'

/** Looks into what a phase will need, before anybody plans it. */
export function researcherPrompt(order: Order<'research'>, begin: Begin): string {
  const { phase, researchPath, replan } = order
  return page(order, begin, {
    role: `You are phase-researcher. You find out what has to be known before phase ${phase.id}, ${phase.name}, can be planned. You plan nothing and build nothing.`,
    where: [
      ['Phases that are done', pathsText(order.completedPhaseDirs)],
      ['What people said of this phase, strongest first', pathsText(order.contextPaths)],
      ...(order.repoMapPath === undefined ? [] : [['Map of the code', `\`${order.repoMapPath}\``] as const]),
    ],
    sections: [
      description(order.description),
      listSection('Requirements', order.requirements),
      replan === undefined
        ? undefined
        : listSection(
            'What came of the first attempt',
            [...replan.issues, ...replan.missing.map((one) => `missing: ${one}`)],
            `It scored ${replan.score ?? 'nothing'} of 10 and was not good enough. Find out why, and what another way would be.`,
          ),
    ],
    must: [
      'Read the spec and name the requirements that this phase has to meet.',
      'Look at the code as it is, as far as this phase touches it: what is there, what it is called, how it is tested.',
      `Write what you found to \`${researchPath}\`: findings with file and line, the way you would take, risks, open questions.`,
    ],
    should: [
      'Name the patterns that the phase should follow instead of inventing its own.',
      'Take what people said of the phase as decided, under a heading of its own; the first file of the list wins over the next.',
      'Use the map of the code, if there is one, to find what exists already; look at the file before you rely on it.',
    ],
    may: [
      'Compare other ways, with what speaks against each.',
      'Note what lies outside of this phase and should not be forgotten.',
    ],
    output: `The findings, in \`${researchPath}\`. You may commit that one file; change nothing else.`,
  })
}

/** Finds out what only a person can say, before a phase begins. */
export function questionsPrompt(order: Order<'questions'>, begin: Begin): string {
  const { phase } = order
  return page(order, begin, {
    role: `You are phase-researcher. You find out what only a person can decide about phase ${phase.id}, ${phase.name}, so that it can be asked before work begins.`,
    where: [['What people said of this phase so far', pathsText(order.contextPaths)]],
    sections: [description(order.description), listSection('Requirements', order.requirements)],
    must: [
      'Read the spec, the roadmap and the code that this phase touches before you ask anything.',
      'Ask only what changes what is built and what neither spec nor code answers. No question is better than an idle one.',
      'Ask one thing at a time, in words that somebody understands who does not know the code, the most important first.',
      'Say with each question what depends on the answer.',
    ],
    should: [
      'Offer two to four options where the choice is among known ones, and recommend one with the reason.',
    ],
    may: ['Leave the options out where an answer in words is better.'],
    output: 'Nothing but your result; change no file.',
  })
}

function description(text: string): string | undefined {
  const trimmed = text.trim()
  return trimmed === '' ? undefined : `## What the roadmap says\n\n${trimmed}`
}
