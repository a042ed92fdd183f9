import { homedir } from 'node:os'
import { type AgentConfinement, confineCommand } from '../agents/confinement.js'
import { ownDirectoriesOf } from '../agents/own-directories.js'
import { runCommand } from '../processes/commands.js'
import { homePaths } from '../processes/confine/home-paths.js'
import { childEnvironment } from '../processes/environment.js'
import { gitEnvironment } from '../project/git-read.js'

// What agents would need and cannot have in their confinement, tried inside before anything is agreed to (docs/evidence.md,
// "Confinement"). Programs and hooks that the project names are not run for it.

export interface Lack {
  /** In words, for the trust screen. */
  lines: string[]
  /** Names that settings would allow to mend it; empty where none does. */
  allow: string[]
}

/**
 * A signed commit in a repository of its own, with the person's settings. Exits with 9 where it fails; with 0 too where
 * commits are not signed, or where the project names the program that signs.
 */
const signScript = `
[ "$(git config --type=bool --get commit.gpgSign)" = true ] || exit 0
[ -z "$(git config --local --get-regexp '^gpg\\..*program$')" ] || exit 0
format=$(git config --get gpg.format || echo openpgp)
key=$(git config --get user.signingKey || true)
name=$(git config --get user.name || true)
email=$(git config --get user.email || true)
echo "$format"
place=$(mktemp -d) && git init -q --bare "$place" && cd "$place" || exit 0
tree=$(git hash-object -w -t tree /dev/null) || exit 0
set -- -c "gpg.format=$format" -c "user.name=$name" -c "user.email=$email"
[ -z "$key" ] || set -- "$@" -c "user.signingKey=$key"
git "$@" commit-tree -S "$tree" -m probe </dev/null >/dev/null || exit 9
`

/** Prints each of its arguments that is there and cannot be written. */
const writeScript = `
for path do
  if [ -d "$path" ]; then
    probe="$path/.autopilot-probe-$$"
    (: > "$probe") 2>/dev/null && rm -f "$probe" || printf '%s\\n' "$path"
  elif [ -e "$path" ] && [ ! -w "$path" ]; then printf '%s\\n' "$path"
  fi
done
`

const patienceMs = 10_000
const outputCap = 8 * 1024

export interface Needs {
  root: string
  /** Ids of the backends that will be dispatched to. */
  backends: readonly string[]
  /** Names of the variables that the person's settings pass on. */
  environment: readonly string[]
}

export async function findLacks(session: AgentConfinement, needs: Needs): Promise<Lack[]> {
  const found = [await signingLack(session, needs), await writingLack(session, needs)]
  return found.filter((lack) => lack !== undefined)
}

async function signingLack(session: AgentConfinement, needs: Needs): Promise<Lack | undefined> {
  const first = await trySigning(session, needs)
  if (first.code !== 9) return undefined
  const name = first.stdout.trim() === 'ssh' ? 'ssh' : 'gpg'
  const helps = (await trySigning({ ...session, allowed: [...session.allowed, name] }, needs)).code === 0
  const said = first.stderr.split('\n').find((line) => line.trim() !== '') ?? 'git said nothing'
  const remedy = helps
    ? `It works with "${name}" in "confineAllow" of your settings: agents can then use these keys.`
    : 'No name in "confineAllow" mends that; commits of agents will fail unless they do not sign.'
  return {
    lines: [`Commits are signed here, and agents cannot sign: ${said}`, remedy],
    allow: helps ? [name] : [],
  }
}

function trySigning(session: AgentConfinement, { root, environment }: Needs) {
  const passed = environment.flatMap((name): [string, string][] => {
    const value = process.env[name]
    return value === undefined ? [] : [[name, value]]
  })
  const env = gitEnvironment(Object.fromEntries(passed))
  return runCommand(['/bin/sh', '-c', signScript], {
    cwd: root,
    env,
    timeoutMs: patienceMs,
    outputCap,
    confinement: confineCommand(session, env),
  })
}

async function writingLack(session: AgentConfinement, { root, backends }: Needs): Promise<Lack | undefined> {
  const env = childEnvironment()
  const home = homedir()
  const own = [...new Set(backends)].flatMap((backend) => ownDirectoriesOf(backend, env))
  const paths = own.flatMap((path) => homePaths(home, env, path))
  const { code, stdout } = await runCommand(['/bin/sh', '-c', writeScript, 'sh', root, ...paths], {
    cwd: root,
    env,
    timeoutMs: patienceMs,
    outputCap,
    confinement: confineCommand(session, env, paths),
  })
  const failing = code === 0 ? stdout.split('\n').filter((line) => line !== '') : []
  if (failing.length === 0) return undefined
  return {
    lines: [
      `Agents need these and cannot write them: ${failing.join(', ')}.`,
      'See to their owner and mode, or set "confine" to "off" in your settings.',
    ],
    allow: [],
  }
}
