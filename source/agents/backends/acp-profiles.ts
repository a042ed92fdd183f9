import type { Backend } from '../agent.js'
import { acpBackend } from './acp.js'

// What is particular to the known programs that speak the Agent Client Protocol (docs/agents.md, "Agent Client
// Protocol").

/** Settings of gemini that its own users keep in the environment. They choose nothing that its login does not choose. */
const geminiNames = [
  'GEMINI_API_KEY',
  'GOOGLE_API_KEY',
  'GOOGLE_APPLICATION_CREDENTIALS',
  'GOOGLE_CLOUD_PROJECT',
  'GOOGLE_CLOUD_LOCATION',
  'GOOGLE_GENAI_USE_VERTEXAI',
  'GOOGLE_GEMINI_BASE_URL',
]

export interface ProfileOptions {
  /** Program to start instead of the one on PATH. */
  program?: string
  /** Epoch milliseconds; for the check of reset times. */
  now?(): number
}

/** Google's Gemini CLI. */
export function geminiBackend(options: ProfileOptions = {}): Backend {
  return acpBackend({
    id: 'gemini',
    label: 'gemini: Gemini CLI',
    argv: [options.program ?? 'gemini', '--acp'],
    args: ({ model }) => (model === undefined ? [] : ['-m', model]),
    // Without the first it wraps itself in a process that swallows signals, without the second it asks for trust.
    env: {
      ...inherited(geminiNames),
      GEMINI_CLI_NO_RELAUNCH: 'true',
      GEMINI_CLI_TRUST_WORKSPACE: 'true',
    },
    modelIsSet: true,
    versionArgs: ['--version'],
    now: options.now,
  })
}

/** OpenCode. It asks nothing by itself, so it is told to; what the configuration in the environment says else stays. */
export function opencodeBackend(options: ProfileOptions = {}): Backend {
  return acpBackend({
    id: 'opencode',
    label: 'opencode: OpenCode',
    argv: [options.program ?? 'opencode', 'acp'],
    env: ({ env, model }) => ({
      OPENCODE_CONFIG_CONTENT: opencodeConfig(env.OPENCODE_CONFIG_CONTENT, model),
    }),
    modelIsSet: true,
    versionArgs: ['--version'],
    silence: { firstMs: 60_000, idleMs: 180_000 },
    silenceHint: 'OpenCode waits for a usage limit without a word; this may be one.',
    caps: { cost: true },
    now: options.now,
  })
}

function opencodeConfig(given: string | undefined, model: string | undefined): string {
  const ours = {
    autoupdate: false,
    share: 'disabled',
    permission: { edit: 'ask', bash: 'ask' },
    ...(model === undefined ? {} : { model }),
  }
  return JSON.stringify({ ...configOf(given), ...ours })
}

/** Text that is no JSON object is not ours to mend: opencode would not take it either. */
function configOf(given: string | undefined): object {
  if (given === undefined) return {}
  try {
    const value: unknown = JSON.parse(given)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {}
  } catch {
    return {}
  }
}

/** Any other program that speaks the protocol. */
export function anyAcpBackend(argv: readonly string[], options: { label?: string } = {}): Backend {
  return acpBackend({ id: 'acp', argv, label: options.label })
}

function inherited(names: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = process.env[name]
      return value === undefined || value === '' ? [] : [[name, value]]
    }),
  )
}
