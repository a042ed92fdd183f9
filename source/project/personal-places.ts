import { join } from 'node:path'
import { homePaths } from '../processes/confine/home-paths.js'
import type { AgentProgram } from './agent-settings.js'
import { userConfigDir } from './paths.js'

// Files of the person, outside of every project, that decide what agents or shells do in all of them (docs/evidence.md, "Snapshots").

export interface PersonalPlace {
  /** Absolute: a file, or a directory with all that is in it. */
  path: string
  /** `own-settings` are those of autopilot. */
  why: 'own-settings' | 'agent-home' | 'startup'
  /** A program writes into it itself: only what `ordersIn` finds of it counts. */
  program?: AgentProgram
}

/** Below HOME: what gives orders to agents in all projects. What agent programs write there themselves is not among it. */
const instructions = [
  '.claude/CLAUDE.md',
  '.claude/settings.json',
  '.claude/settings.local.json',
  '.claude/agents',
  '.claude/commands',
  '.claude/hooks',
  '.claude/output-styles',
  '.claude/rules',
  '.claude/skills',
  '.codex/AGENTS.md',
  '.codex/AGENTS.override.md',
  '.codex/hooks.json',
  '.codex/prompts',
  '.codex/rules',
  '.gemini/GEMINI.md',
  '.gemini/commands',
  '.gemini/extensions',
  '.gemini/policies',
  '.gemini/skills',
  '.config/opencode/AGENTS.md',
  '.config/opencode/agent',
  '.config/opencode/agents',
  '.config/opencode/command',
  '.config/opencode/commands',
  '.config/opencode/mode',
  '.config/opencode/modes',
  '.config/opencode/plugin',
  '.config/opencode/plugins',
  '.config/opencode/skill',
  '.config/opencode/skills',
  '.config/opencode/tool',
  '.config/opencode/tools',
]

const settings: readonly [path: string, program: AgentProgram][] = [
  ['.claude.json', 'claude'],
  ['.codex/config.toml', 'codex'],
  ['.gemini/settings.json', 'gemini'],
  ['.config/opencode/opencode.json', 'opencode'],
  ['.config/opencode/opencode.jsonc', 'opencode'],
  ['.config/opencode/config.json', 'opencode'],
]

/** Below HOME: what is executed whenever the person opens a shell, comes in or builds something, and who may come in. */
const startup = [
  '.bashrc',
  '.bash_profile',
  '.bash_login',
  '.profile',
  '.zshrc',
  '.zshenv',
  '.zprofile',
  '.zlogin',
  '.config/fish/config.fish',
  '.config/fish/conf.d',
  '.config/autostart',
  '.config/systemd/user',
  'Library/LaunchAgents',
  '.cargo/config.toml',
  '.config/pip/pip.conf',
  '.tmux.conf',
  '.ssh/authorized_keys',
  '.ssh/config',
  '.ssh/rc',
]

/** Below the caches of package managers, which confined agents can write too: what takes part in every build, or lies on the PATH. */
const builds = [
  '.gradle/gradle.properties',
  '.gradle/init.d',
  '.gradle/init.gradle',
  '.gradle/init.gradle.kts',
  '.m2/settings.xml',
  '.nuget/NuGet/NuGet.Config',
  '.yarn/bin',
]

/** Variables that lead an agent program to another directory than the one below HOME. */
const moves = [
  ['.claude', 'CLAUDE_CONFIG_DIR'],
  ['.codex', 'CODEX_HOME'],
] as const

interface Person {
  home: string
  /** The environment that agents get. */
  env: Readonly<Record<string, string>>
  /** Confined agents cannot write what shells execute, nor our own settings. */
  isConfined: boolean
}

export function personalPlaces({ home, env, isConfined }: Person): PersonalPlace[] {
  const placesOf = (path: string) => [...homePaths(home, env, path), ...movedTo(path, env)]
  const all = (paths: readonly string[], why: PersonalPlace['why']) =>
    paths.flatMap((path) => placesOf(path).map((place): PersonalPlace => ({ path: place, why })))
  const ofPrograms = settings.flatMap(([path, program]) =>
    placesOf(path).map((place): PersonalPlace => ({ path: place, why: 'agent-home', program })),
  )
  const open: PersonalPlace[] = isConfined
    ? []
    : [{ path: join(userConfigDir(), 'config.json'), why: 'own-settings' }, ...all(startup, 'startup')]
  return [...open, ...all(builds, 'startup'), ...all(instructions, 'agent-home'), ...ofPrograms]
}

function movedTo(path: string, env: Person['env']): string[] {
  return moves.flatMap(([usual, variable]) => {
    const base = env[variable]
    if (!base) return []
    // Claude Code keeps the file beside its directory in it, where it has another one.
    if (path === '.claude.json') return usual === '.claude' ? [join(base, path)] : []
    return path.startsWith(`${usual}/`) ? [join(base, path.slice(usual.length))] : []
  })
}
