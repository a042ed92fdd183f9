import { programPath } from './program-path.js'

// What children see of our environment (docs/durability.md, "Paths and environment").

const inherited = /^(?:PATH|HOME|USER|LOGNAME|SHELL|LANG|LC_[A-Z_]+|TERM|TZ|TMPDIR|XDG_[A-Z_]+)$/
const inheritedOnWindows = /^(?:SystemRoot|PATHEXT|ComSpec|APPDATA|LOCALAPPDATA|USERPROFILE|TEMP|TMP)$/i
const forbidden = /^(?:NODE_OPTIONS|LD_.*|DYLD_.*|GIT_.*|npm_config_.*|BASH_ENV|ENV|PROMPT_COMMAND)$/i

/**
 * Environment of a child: the allow-list of docs/durability.md, "Paths and environment", and `extra`. Variables that
 * change what programs load or do are never passed on, not even from `extra`.
 */
export function childEnvironment(extra: Record<string, string | undefined> = {}): Record<string, string> {
  const env: Record<string, string> = {}
  for (const [name, value] of Object.entries(process.env)) {
    const allowed = inherited.test(name) || (process.platform === 'win32' && inheritedOnWindows.test(name))
    if (allowed && value !== undefined) env[name] = value
  }
  for (const [name, value] of Object.entries(extra)) {
    if (value !== undefined && !forbidden.test(name)) env[name] = value
  }
  if (env.PATH !== undefined) env.PATH = programPath(env.PATH)
  return env
}
