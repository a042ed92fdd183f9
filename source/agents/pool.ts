import { existsSync } from 'node:fs'
import { Problem } from '../problem.js'
import { bundledProgram } from '../processes/bundled-program.js'
import { isOnPath } from '../processes/find-program.js'
import { splitArgv } from '../processes/split-argv.js'
import type { Backend, Detection } from './agent.js'
import { anyAcpBackend, geminiBackend, opencodeBackend } from './backends/acp-profiles.js'
import { claudeBackend } from './backends/claude.js'
import { isTooOld } from './backends/claude-detect.js'
import { codexBackend } from './backends/codex.js'
import { commandBackend } from './backends/command.js'
import { canReachModel, embeddedBackend } from './backends/embedded.js'

/** The part of the configuration that says who does the work. */
export interface AgentConfig {
  agent?: string | undefined
  fallbackAgent?: string | undefined
  personas?: Record<string, { agent?: string | undefined; model?: string | undefined }>
}

/** What is looked for: the configuration, and the programs that come with autopilot where they lie elsewhere. */
export interface DetectOptions {
  config: AgentConfig
  /** Path of the scripted agent. Default: the one that is bundled with autopilot. */
  rehearsalProgram?: string
  /** Path of the agent over the API. Default: the one that is bundled with autopilot. */
  embeddedProgram?: string
}

export interface AgentOptions extends DetectOptions {
  /** Names of the personas of a workflow, in the order in which they first act. */
  personas: readonly string[]
  /** Value of `--agent`; goes before the configuration, for every persona. */
  agentOption?: string
}

export interface AgentPool {
  forPersona(persona: string): Backend
  /** The backend that may go on when a usage limit is met. */
  fallback?: Backend
  /** Model that the configuration names for a persona. */
  modelFor(persona: string): string | undefined
  /** One line for the header: `command: node agent.js`. */
  describe(): string
  /** What would be executed, each program once: shown and hashed before it is trusted. */
  programs(): { backend: string; label: string; argv: string[] }[]
}

interface Choice {
  backend: Backend
  argv: string[]
}

interface Kind {
  /** How it is written after `--agent`. */
  usage: string
  /** What it is, in a few words. */
  about: string
  /** True if a name such as `command:node a.js` is of this kind. */
  matches(name: string): boolean
  make(name: string, options: DetectOptions): Choice
  /** Looks for the program, for kinds that have one of their own. */
  detect?(options: DetectOptions): Promise<Detection | undefined>
  /** False where what was found would refuse to work. Default: true. */
  fits?(detection: Detection): boolean
  /** What is missing where it was not found, in a few words, and how to get it. */
  missing?: { what: string; todo: string }
  /** Works in the sample project of the demo alone, so that nobody is told to name it. */
  demoOnly?: true
  /** The name that is taken where nobody is named, if this can do the work here. Looks, and executes nothing. */
  automatic?(): string | undefined
}

const notOnPath = 'not found on PATH'

/** Every backend there is, those that are taken by themselves in the order of preference. A new one is a new row. */
const kinds: readonly Kind[] = [
  {
    usage: 'claude',
    about: 'Claude Code; claude:<program> for another one than that on PATH',
    matches: (name) => name === 'claude' || name.startsWith('claude:'),
    make(name) {
      const program = name.slice('claude:'.length).trim() || 'claude'
      return { backend: claudeBackend({ program }), argv: [program] }
    },
    detect: () => claudeBackend().detect(),
    fits: ({ version }) => !isTooOld(version),
    automatic: () => ifOnPath('claude'),
    missing: {
      what: notOnPath,
      todo: 'Install it: npm install -g @anthropic-ai/claude-code, and start it once to sign in.',
    },
  },
  {
    usage: 'codex',
    about: 'Codex CLI; codex:<program and arguments> for another one than that on PATH',
    matches: (name) => name === 'codex' || name.startsWith('codex:'),
    make(name) {
      const argv = splitArgv(name.slice('codex:'.length))
      const own = argv.length === 0 ? ['codex'] : argv
      return { backend: codexBackend({ argv: own }), argv: own }
    },
    detect: () => codexBackend().detect(),
    automatic: () => ifOnPath('codex'),
    missing: {
      what: notOnPath,
      todo: 'Install it: npm install -g @openai/codex, and start it once to sign in.',
    },
  },
  {
    usage: 'gemini',
    about: 'Gemini CLI',
    matches: (name) => name === 'gemini',
    make: () => ({ backend: geminiBackend(), argv: ['gemini', '--acp'] }),
    detect: () => geminiBackend().detect(),
    automatic: () => ifOnPath('gemini'),
    missing: {
      what: notOnPath,
      todo: 'Install it: npm install -g @google/gemini-cli, and start it once to sign in.',
    },
  },
  {
    usage: 'opencode',
    about: 'OpenCode',
    matches: (name) => name === 'opencode',
    make: () => ({ backend: opencodeBackend(), argv: ['opencode', 'acp'] }),
    detect: () => opencodeBackend().detect(),
    automatic: () => ifOnPath('opencode'),
    missing: {
      what: notOnPath,
      todo: 'Install it: npm install -g opencode-ai, and start it once to sign in.',
    },
  },
  {
    usage: 'acp:<program and arguments>',
    about: 'any program that speaks the Agent Client Protocol',
    matches: (name) => name === 'acp' || name.startsWith('acp:'),
    make: (name) => makeAcp(name.slice('acp:'.length)),
  },
  {
    usage: 'embedded',
    about:
      "autopilot's own agent over the Anthropic API or a compatible server; embedded:<model> for another model",
    matches: (name) => name === 'embedded' || name.startsWith('embedded:'),
    make: (name, options) => makeEmbedded(name.slice('embedded:'.length), options),
    detect: ({ embeddedProgram }) => embeddedBackend({ policy: 'ask', program: embeddedProgram }).detect(),
    fits: ({ path }) => existsSync(path),
    automatic: () => (canReachModel() ? 'embedded' : undefined),
    missing: {
      what: 'no key is set',
      todo: 'Set ANTHROPIC_API_KEY, or ANTHROPIC_BASE_URL of a compatible server.',
    },
  },
  {
    usage: 'command:<program and arguments>',
    about: 'any program: prompt on stdin, result on stdout',
    matches: (name) => name === 'command' || name.startsWith('command:'),
    make: (name) => makeCommand(name.slice('command:'.length)),
  },
  {
    usage: 'rehearsal',
    about: 'the scripted agent of the demo; it works in the sample project only',
    demoOnly: true,
    matches: (name) => name === 'rehearsal',
    make: makeRehearsal,
    detect: detectRehearsal,
  },
]

/**
 * Chooses the backend of every persona: `--agent`, else the persona's own of the configuration, else the one for all,
 * else the first program that is found. Nothing is executed: who it is, is told before it is trusted.
 * Throws a Problem: 'usage' for a name that is none, 'agent' where nobody is named and nobody found.
 */
export function openAgents(options: AgentOptions): AgentPool {
  const made = new Map<string, Choice>()
  const choose = (name: string) => {
    const choice = made.get(name) ?? makeChoice(name, options)
    made.set(name, choice)
    return choice
  }
  // Looked for once, so that all personas without a name of their own get the same one.
  let found: { name: string | undefined } | undefined
  const foundName = () => {
    found ??= { name: automaticName() }
    return found.name
  }
  const nameFor = (persona: string) =>
    options.agentOption ?? options.config.personas?.[persona]?.agent ?? options.config.agent ?? foundName()
  const namesSome = Object.values(options.config.personas ?? {}).some(({ agent }) => agent !== undefined)
  const choiceFor = (persona: string) => {
    const name = nameFor(persona)
    if (name === undefined) throw nobodyNamed(namesSome ? persona : undefined)
    return choose(name)
  }

  // All at once, so that a wrong name is told at the start and not in the middle of a night.
  const chosen = new Map(options.personas.map((persona) => [persona, choiceFor(persona)]))
  const fallback =
    options.config.fallbackAgent === undefined ? undefined : choose(options.config.fallbackAgent)
  const distinct = [...new Set(chosen.values())]
  const started = [...new Set([...distinct, ...(fallback ? [fallback] : [])])]
  return {
    forPersona: (persona) => choiceFor(persona).backend,
    ...(fallback ? { fallback: fallback.backend } : {}),
    modelFor: (persona) => options.config.personas?.[persona]?.model,
    describe() {
      const [only, ...others] = distinct
      if (only && others.length === 0) return only.backend.label
      return [...chosen]
        .map(([persona, choice]) => `${shortName(persona, options.personas)} ${choice.backend.label}`)
        .join(', ')
    },
    programs: () => started.map(({ backend, argv }) => ({ backend: backend.id, label: backend.label, argv })),
  }
}

/** One row of `autopilot doctor`. */
export interface DetectedAgent {
  usage: string
  about: string
  /** True where it is there and could work: new enough, with a key or signed in. Absent where there is nothing to look for. */
  found?: boolean
  /** What is missing, and how to get it; where `found` is false. */
  missing?: { what: string; todo: string }
  /** Absent where nothing is there, and where what is there tells no version. */
  detection?: Detection
}

const notSignedIn = { what: 'not signed in', todo: 'Start it once by itself and sign in.' }
const tooOld = { what: 'too old', todo: 'Install a newer version of it.' }

/** Looks for every backend that can be looked for. Never throws. */
export function detectAll(options: DetectOptions = { config: {} }): Promise<DetectedAgent[]> {
  return Promise.all(
    kinds.map(async ({ usage, about, detect, fits, missing }) => {
      if (!detect) return { usage, about }
      const detection = await Promise.resolve()
        .then(() => detect(options))
        .catch(() => undefined)
      if (!detection) return { usage, about, found: false, ...(missing ? { missing } : {}) }
      const lacks =
        detection.auth === 'missing' ? notSignedIn : (fits?.(detection) ?? true) ? undefined : tooOld
      return {
        ...{ usage, about, found: lacks === undefined },
        ...(lacks ? { missing: detection.version === '' ? (missing ?? lacks) : lacks } : {}),
        ...(detection.version === '' ? {} : { detection }),
      }
    }),
  )
}

/** The same by looking alone: nothing is started, so no version and no login is known. */
export function lookAll(): DetectedAgent[] {
  return kinds.map(({ usage, about, detect, automatic, missing }) => {
    if (!detect || !automatic) return { usage, about }
    const found = automatic() !== undefined
    return { usage, about, found, ...(found || !missing ? {} : { missing }) }
  })
}

function automaticName(): string | undefined {
  for (const kind of kinds) {
    const name = kind.automatic?.()
    if (name !== undefined) return name
  }
  return undefined
}

function ifOnPath(program: string): string | undefined {
  return isOnPath(program) ? program : undefined
}

function makeChoice(name: string, options: DetectOptions): Choice {
  const kind = kinds.find((each) => each.matches(name))
  if (!kind) throw unknownName(name)
  return kind.make(name, options)
}

function makeAcp(text: string): Choice {
  const argv = argvOf('acp', text)
  return { backend: anyAcpBackend(argv, { label: `acp: ${text.trim()}` }), argv }
}

/** Program and arguments behind the colon of an agent's name. */
function argvOf(kind: 'acp' | 'command', text: string): string[] {
  const argv = splitArgv(text)
  if (argv.length > 0) return argv
  throw new Problem({
    code: 'usage',
    what: `The agent "${kind}:" names no program.`,
    why: 'Without a program there is nobody to do the work.',
    todo: `Write it behind the colon, for example --agent "${kind}:node my-agent.js".`,
  })
}

function makeCommand(text: string): Choice {
  const argv = argvOf('command', text)
  return { backend: commandBackend(argv, { label: `command: ${text.trim()}` }), argv }
}

function makeEmbedded(model: string, options: DetectOptions): Choice {
  const program = options.embeddedProgram ?? bundledProgram('embedded')
  const backend = embeddedBackend({ policy: 'ask', model: model.trim() || undefined, program })
  return { backend, argv: [process.execPath, program] }
}

function makeRehearsal(_name: string, options: DetectOptions): Choice {
  const argv = [process.execPath, options.rehearsalProgram ?? bundledProgram('rehearsal')]
  const label = 'rehearsal: the scripted agent of the demo'
  const backend = commandBackend(argv, { id: 'rehearsal', label })
  const open: Backend['open'] = (request, sink) =>
    backend.open({ ...request, env: { ...rehearsalVariables(), ...request.env } }, sink)
  return { backend: { ...backend, open }, argv }
}

/** AUTOPILOT_REHEARSAL_*: how fast the scripted agent plays. No other agent is given them. */
function rehearsalVariables(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) =>
      name.startsWith('AUTOPILOT_REHEARSAL_') && value !== undefined ? [[name, value]] : [],
    ),
  )
}

async function detectRehearsal(options: DetectOptions): Promise<Detection | undefined> {
  const path = options.rehearsalProgram ?? bundledProgram('rehearsal')
  return existsSync(path) ? { path, version: '' } : undefined
}

/** What somebody can be told to name. */
const offered = () => kinds.filter(({ demoOnly }) => demoOnly !== true)

function unknownName(name: string): Problem {
  return new Problem({
    code: 'usage',
    what: `There is no agent "${name}".`,
    why: 'autopilot must know which program does the work before it starts.',
    todo: `Use one of: ${offered()
      .map((kind) => `${kind.usage} (${kind.about})`)
      .join('; ')}.`,
  })
}

/** `role`: where others have an agent of their own, the one that has none. */
function nobodyNamed(role: string | undefined): Problem {
  return new Problem({
    code: 'agent',
    what: `No agent program was found on PATH, and none is named${role === undefined ? '' : ` for the role ${role}`}.`,
    why: 'autopilot plans, codes and reviews nothing itself: an agent program does.',
    todo: [
      `Start with --agent ${offered()
        .map((kind) => `"${kind.usage}"`)
        .join(' or ')}, or set "agent" in your configuration file.`,
      'autopilot doctor shows what was looked for and how to get it;',
      'autopilot demo shows a whole run with a scripted agent, without an account.',
    ].join(' '),
  })
}

/** Without the word that all personas of a workflow begin with, often its name. */
function shortName(persona: string, all: readonly string[]): string {
  const word = persona.slice(0, persona.indexOf('-') + 1)
  return all.every((each) => each.startsWith(word)) ? persona.slice(word.length) : persona
}
