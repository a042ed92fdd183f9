import { aboutText } from '../durations.js'
import type { CommandResult } from '../processes/commands.js'
import type { LeftOut } from './git-list.js'

// What came of a commit, and why it failed, read from what git and the hooks printed.

export type CommitFailure =
  | 'hook'
  | 'identity'
  | 'in-progress'
  | 'index-lock'
  | 'head-moved'
  | 'disk-full'
  | 'other'

export type CommitResult =
  | {
      committed: true
      sha: string
      message: string
      leftOut?: LeftOut[] | undefined
      /** Paths that nobody asked for, which a hook has put into it. */
      added?: string[] | undefined
    }
  | { committed: false; message: string; leftOut?: LeftOut[] | undefined }
  | { committed: 'failed'; kind: CommitFailure; output: string }

export function commitFailure(result: CommandResult, hooks: string[], ms: number): CommitResult {
  const kind = failureKind(result)
  if (kind !== 'other') return failed(kind, told(result))
  const output = told(result)
  const byHook = hooks.length > 0 && !/failed to sign|gpg failed/.test(output)
  const lines = [output]
  if (result.timedOut) lines.push(`Ended after ${aboutText(ms)} without a result.`)
  else if (result.stdout + result.stderr === '') lines.push(`git ended with ${result.code} and said nothing.`)
  if (byHook) lines.push(`Active hooks: ${hooks.join(', ')}`)
  return failed(byHook ? 'hook' : 'other', lines.filter((line) => line !== '').join('\n'))
}

export function failureKind(result: CommandResult): CommitFailure {
  const output = told(result)
  if (/Please tell me who you are|empty ident name|unable to auto-detect email/.test(output))
    return 'identity'
  if (/No space left on device|Disk quota exceeded/.test(output)) return 'disk-full'
  if (/\.lock'?: File exists/.test(output)) return 'index-lock'
  if (/cannot lock ref .* but expected/.test(output)) return 'head-moved'
  return 'other'
}

export function told(result: CommandResult): string {
  if (result.missing) return 'git was not found.'
  return [result.stderr.trim(), result.stdout.trim()].filter((text) => text !== '').join('\n')
}

export function failed(kind: CommitFailure, output: string): CommitResult {
  return { committed: 'failed', kind, output }
}
