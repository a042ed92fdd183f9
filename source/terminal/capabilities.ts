/** What the two streams and the environment allow. Decided once, before Ink is imported: docs/terminal.md "Start". */
export type TerminalMode =
  | { kind: 'screen'; unicode: boolean; color: boolean }
  /** `reason` is a clause for people, such as `stdout is not a terminal`. */
  | { kind: 'plain'; reason: string; input: PlainInput }

/** Whether a person can type in plain mode. `dumb`: the terminal cannot tell what was typed from what was pasted. */
export type PlainInput = 'keys' | 'dumb' | 'none'

export interface StreamFacts {
  isTTY?: boolean
}

function isSet(value: string | undefined): boolean {
  return value !== undefined && value !== ''
}

function isUtf8(environment: NodeJS.ProcessEnv): boolean {
  // The first one that is set decides, as in setlocale(3).
  const locale = [environment.LC_ALL, environment.LC_CTYPE, environment.LANG].find(isSet)
  return locale !== undefined && /utf-?8/i.test(locale)
}

/** Whether signs beyond ASCII can be shown: of the locale, and of consoles that have none or always do. */
export function hasUnicode(
  environment: NodeJS.ProcessEnv,
  platform: NodeJS.Platform = process.platform,
): boolean {
  if (environment.TERM === 'linux') return false
  return (
    isUtf8(environment) || (platform === 'win32' && isSet(environment.WT_SESSION)) || platform === 'darwin'
  )
}

/** Whether the full screen can be used and with which characters and colours, or lines, and who can answer them. */
export function decideTerminal(
  environment: NodeJS.ProcessEnv,
  stdin: StreamFacts,
  stdout: StreamFacts,
  platform: NodeJS.Platform = process.platform,
): TerminalMode {
  if (!stdin.isTTY) return { kind: 'plain', reason: 'stdin is not a terminal', input: 'none' }
  const input = environment.TERM === 'dumb' ? 'dumb' : 'keys'
  const plain = (reason: string): TerminalMode => ({ kind: 'plain', reason, input })
  if (!stdout.isTTY) return plain('stdout is not a terminal')
  if (input === 'dumb') return plain('the terminal is of the kind `dumb`')
  if (environment.INK_SCREEN_READER === 'true') return plain('a screen reader is announced')
  if (isSet(environment.ACCESSIBLE)) return plain('ACCESSIBLE is set')
  return {
    kind: 'screen',
    unicode: hasUnicode(environment, platform),
    color: !isSet(environment.NO_COLOR),
  }
}

/**
 * Prepares the environment for the import of Ink and returns the untouched copy that children get. Ink ignores NO_COLOR,
 * and takes CI variables for a missing terminal.
 */
export function prepareEnvironment(environment: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  const saved = { ...environment }
  delete environment.CI
  delete environment.CONTINUOUS_INTEGRATION
  if (isSet(environment.NO_COLOR)) environment.FORCE_COLOR = '0'
  return saved
}

export interface ScreenSize {
  columns: number
  rows: number
}

/** The size that a stream reports; some terminals say 0 by 0 or nothing, which counts as 80 by 24. */
export function sizeOf(stream: { columns?: number; rows?: number }): ScreenSize {
  if (!stream.columns || !stream.rows) return { columns: 80, rows: 24 }
  return { columns: stream.columns, rows: stream.rows }
}
