import { closest } from '../closest.js'
import { Problem } from '../problem.js'
import { typedFlag } from '../workflows/flags.js'
import { type CommandRow, commandTable } from './command-table.js'

/** `most`: how many words the command takes behind its own; one where there is no command. */
export function tooManyArguments(input: readonly string[], most = 1): Problem {
  const none = most === 0
  return new Problem({
    code: 'usage',
    what: `There are too many arguments: ${input.join(' ')}`,
    why: none
      ? `\`autopilot ${input[0] ?? ''}\` takes nothing behind it but options.`
      : 'A run works through one spec, and no command takes more than one file or folder.',
    todo: `${none ? 'Leave out the rest.' : 'Give one path, in quotes if it has spaces.'} \`autopilot --help\` lists the commands.`,
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

/** An option that there is, but not of this command, which `word` has named; `taken`: names of those that it takes. */
export function foreignOption(
  { row, word }: { row: CommandRow; word: string },
  option: string,
  taken: readonly string[],
): Problem {
  const flag = typedFlag(option)
  const rows: readonly CommandRow[] = commandTable
  const takers = rows.filter(({ options }) => options.some((one) => one === option)).map(({ name }) => name)
  const owners = takers.length === 0 ? [''] : takers
  const command = row.name === '' ? closest(word, owners) : undefined
  const near = command === undefined ? closest(flag, taken.map(typedFlag)) : `autopilot ${command} ${flag}`
  return new Problem({
    code: 'usage',
    what: `${row.name === '' ? 'A run' : `\`autopilot ${row.name}\``} takes no ${flag}.`,
    why: taken.length === 0 ? 'It takes no options.' : `It takes ${taken.map(typedFlag).sort().join(', ')}.`,
    todo: near
      ? `Did you mean ${near}?`
      : `Leave it out: ${flag} is an option of ${owners.map((name) => name || 'a run').join(', ')}.`,
  })
}

/** An option that takes a value and got none. */
export function noValue(flag: string): Problem {
  return new Problem({
    code: 'usage',
    what: `${flag} names nothing.`,
    why: 'It takes a value, which stands behind it.',
    todo: `Write one behind it, or leave ${flag} out; \`autopilot --help\` says what it takes.`,
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
