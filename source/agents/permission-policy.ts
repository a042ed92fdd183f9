import type { Access, PermissionPolicy, ToolKind } from './agent.js'

export type Verdict = { verdict: 'allow' } | { verdict: 'ask' } | { verdict: 'deny'; reason: string }

/**
 * What happens to a request of an agent for permission, before anybody is asked. The access goes first and denies; only
 * within it may the policy allow.
 */
export function judgePermission(
  access: Access,
  policy: PermissionPolicy | undefined,
  kind: ToolKind,
): Verdict {
  if (access === 'read' && (kind === 'edit' || kind === 'exec')) {
    const what = kind === 'edit' ? 'change files' : 'run commands'
    return { verdict: 'deny', reason: `This role may read only: it may not ${what}.` }
  }
  if (kind === 'read') return { verdict: 'allow' }
  if (policy === 'all' && (access === 'full' || kind === 'edit')) return { verdict: 'allow' }
  return { verdict: policy === 'edits' && kind === 'edit' ? 'allow' : 'ask' }
}
