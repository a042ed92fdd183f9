import { join } from 'node:path'
import type { PaneBlock, PaneLine } from '../view/panes.js'
import type { Usage } from '../view/usage.js'
import type { AgentEvent, Backend, PermissionPolicy } from './agent.js'
import type { AgentConfinement, Sight } from './confinement.js'

/** What one dispatch needs besides its task. */
export interface DispatchContext {
  backend: Backend
  /** New for every start of autopilot; marks all its processes. */
  runId: string
  /** Unique in the session; names the files of this dispatch. */
  dispatchId: string
  /** Absolute. */
  projectDir: string
  /** Absolute: where the agent works, if that is not the project itself but a worktree of it. */
  cwd?: string
  /** Repo-relative. */
  sessionDir: string
  signal: AbortSignal
  /** Looks before an agent is started whether it may be, and throws where not; the dispatch throws the same. */
  guard?: () => Promise<void>
  /** How agents of this session are confined. Default: not at all. */
  confinement?: AgentConfinement
  /** What a confined dispatch sees otherwise than it is. Default: nothing. */
  sight?: Sight
  /** Names in the session directory that are autopilot's own, such as that of the state file. */
  records?: readonly string[]
  /** Environment of the agent, complete but for the variables of the contract (docs/agents.md, "The command agent"). */
  env: Record<string, string>
  /** Go on in this conversation, where the backend can; `prompt` defaults to a word that it was broken off. */
  resume?: { sessionId: string; prompt?: string }
  model?: string
  permissions?: PermissionPolicy
  /** Longest silence in milliseconds, where the person set one. */
  idleMs?: number
  /** Bounds of one dispatch, where the person set them and the backend can keep them. */
  turns?: number
  usd?: number
  /** `at`: bytes that its log had then. */
  line: (lines: PaneLine | PaneBlock, at?: number) => void
  /** What the whole dispatch used so far. */
  usage(usage: Usage): void
  session(id: string): void
  /** Answers a permission request or a question of the agent. Without it, the safe option is taken. */
  ask?(event: Extract<AgentEvent, { type: 'ask' }>): Promise<{ optionId: string; text?: string }>
  event?: ((event: AgentEvent) => void) | undefined
  /** Handed a function that sends a message into the running conversation. */
  say?(send: (text: string) => 'sent' | 'queued' | 'unsupported'): void
  /** Handed the switch that suspends and continues the agent's processes. */
  hold?(pause: (on: boolean) => void): void
  /** Handed a function that ends the agent's turn; the dispatch then fails as aborted and can be resumed. */
  interrupt?(end: () => void): void
}

/** Repo-relative path of the raw log of a dispatch. */
export function dispatchLogPath(sessionDir: string, dispatchId: string): string {
  return join(sessionDir, 'logs', `${dispatchId}.log`)
}

/** Repo-relative path of the file that AUTOPILOT_DISPATCH names. */
export function dispatchFilePath(sessionDir: string, dispatchId: string): string {
  return join(sessionDir, 'dispatches', `${dispatchId}.json`)
}
