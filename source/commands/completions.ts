import { closest } from '../closest.js'
import { Problem } from '../problem.js'
import { typedFlag } from '../workflows/flags.js'
import type { Registry } from '../workflows/workflow.js'
import type { CommandOutput } from './command-output.js'
import { commandTable, optionTable, shells } from './command-table.js'

interface Word {
  word: string
  about: string
}

function words(registry: Registry): { commands: Word[]; options: Word[] } {
  const ofWorkflows = registry.flatMap(({ flags }) =>
    Object.entries(flags).map(([name, { about }]) => ({ word: typedFlag(name), about })),
  )
  return {
    commands: commandTable
      .filter(({ name }) => name !== '')
      .map(({ name, about }) => ({ word: name, about })),
    options: [
      ...optionTable.map(({ name, about }) => ({ word: typedFlag(name), about })),
      ...ofWorkflows,
      { word: '--help', about: 'this help' },
      { word: '--version', about: 'the version' },
    ],
  }
}

const listOf = (all: readonly Word[]) => all.map(({ word }) => word).join(' ')

/** Inside of single quotes of a shell. */
const quoted = (text: string) => text.replaceAll("'", "'\\''")

function bash(registry: Registry): string {
  const { commands, options } = words(registry)
  return `# autopilot completions bash >> ~/.bashrc
_autopilot() {
  local word="\${COMP_WORDS[COMP_CWORD]}"
  if [[ "$word" == -* ]]; then
    COMPREPLY=($(compgen -W '${listOf(options)}' -- "$word"))
  elif [[ "$COMP_CWORD" -eq 1 ]]; then
    COMPREPLY=($(compgen -W '${listOf(commands)}' -- "$word") $(compgen -f -- "$word"))
  elif [[ "\${COMP_WORDS[1]}" == completions ]]; then
    COMPREPLY=($(compgen -W '${shells.join(' ')}' -- "$word"))
  else
    COMPREPLY=($(compgen -f -- "$word"))
  fi
}
complete -o filenames -F _autopilot autopilot`
}

function zsh(registry: Registry): string {
  const { commands, options } = words(registry)
  const described = (all: readonly Word[]) =>
    all.map(({ word, about }) => `    '${quoted(`${word}:${about.replaceAll(':', '\\:')}`)}'`).join('\n')
  return `#compdef autopilot
# autopilot completions zsh > "\${fpath[1]}/_autopilot"
_autopilot() {
  local -a commands options
  commands=(
${described(commands)}
  )
  options=(
${described(options)}
  )
  if [[ "$words[CURRENT]" == -* ]]; then
    _describe 'option' options
  elif (( CURRENT == 2 )); then
    _describe 'command' commands
    _files
  elif [[ "$words[2]" == completions ]]; then
    _values 'shell' ${shells.join(' ')}
  else
    _files
  fi
}
_autopilot "$@"`
}

function fish(registry: Registry): string {
  const { commands, options } = words(registry)
  return [
    '# autopilot completions fish > ~/.config/fish/completions/autopilot.fish',
    ...commands.map(
      ({ word, about }) => `complete -c autopilot -n __fish_use_subcommand -a ${word} -d '${quoted(about)}'`,
    ),
    ...options.map(({ word, about }) => `complete -c autopilot -l ${word.slice(2)} -d '${quoted(about)}'`),
    `complete -c autopilot -n '__fish_seen_subcommand_from completions' -f -a '${shells.join(' ')}'`,
  ].join('\n')
}

const scripts = { bash, zsh, fish }

/** `autopilot completions <shell>`: a script for the shell, to be read at its start. */
export function completions(registry: Registry, shell: string | undefined): CommandOutput {
  const known = shells.find((name) => name === shell)
  if (known) return { exitCode: 0, output: scripts[known](registry) }
  const near = shell === undefined ? undefined : closest(shell, shells)
  throw new Problem({
    code: 'usage',
    what: shell === undefined ? 'No shell was named.' : `There are no completions for a shell "${shell}".`,
    why: 'Each shell reads completions in a form of its own.',
    todo: near ? `Did you mean: autopilot completions ${near}` : `Use one of: ${shells.join(', ')}.`,
  })
}
