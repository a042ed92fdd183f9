import { Problem } from '../problem.js'
import { closest } from './did-you-mean.js'

export function tooManyArguments(input: readonly string[]): Problem {
  return new Problem({
    code: 'usage',
    what: `There are too many arguments: ${input.join(' ')}`,
    why: 'A run works through one spec, and no command takes more than one file or folder.',
    todo: 'Give one path, in quotes if it has spaces. `autopilot --help` lists the commands.',
  })
}

export function unknownOption(flag: string, known: readonly string[]): Problem {
  const near = closest(flag, known)
  return new Problem({
    code: 'usage',
    what: `Unknown option '${flag}'.`,
    why: `Options are ${[...known].sort().join(', ')}.`,
    todo: near
      ? `Did you mean ${near}? \`autopilot --help\` says what each one does.`
      : 'Leave it out, or correct it; `autopilot --help` says what each one does.',
  })
}

export function noAgentNamed(): Problem {
  return new Problem({
    code: 'usage',
    what: '--agent names no backend.',
    why: 'autopilot must know which program does the work before it starts.',
    todo: 'Write one behind it, such as --agent claude or --agent "command:node my-agent.js".',
  })
}
