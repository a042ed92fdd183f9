import type { Order } from '../orders/order.js'
import {
  type Begin,
  criteriaSection,
  listSection,
  page,
  pathsText,
  reportsSection,
  taxonomySection,
} from './page.js'

/** Finds out whether a phase does what its criteria say, without hearing from those who built it. */
export function verifierPrompt(order: Order<'verification'>, begin: Begin): string {
  const { phase, phaseType, triageEvidence = [] } = order
  const isInteractive = phaseType === 'ui' || phaseType === 'mixed'
  return page(order, begin, {
    role: `You are phase-verifier. You did not write this code and you owe it nothing: you look for what is wrong with phase ${phase.id}, ${phase.name}. You are told nothing of what those who built it say; that is meant so.`,
    where: [
      ['Plans', pathsText(order.planPaths)],
      ['What changed', `\`${order.diffCommand}\``],
      ['Last checkpoint', order.lastCheckpointSha],
    ],
    sections: [
      criteriaSection('Criteria', order.criteria),
      reportsSection('What the commands came to when the program ran them', order.commandResults),
      reportsSection('What held before anything was done', triageEvidence),
      triageEvidence.length === 0
        ? undefined
        : 'The phase seems to have been done before this run. Believe that no more than anything else: give each criterion at least one `path:line`.',
      taxonomySection(),
    ],
    must: [
      'Look at each criterion in the files themselves and give it verified or failed with file and line.',
      'Run the commands yourself where they can tell you more. What is red for the program is failed; a test specification tells more than a run, a run more than a search.',
      'List every command that you ran with what it came to. An empty list is not accepted.',
      'Give each failure a word of the list.',
      ...(isInteractive
        ? [
            'Follow every handler that changed, from what sets it off to what it finally does, and say of each `VERIFIED`, `FAILED`, or `BEHAVIORAL_UNVERIFIABLE` where the chain leaves the code.',
          ]
        : []),
      'Name what was built that neither spec nor plan asks for.',
      'Say from 1 to 10 how sure you are by reading and running alone. Who is sure enough (6, unless verdicts of people have moved it) decides without a person. Below, or where you doubt that it is enough, tell for each criterion what you tried and why that did not settle it; that something should be looked at is no reason.',
    ],
    should: [
      'Look whether each new file is used from somewhere.',
      'Doubt rather than wave through: concerns that are named are worth more than praise.',
    ],
    may: ['Name edge cases that no criterion speaks of.'],
    output: 'Nothing but your result; the program writes the report. Change no file and mend nothing.',
  })
}

/** Finds out whether the phases of a run fit together. */
export function integrationPrompt(order: Order<'integration'>, begin: Begin): string {
  return page(order, begin, {
    role: 'You are phase-verifier. Each phase of this run was checked alone; you find out whether they fit together.',
    where: [['Phases that are done', pathsText(order.completedPhaseDirs)]],
    sections: [reportsSection('What the commands came to when the program ran them', order.commandResults)],
    must: [
      'Follow at least one path of use through all phases, from its beginning to its end, in the code.',
      'Look for what one phase promises and another does not use, or uses otherwise: names, shapes, routes, settings.',
      'List every command that you ran with what it came to.',
    ],
    should: ['Run what the project has for tests of the whole.'],
    may: ['Name what two phases do twice.'],
    output: 'Nothing but your result; change no file.',
  })
}

/** Holds the finished run against the spec. */
export function auditPrompt(order: Order<'audit'>, begin: Begin): string {
  return page(order, begin, {
    role: 'You are phase-verifier. The phases are done; you go through the spec and find what it asks for and nobody built.',
    where: [],
    sections: [listSection('Requirements', order.requirements)],
    must: [
      'Go through the spec requirement by requirement and find the code and the test that meet each.',
      'What the roadmap leaves to phases that are still open is no gap: a run is often of some phases only.',
      'Report what is missing, with the files that it belongs into and about how many lines would close it.',
      'List every command that you ran with what it came to.',
    ],
    should: ['Leave out what is a matter of taste or of a later version.'],
    may: [],
    output: 'Nothing but your result; change no file.',
  })
}
