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

/** Words of a shell that look at nothing of a project. */
const idle =
  /^(?:#|(?:true|:|echo|printf|sleep|exit|pwd|date|cd|whoami|clear|export|set|unset|hostname|uname|which|type|man|history|id|uptime|wait|read|seq|tput|touch|mkdir|command -v)(?:\s|$)|env$|cat \/dev\/null$)/
/** A program is asked who it is, or what it would do. */
const asksOnly =
  /\s(?:--version|--help|--collect-only|--co|--no-run|--list|--listTests|--dry-run)$|^(?:node|npm|npx|pnpm|yarn|bun|deno|php|perl|ruby|python3?|git|tsc|cargo|java|go) (?:-[vVh]|version|help)(?:\s|$)|^npx vitest list\b|^(?:node|python3?|ruby|perl|php) -\w (?:""|''|"?'?(?:\d{1,9}|pass|0)'?"?)$/
const shell = /^(?:\/\S{1,100}\/)?(?:ba|da|z)?sh -l?c (['"])([\s\S]*)\1$/

/** True for a command line that only says something, whatever it says. */
export function looksAtNothing(title: string): boolean {
  // What is put into a text, or read from somewhere, is looked at.
  if (/[`<]|\$\(/.test(title)) return false
  const parts = commandsIn(title)
  return parts.length > 0 && parts.every((part) => idle.test(part) || asksOnly.test(part))
}

const runner =
  /^(?:[A-Z_]{1,60}=\S{0,200} )*(?:(?:npm|pnpm|yarn|bun|deno)(?: run)? (?:-\S{1,60} )*(?:t|test\S{0,60})(?:\s|$)|(?:npx |bunx |pnpm |yarn |uv run |poetry run |python3? -m )?(?:vitest|jest|mocha|ava|pytest|unittest|tox|nox|rspec|phpunit|ctest|playwright test)(?:\s|$)|node (?:-\S{1,60} )*--test|(?:cargo|go|mix|dotnet|swift|flutter|mvn|\.?\/?(?:gradlew?|mvnw))(?: \S{1,60})? (?:test|nextest|check)\b|make (?:test|check)\b|bundle exec rspec)/

/** True for a command line that runs tests; one that only looks at them runs none. */
export const runsTests = (title: string): boolean =>
  commandsIn(title).some((part) => runner.test(part) && !asksOnly.test(part))

const failures =
  /^[#ℹ] fail [1-9]|^ {0,12}Tests:? {1,12}(?:[^\n]{0,80}\b)?[1-9]\d{0,8} failed\b|\b[1-9]\d{0,8} (?:failed|errors?)\b[^\n]{0,120} in [\d.]{1,12}s|^FAILED \((?:failures|errors)=|^test result: FAILED|^ {0,8}[1-9]\d{0,8} failing$|^ {0,40}--- FAIL: |^\d{1,9} examples?, [1-9]|\bTests run: [^\n]{0,40}\b(?:Failures|Errors): [1-9]|^FAILURES!$/m

/** True for what a run of tests printed that has failures in it, whatever became of its exit code behind a pipe. */
export const printsFailures = (output: string): boolean => failures.test(output.slice(-20_000))

/** The commands of a command line, without the shell that reads it. */
function commandsIn(title: string): string[] {
  const trimmed = title.trim()
  return (shell.exec(trimmed)?.[2] ?? trimmed)
    .replace(/\d?>&\d|&>/g, ' ')
    .split(/[;&|\n]+/)
    .map((part) => part.trim())
    .filter((part) => part !== '')
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
