import type { z } from 'zod'
import type { Confinement } from '../processes/confine/confinement.js'
import type { Usage } from '../view/usage.js'

/** What an agent may do to the project. */
export type Access = 'read' | 'edit' | 'full'

/**
 * What an agent does without asking: `ask` nothing but reading, `edits` changes of files in the project too, `all`
 * everything. Never more than its access.
 */
export type PermissionPolicy = 'ask' | 'edits' | 'all'

export type ToolKind = 'read' | 'edit' | 'exec' | 'other'

export interface AskOption {
  id: string
  label: string
  kind: 'allow-once' | 'allow-always' | 'deny' | 'other'
}

/** Tokens as an agent tells them; outside of this room it is `Usage`. */
export interface TokenUsage {
  input: number
  output: number
  cached: number
  usd?: number | undefined
}

/** Why a dispatch did not succeed (docs/agents.md, "Events"). */
export type AgentErrorKind =
  | 'auth'
  | 'billing'
  | 'limit'
  | 'overloaded'
  | 'network'
  | 'context'
  | 'refused'
  | 'turns'
  | 'budget'
  | 'schema'
  | 'denied'
  | 'aborted'
  | 'timeout'
  | 'crash'
  | 'spawn'
  | 'input'

/** Why something did not succeed. `resetsAt` is epoch milliseconds. */
export interface Failure {
  error: AgentErrorKind
  message: string
  resetsAt?: number | undefined
  retry: 'now' | 'later' | 'never'
}

/**
 * What one process or conversation ended with. `others`: results that it handed back before this one. `raw`: the words
 * that the result was read from, where they are not in `text`; `9.0` and `9` are the same number.
 */
export type Outcome =
  | {
      ok: true
      result?: unknown
      text: string
      raw?: string
      usage: TokenUsage
      others?: readonly unknown[]
    }
  | ({ ok: false; usage: TokenUsage } & Failure)

/** One fact of a running agent, the same for every backend. Unknown kinds, keys and enum values are ignored. */
export type AgentEvent =
  | {
      type: 'session'
      id: string
      model?: string | undefined
      auth?: string | undefined
      version?: string | undefined
    }
  | {
      type: 'text'
      id: string
      delta?: string | undefined
      full?: string | undefined
      agent?: string | undefined
    }
  | {
      type: 'thinking'
      id: string
      delta?: string | undefined
      full?: string | undefined
      agent?: string | undefined
    }
  | {
      type: 'tool'
      id: string
      name: string
      kind: ToolKind
      title: string
      input?: unknown
      output?: string | undefined
      diff?: string | undefined
      status: 'running' | 'ok' | 'failed' | 'denied'
      agent?: string | undefined
    }
  | { type: 'plan'; items: { text: string; status: string }[] }
  | {
      type: 'usage'
      input: number
      output: number
      cached: number
      usd?: number | undefined
      scope: 'turn' | 'total'
    }
  | {
      type: 'ask'
      askId: string
      kind: 'permission' | 'question' | 'plan'
      title: string
      detail: string
      diff?: string | undefined
      options: AskOption[]
      defaultNo: boolean
    }
  | { type: 'retry'; attempt: number; max?: number | undefined; delayMs?: number | undefined; cause: string }
  | {
      type: 'limit'
      status: 'warning' | 'rejected'
      resetsAt?: number | undefined
      window?: string | undefined
      usedPct?: number | undefined
    }
  | { type: 'log'; stream: 'stdout' | 'stderr'; line: string }
  | { type: 'end'; outcome: Outcome }

export interface BackendCapabilities {
  deltas: boolean
  ask: boolean
  steer: boolean
  schema: boolean
  cost: boolean
  resetTime: boolean
  resume: boolean
  turnLimit: boolean
}

export interface Detection {
  path: string
  version: string
  auth?: 'ok' | 'missing' | 'unknown' | undefined
}

/** Everything a backend needs to open one conversation. */
export interface OpenRequest {
  /** Marks every process of this run: exported as AUTOPILOT_RUN_ID. */
  runId: string
  dispatchId: string
  role: string
  cwd: string
  prompt: string
  systemAppend?: string | undefined
  /** JSON Schema of the result, if one is expected. */
  schema?: unknown
  model?: string | undefined
  access: Access
  /** Default: `ask`. */
  permissions?: PermissionPolicy | undefined
  /** Complete environment of the child; nothing is inherited beside it. */
  env: Record<string, string>
  /** What the system keeps the agent to; it starts nothing outside of it. */
  confinement?: Confinement
  /** Absolute: where a backend may keep what it needs to go on later. Default: a temporary folder. */
  folder?: string | undefined
  /** `task` is the whole prompt, for a backend that finds the conversation gone and has to begin a new one. */
  session?: { id: string; mode: 'new' | 'resume' | 'fork'; task?: string } | undefined
  limits: {
    turns?: number | undefined
    usd?: number | undefined
    firstMs: number
    idleMs: number
    wallMs: number
  }
  /** Every raw line of the child goes here, before it is parsed. */
  raw(stream: 'stdout' | 'stderr' | 'stdin', bytes: Buffer): void
}

export interface Conversation {
  readonly sessionId?: string | undefined
  readonly pid?: number | undefined
  /** The turn that was started last, with `open` or, after it settled, with `send`. Read it anew for each turn. */
  readonly done: Promise<Outcome>
  /** Sends a message into the running conversation. */
  send(text: string): 'sent' | 'queued' | 'unsupported'
  answer(askId: string, answer: { optionId: string; text?: string; input?: unknown }): void
  /** Ends the turn; may keep the process. */
  interrupt(): Promise<void>
  /** Suspends or continues every process of the conversation. */
  pause(on: boolean): void
  /** Walks the stop ladder (docs/durability.md, "Processes") and settles when no process is left. */
  close(): Promise<Outcome>
}

export interface Backend {
  readonly id: string
  /** Shown to the person: what program is run. */
  readonly label: string
  readonly caps: BackendCapabilities
  /**
   * Limits of silence that suit this program, in milliseconds; 0 switches one off. Default: docs/agents.md,
   * "Watchdogs".
   */
  readonly silence?: { firstMs: number; idleMs: number } | undefined
  detect(): Promise<Detection | undefined>
  open(request: OpenRequest, sink: (event: AgentEvent) => void): Promise<Conversation>
}

/** One persona's work, as a workflow hands it over. */
export interface AgentTask<Result> {
  persona: string
  workflow: string
  /** Short, for the pane title: `Plan phase 1: Setup`. */
  title: string
  attempt: number
  prompt: string
  /**
   * Content of the AUTOPILOT_DISPATCH file (docs/agents.md, "The command agent"), without id, persona, workflow,
   * attempt, resultSchema.
   */
  brief: Record<string, unknown>
  /** 1-based, exported as AUTOPILOT_PHASE. */
  phase: number
  expects: z.ZodType<Result>
  access: Access
  wallMs: number
}

/** What a dispatch came to, after validation of its result. */
export type DispatchReply<Result> =
  | {
      ok: true
      result: Result
      text: string
      /** The words of the result, where they are not in `text`. */
      raw?: string
      /** The end of what it said on the way, where `text` is nothing but its result. */
      said?: string
      usage: Usage
      sessionId?: string | undefined
      denials: string[]
      /** Commands that it ran; absent where its program does not report tools. */
      commands?: number
      /** Of these, how many have failed; absent where none has. */
      failedCommands?: number
      /** The end of what its tests printed, or the last of its commands, where its program tells. */
      output?: string
    }
  | {
      ok: false
      error: AgentErrorKind
      message: string
      resetsAt?: number | undefined
      retry: 'now' | 'later' | 'never'
      usage: Usage
      sessionId?: string | undefined
      /** The end of what it said, where it handed back no result that can be used. */
      said?: string
    }
