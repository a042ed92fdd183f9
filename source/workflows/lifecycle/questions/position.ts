import type { QuestionDraft } from '../../../view/question.js'
import { stop } from '../../options.js'
import type { FlowStep } from '../flow/flow.js'
import { label, option, panel, safe } from './options.js'

// Where the project stands, and from where it goes on (docs/lifecycle.md, "Questions").

/** What beginning a flow comes to; of one from a flow file nothing more is known than its name. */
function beginning(flow: string): string {
  if (flow === 'greenfield') return 'from an idea: problem, research and plan come before any code'
  if (flow === 'existing-code')
    return 'from code that is there: it is documented and tested before anything new'
  return `begin the ${flow} flow at its first step`
}

/** Before anything is written: which flow, from which step. */
export function qStart(about: {
  flow: string
  step: string
  why: string
  others: string[]
  choose: boolean
  looked: string[]
}): QuestionDraft {
  return {
    gate: 'Q-START',
    title: about.choose ? 'Which flow does this project follow?' : `Start the ${about.flow} flow here?`,
    body: [
      about.why,
      'A flow is the list of steps that a project goes through, each done by an agent.',
      `It would begin at ${about.step}. Nothing has been written yet.`,
    ],
    ...panel('what was looked at', about.looked),
    options: [
      option('start', about.choose ? `start ${about.flow}` : 'start', 'write the state file and begin', safe),
      ...about.others.map((flow) => option(`flow:${flow}`, `other flow: ${flow}`, beginning(flow))),
      stop,
    ],
  }
}

export function qFlow(path: string, lines: readonly string[]): QuestionDraft {
  return {
    gate: 'Q-FLOW',
    title: 'The flow file cannot be used',
    body: [path, ...lines],
    options: [
      option('built-in', 'built-in', 'follow the steps that are known without this file', safe),
      stop,
    ],
  }
}

export function qTwoFiles(paths: readonly string[], used: string): QuestionDraft {
  return {
    gate: 'Q-DRIFT',
    title: 'There is more than one state file',
    body: [...paths, '', `Only ${used} is read and written.`],
    options: [option('use', `use ${used}`, 'go on; the others stay as they are', safe), stop],
  }
}

export function qDrift(about: {
  file: string
  folders: string
  /** What was looked at in the steps in which they differ, and in all. */
  differing: string[]
  evidence: string[]
  effects: { file: string; folders: string }
}): QuestionDraft {
  return {
    gate: 'Q-DRIFT',
    title: 'State file and folders disagree',
    body: [
      'What the steps have left in the folders does not fit where the state file says that the project stands.',
      `state file: ${about.file}`,
      `folders: ${about.folders}`,
      '',
      ...about.differing,
    ],
    ...panel('what was looked at', about.evidence),
    options: [
      option('folders', 'folders', about.effects.folders, safe),
      option('file', 'state file', about.effects.file),
      stop,
    ],
  }
}

export function qName(about: {
  number: string
  name: string
  byNumber: string | undefined
  byName: string | undefined
}): QuestionDraft {
  const byName = about.byName === undefined ? [] : [option('name', 'name', `go on at ${about.byName}`, safe)]
  const byNumber =
    about.byNumber === undefined
      ? []
      : [option('number', 'number', `go on at ${about.byNumber}`, about.byName === undefined ? safe : {})]
  return {
    gate: 'Q-NAME',
    title: 'Number and name of the step disagree',
    body: [
      about.number === ''
        ? `The state file says no step, and the name "${about.name}".`
        : `The state file says step ${about.number}, and the name "${about.name}".`,
    ],
    options: [
      ...byName,
      ...byNumber,
      ...(byName.length + byNumber.length === 0 ? [{ ...stop, ...safe }] : [stop]),
    ],
  }
}

/** The position cannot be read: the folders are what is left to go by. */
export function qUnclear(about: {
  lines: string[]
  places: { value: string; text: string }[]
  looked: string[]
}): QuestionDraft {
  return {
    gate: 'Q-DRIFT',
    title: 'The state file does not say where the project stands',
    body: [
      ...about.lines,
      '',
      'Its Current Step has to say flow, step, name and status as "key: value". Mend the lines above and start again, or go on where the folders are.',
    ],
    ...panel('what was looked at', about.looked),
    options: [
      ...about.places.map(({ value, text }, index) =>
        option(
          value,
          index === 0 ? `folders: ${text}` : text,
          'go on there; the rest of the file stays',
          index === 0 ? safe : {},
        ),
      ),
      stop,
    ],
  }
}

/** The file calls its current step over already. */
export function qTold(step: FlowStep, status: string, lines: string[]): QuestionDraft {
  return {
    gate: 'Q-CONFIRM',
    title: `${label(step)} is called ${status} in the state file. Is it?`,
    body: lines,
    options: [
      option('confirm', 'confirm', 'it is recorded as completed, and the next step begins', safe),
      option('retry', 'retry', 'an agent takes it up again'),
      stop,
    ],
  }
}
