import type { Access, OpenRequest, PermissionPolicy } from '../agent.js'

export type Sandbox = 'read-only' | 'workspace-write' | 'danger-full-access'
export type ApprovalPolicy = 'untrusted' | 'never'

const sandboxes: Readonly<Record<Access, Sandbox>> = {
  read: 'read-only',
  edit: 'workspace-write',
  full: 'danger-full-access',
}

/** The sandbox of codex that an access means. */
export function sandboxFor(access: Access): Sandbox {
  return sandboxes[access]
}

/**
 * Whether codex asks before it runs commands and changes files. A role that may only read is never asked for: codex
 * runs an approved command outside its sandbox (observed with 0.171.0), so that a yes would give more than the access.
 */
export function approvalsFor(access: Access, policy: PermissionPolicy = 'ask'): ApprovalPolicy {
  return access === 'read' || policy === 'all' ? 'never' : 'untrusted'
}

/** True where nobody would be asked anyhow, so that `codex exec`, which cannot ask, does as well. */
export function isUnattended(access: Access, policy: PermissionPolicy = 'ask'): boolean {
  return approvalsFor(access, policy) === 'never'
}

/** What a thread of the app-server is started or resumed with. */
export function threadSettings({ cwd, access, permissions, model, systemAppend }: OpenRequest) {
  return {
    cwd,
    approvalPolicy: approvalsFor(access, permissions),
    sandbox: sandboxFor(access),
    ...(model === undefined ? {} : { model }),
    ...(systemAppend === undefined ? {} : { developerInstructions: systemAppend }),
  }
}
