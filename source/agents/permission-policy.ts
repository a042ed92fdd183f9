import type { Access, PermissionPolicy, ToolKind } from './agent.js'

export type Verdict = { verdict: 'allow' } | { verdict: 'ask' } | { verdict: 'deny'; reason: string }

/**
 * What happens to a request of an agent for permission, before anybody is asked. The access goes first: a role that may
 * only read never changes files. Commands (tests, `git diff`) are the person's to allow, since a verifier needs them.
 */
export function judgePermission(
  access: Access,
  policy: PermissionPolicy | undefined,
  kind: ToolKind,
): Verdict {
  if (kind === 'read') return { verdict: 'allow' }
  if (kind === 'edit') {
    if (access === 'read') {
      return { verdict: 'deny', reason: 'This role may read only: it may not change files.' }
    }
    return { verdict: policy === 'edits' || policy === 'all' ? 'allow' : 'ask' }
  }
  return { verdict: policy === 'all' && access !== 'edit' ? 'allow' : 'ask' }
}
