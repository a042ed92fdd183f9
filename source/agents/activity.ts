import type { AgentEvent } from './agent.js'

/** One tool may be silent for this long (docs/agents.md, "Watchdogs"). */
export const toolSilenceMs = 15 * 60_000

export interface ActivityTarget {
  /** Silence is expected, or no longer. */
  busy(on: boolean): void
  /** A tool has given no sign of life for too long. */
  overdue(): void
}

export interface Activity {
  /** Any line of the program is a sign of life. */
  touch(): void
  event(event: AgentEvent): void
  answered(askId: string): void
  /** No clock runs while the processes are suspended. */
  pause(on: boolean): void
  /** The turn is over: nothing is open any more. */
  clear(): void
}

/**
 * Knows when an agent may be silent: while a tool runs, while a question of it is open, and while it waits before it
 * tries again as it announced (docs/agents.md, "Watchdogs").
 */
export function watchActivity(target: ActivityTarget, toolMs: number = toolSilenceMs): Activity {
  const tools = new Set<string>()
  const asks = new Set<string>()
  let retry: NodeJS.Timeout | undefined
  let tool: NodeJS.Timeout | undefined
  let isBusy = false
  let paused = false

  function settle(): void {
    const busy = tools.size > 0 || asks.size > 0 || retry !== undefined
    if (busy !== isBusy) target.busy(busy)
    isBusy = busy
    clearTimeout(tool)
    tool = undefined
    if (toolMs <= 0 || tools.size === 0 || asks.size > 0 || paused) return
    tool = setTimeout(target.overdue, toolMs)
    tool.unref()
  }

  function endRetry(): void {
    clearTimeout(retry)
    retry = undefined
  }

  return {
    touch() {
      if (retry === undefined && tool === undefined) return
      endRetry()
      tool?.refresh()
      if (isBusy && tools.size === 0 && asks.size === 0) settle()
    },
    event(event) {
      if (event.type === 'tool') {
        if (event.status === 'running') tools.add(event.id)
        else tools.delete(event.id)
      } else if (event.type === 'ask') asks.add(event.askId)
      else if (event.type === 'retry' && event.delayMs !== undefined) {
        endRetry()
        retry = setTimeout(() => {
          retry = undefined
          settle()
        }, event.delayMs)
        retry.unref()
      } else return
      settle()
    },
    answered(askId) {
      asks.delete(askId)
      settle()
    },
    pause(on) {
      paused = on
      settle()
    },
    clear() {
      endRetry()
      tools.clear()
      asks.clear()
      settle()
    },
  }
}
