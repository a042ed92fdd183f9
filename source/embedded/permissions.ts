import { createHash, randomUUID } from 'node:crypto'
import type { AskOption } from '../agents/agent.js'
import type { Inbox } from './inbox.js'
import type { Emit, Policy } from './protocol.js'

/** What a tool call would do, as the person is asked about it. */
export interface Wish {
  kind: 'edit' | 'exec'
  title: string
  /** The whole command, or the path. */
  detail: string
  diff?: string
}

export type Permission = { allowed: true } | { allowed: false; reason: string }

export interface Permissions {
  check(wish: Wish, signal: AbortSignal): Promise<Permission>
}

interface Options {
  policy: Policy
  /** Ids of options that were chosen for the whole run. */
  grants: readonly string[]
  inbox: Inbox
  emit: Emit
}

/**
 * Asks before a tool changes or starts something, as the policy says: `ask` for all of it, `edits` only for commands,
 * `all` never. Only the option that says so permits; every other answer denies.
 */
export function createPermissions(options: Options): Permissions {
  const granted = new Set(options.grants)

  return {
    async check(wish, signal) {
      if (options.policy === 'all') return { allowed: true }
      if (options.policy === 'edits' && wish.kind === 'edit') return { allowed: true }
      const grant = grantId(wish)
      if (granted.has(grant)) return { allowed: true }

      const askId = randomUUID()
      const answer = options.inbox.answerTo(askId, signal)
      options.emit({
        type: 'ask',
        askId,
        kind: 'permission',
        title: wish.title,
        detail: wish.detail,
        diff: wish.diff,
        options: menu(wish, grant),
        defaultNo: true,
      })
      const { optionId, text } = await answer
      if (optionId === grant) granted.add(grant)
      if (optionId === grant || optionId === 'once') return { allowed: true }
      const why = text?.trim()
      return { allowed: false, reason: why ? `They said: ${why}` : 'They gave no reason.' }
    },
  }
}

/** Edits are granted as a whole, a command only to the letter: what a shell makes of a similar one nobody can tell. */
export function grantId(wish: Pick<Wish, 'kind' | 'detail'>): string {
  if (wish.kind === 'edit') return 'run:edits'
  return `run:command:${createHash('sha256').update(wish.detail).digest('hex').slice(0, 16)}`
}

function menu(wish: Wish, grant: string): AskOption[] {
  const all = wish.kind === 'edit' ? 'Allow every edit for this run' : 'Allow this command for this run'
  return [
    { id: 'once', label: 'Allow once', kind: 'allow-once' },
    { id: grant, label: all, kind: 'allow-always' },
    { id: 'deny', label: 'Deny', kind: 'deny' },
  ]
}
