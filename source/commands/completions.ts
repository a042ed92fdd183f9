import { closest } from '../closest.js'
import { Problem } from '../problem.js'
import { typedFlag } from '../workflows/flags.js'
import type { Registry } from '../workflows/workflow.js'
import type { CommandOutput } from './command-output.js'
import { type CommandRow, commandTable, type OptionRow, optionTable, shells } from './command-table.js'

interface Word {
  word: string
  about: string
}

interface Option extends Word {
  takesValue: boolean
  /** What that may be; without them a file is offered. */
  values: readonly string[]
}

/** A command with what may stand behind it. */
interface Command extends Word {
  options: readonly Option[]
  /** Words, a path, or nothing. */
  takes: 'shell' | 'path' | 'nothing'
}

interface Words {
  /** What is not the name of a command is what a run works on. */
  run: Command
  named: readonly Command[]
  /** Of all commands: those behind which a value stands. */
  withValue: readonly Option[]
}

function wordsOf(registry: Registry): Words {
  const rows: readonly OptionRow[] = optionTable
  const shared = rows.map(({ name, type, values = [], about }): [string, Option] => [
    name,
    {
      word: typedFlag(name),
      about,
      takesValue: type === 'string',
      values: name === 'workflow' ? registry.map((entry) => entry.name) : values,
    },
  ])
  const ofWorkflows = registry.flatMap(({ flags }) =>
    Object.entries(flags).map(
      ([name, { type, about }]): Option => ({
        word: typedFlag(name),
        about,
        takesValue: type === 'string',
        values: [],
      }),
    ),
  )
  const plain = (word: string, about: string): Option => ({ word, about, takesValue: false, values: [] })
  const commandOf = ({ name, argument, about, options, isRun = false }: CommandRow): Command => ({
    word: name,
    about,
    options: [
      ...shared.filter(([shared]) => options.some((one) => one === shared)).map(([, option]) => option),
      ...(isRun ? ofWorkflows : []),
      plain('--help', 'this help'),
      ...(name === '' ? [plain('--version', 'the version')] : []),
    ],
    takes: argument === undefined ? 'nothing' : argument === '<shell>' ? 'shell' : 'path',
  })
  const [run, ...named] = commandTable.map(commandOf) as [Command, ...Command[]]
  return {
    run,
    named,
    withValue: [...shared.map(([, option]) => option), ...ofWorkflows].filter((one) => one.takesValue),
  }
}

const listOf = (all: readonly Word[]) => all.map(({ word }) => word).join(' ')

/** Inside of single quotes of a shell. */
const quoted = (text: string) => text.replaceAll("'", "'\\''")

function bash({ run, named, withValue }: Words): string {
  const offer = (list: string) => `COMPREPLY=($(compgen -W '${list}' -- "$word"))`
  const caseOf = ({ word, options, takes }: Command) =>
    `    ${word || '*'}) options='${listOf(options)}' takes=${takes} ;;`
  return `# autopilot completions bash >> ~/.bashrc
_autopilot() {
  local word="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD - 1]}"
  local command='' options takes at
  for ((at = 1; at < COMP_CWORD; at++)); do
    case "\${COMP_WORDS[at]}" in
      ${withValue.map((option) => option.word).join(' | ')})
        ((at++))
        [[ "\${COMP_WORDS[at]}" == '=' ]] && ((at++))
        while [[ "\${COMP_WORDS[at + 1]}" == ':' ]]; do ((at += 2)); done ;;
      -*) ;;
      *) command="\${COMP_WORDS[at]}"; break ;;
    esac
  done
  [[ "$word" == '=' ]] && word=''
  [[ "$previous" == '=' ]] && previous="\${COMP_WORDS[COMP_CWORD - 2]}"
  case "$command" in
${[...named, run].map(caseOf).join('\n')}
  esac
  case "$previous" in
${withValue
  .map(
    ({ word, values }) =>
      `    ${word}) ${values.length === 0 ? 'COMPREPLY=($(compgen -f -- "$word"))' : offer(values.join(' '))}; return ;;`,
  )
  .join('\n')}
  esac
  if [[ "$word" == -* ]]; then
    COMPREPLY=($(compgen -W "$options" -- "$word"))
  elif [[ -z "$command" ]]; then
    COMPREPLY=($(compgen -W '${listOf(named)}' -- "$word") $(compgen -f -- "$word"))
  elif [[ "$takes" == shell ]]; then
    ${offer(shells.join(' '))}
  elif [[ "$takes" == path ]]; then
    COMPREPLY=($(compgen -f -- "$word"))
  fi
}
complete -o filenames -F _autopilot autopilot`
}

function zsh({ run, named, withValue }: Words): string {
  const described = (all: readonly Word[], indent: string) =>
    all.map(({ word, about }) => `${indent}'${quoted(`${word}:${about.replaceAll(':', '\\:')}`)}'`).join('\n')
  const caseOf = ({ word, options, takes }: Command) => `    ${word || '*'})
      takes=${takes}
      options=(
${described(options, '        ')}
      ) ;;`
  return `#compdef autopilot
# autopilot completions zsh > "\${fpath[1]}/_autopilot"
_autopilot() {
  local -a commands options
  local command='' takes at
  for ((at = 2; at < CURRENT; at++)); do
    case "$words[at]" in
      ${withValue.map((option) => option.word).join(' | ')}) ((at++)) ;;
      -*) ;;
      *) command="$words[at]"; break ;;
    esac
  done
  commands=(
${described(named, '    ')}
  )
  case "$command" in
${[...named, run].map(caseOf).join('\n')}
  esac
  case "$words[CURRENT - 1]" in
${withValue
  .map(
    ({ word, values }) =>
      `    ${word}) ${values.length === 0 ? '_files' : `compadd -- ${values.join(' ')}`}; return ;;`,
  )
  .join('\n')}
  esac
  if [[ "$words[CURRENT]" == -* ]]; then
    _describe 'option' options
  elif [[ -z "$command" ]]; then
    _describe 'command' commands
    _files
  elif [[ "$takes" == shell ]]; then
    compadd -- ${shells.join(' ')}
  elif [[ "$takes" == path ]]; then
    _files
  fi
}
if [[ "$funcstack[1]" == _autopilot ]]; then _autopilot "$@"; else compdef _autopilot autopilot; fi`
}

function fish({ run, named }: Words): string {
  const seen = (names: string) => `__fish_seen_subcommand_from ${names}`
  const anyNamed = seen(listOf(named))
  const optionLine = (command: Command, { word, about, takesValue, values }: Option) => {
    const when = command.word === '' ? `not ${anyNamed}` : seen(command.word)
    const value = !takesValue ? '' : values.length === 0 ? ' -r' : ` -x -a '${values.join(' ')}'`
    return `complete -c autopilot -n '${when}' -l ${word.slice(2)}${value} -d '${quoted(about)}'`
  }
  const nothing = named.filter(({ takes }) => takes !== 'path')
  return [
    '# autopilot completions fish > ~/.config/fish/completions/autopilot.fish',
    ...named.map(
      ({ word, about }) => `complete -c autopilot -n 'not ${anyNamed}' -a ${word} -d '${quoted(about)}'`,
    ),
    ...[run, ...named].flatMap((command) => command.options.map((option) => optionLine(command, option))),
    `complete -c autopilot -n '${seen(listOf(nothing))}' -f`,
    `complete -c autopilot -n '${seen('completions')}' -a '${shells.join(' ')}'`,
  ].join('\n')
}

const scripts = { bash, zsh, fish }

/** `autopilot completions <shell>`: a script for the shell, to be read at its start. */
export function completions(registry: Registry, shell: string | undefined): CommandOutput {
  const known = shells.find((name) => name === shell)
  if (known) return { exitCode: 0, output: scripts[known](wordsOf(registry)) }
  const near = shell === undefined ? undefined : closest(shell, shells)
  throw new Problem({
    code: 'usage',
    what: shell === undefined ? 'No shell was named.' : `There are no completions for a shell "${shell}".`,
    why: 'Each shell reads completions in a form of its own.',
    todo: near ? `Did you mean: autopilot completions ${near}` : `Use one of: ${shells.join(', ')}.`,
  })
}
