import type { AgentEvent } from './agent.js'

type ToolEvent = Extract<AgentEvent, { type: 'tool' }>

/** Characters of the output that are kept, from its end. */
const outputTail = 4000
/** Tools that may be under way at once. */
const mostOpen = 64

const looksLikeTests =
  /\b(?:tests?|specs?|vitest|jest|mocha|pytest|tox|rspec|phpunit|ctest|gotestsum|nextest)\b/i

/** Whether a tool runs a program of the project. */
export function runsCommand(event: ToolEvent): boolean {
  return event.kind === 'exec' || /bash|shell|exec|command|terminal/i.test(event.name)
}

/** What the commands of an agent printed: of those that look like tests the newest one that failed, else the newest. */
export interface CommandOutput {
  take(event: ToolEvent): void
  text(): string | undefined
}

export function createCommandOutput(): CommandOutput {
  const titles = new Map<string, string>()
  let best: { rank: number; text: string } | undefined

  return {
    take(event) {
      if (!runsCommand(event)) return
      if (event.status === 'running') {
        const [first] = titles.keys()
        if (titles.size >= mostOpen && first !== undefined) titles.delete(first)
        titles.set(event.id, event.title)
        return
      }
      const title = `${titles.get(event.id) ?? ''} ${event.title}`
      titles.delete(event.id)
      const output = event.output?.trim() ?? ''
      if (event.status === 'denied' || output === '') return
      const rank = (looksLikeTests.test(title) ? 2 : 0) + (event.status === 'failed' ? 1 : 0)
      if (best === undefined || rank >= best.rank) best = { rank, text: lastLines(output) }
    },
    text: () => best?.text,
  }
}

/** Whole lines from the end. */
function lastLines(text: string): string {
  if (text.length <= outputTail) return text
  const tail = text.slice(-outputTail)
  const start = tail.indexOf('\n') + 1
  return tail.slice(start > 0 && start < tail.length ? start : 0)
}
