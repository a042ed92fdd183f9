import { readText, writeText } from '../../../project/text-files.js'
import { type PhaseWork, rootOf } from '../work.js'

// EXECUTION-LOG.md: one entry a task, written the moment that it is over. The program writes it, no agent does.

export interface MiniEntry {
  result: 'PASS' | 'FAIL' | 'SKIPPED'
  checked: number
  passed: number
  failures: string[]
  debugAttempts: number
  fixLoop: 'none' | 'active' | 'tripped'
  convergence: string
}

export interface LogEntry {
  id: string
  title: string
  status: 'COMPLETED' | 'FAILED' | 'NEEDS_REVIEW' | 'DEFERRED'
  commit: string | null
  checkpoint: string
  files: string[]
  evidence: string[]
  gates: string
  tests: { passed: number; total: number }
  confidence: number | null
  mini: MiniEntry
}

export const logPathOf = ({ facts }: PhaseWork) => `${facts.dir}/EXECUTION-LOG.md`

/** Adds an entry, or puts it in the place of an earlier one of the same task. Once for each key. */
export function logTask(work: PhaseWork, key: string, entry: LogEntry): Promise<null> {
  return work.run.step(`${work.at}${key}`, async () => {
    const path = logPathOf(work)
    const root = rootOf(work)
    const before =
      (await readText(root, path)) ?? `# Execution log: phase ${work.facts.id} ${work.facts.name}\n`
    await writeText(root, path, withEntry(before, entry))
    return null
  })
}

/** The log with this entry at its end. Pure. */
export function withEntry(log: string, entry: LogEntry): string {
  const heading = `### Task ${entry.id}: `
  const kept = log
    .split(/^(?=### Task )/m)
    .filter((part) => !part.startsWith(heading))
    .join('')
  return `${kept.trimEnd()}\n\n${entryText(entry)}`
}

function entryText(entry: LogEntry): string {
  const { mini, tests } = entry
  const list = (items: readonly string[]) => (items.length === 0 ? 'none' : items.join('; '))
  return [
    `### Task ${entry.id}: ${entry.title}`,
    '',
    `- **Status**: ${entry.status}`,
    `- **Commit SHA**: ${entry.commit ?? 'none'}`,
    `- **Pre-task checkpoint**: ${entry.checkpoint}`,
    `- **Files modified**: ${list(entry.files)}`,
    `- **Evidence**: ${list(entry.evidence)}`,
    `- **Gate Results**: ${entry.gates}`,
    `- **Test Results**: ${tests.passed}/${tests.total}`,
    `- **Confidence**: ${entry.confidence ?? 'not said'}`,
    '- **Mini-Verification**:',
    `  - Result: ${mini.result}`,
    `  - Criteria checked: ${mini.checked}`,
    `  - Criteria passed: ${mini.passed}`,
    `  - Failures: ${list(mini.failures)}`,
    `  - Debug attempts: ${mini.debugAttempts}`,
    `  - Fix loop: ${mini.fixLoop}`,
    `  - Convergence: ${mini.convergence}`,
    '',
  ].join('\n')
}
