import { type LifecycleRecord, readLifecycleState, subStepText } from '../../documents/lifecycle-state.js'
import type { InspectedFile, Inspector } from '../workflow.js'

/** How `inspect` reads a state file (docs/lifecycle.md, "Reading"). */
export const stateInspector: Inspector = {
  kind: 'lifecycle-state',
  matches: ({ path, text }: InspectedFile) => {
    if (/^\uFEFF?(?:[ \t]*\r?\n){0,20} {0,3}# Autopilot State[ \t]*\r?$/m.test(text.slice(0, 4000)))
      return 'sure'
    if (/(?:^|[/\\])_autopilot_state\.md$/.test(path)) return 'sure'
    return text.includes('\n## Current Step') ? 'possible' : undefined
  },
  inspect: ({ text }) => {
    const { conflicts: _, ...record } = readLifecycleState(text)
    return { json: { kind: 'lifecycle-state', ...record }, lines: recordLines(record) }
  },
}

function recordLines(record: Omit<LifecycleRecord, 'conflicts'>): string[] {
  const { current, completed, decisions, lastSession, retryLog, blockers } = record
  const list = (title: string, items: readonly string[]) =>
    items.length === 0 ? [] : ['', `${title}:`, ...items.map((item) => `  ${item}`)]
  return [
    'Lifecycle state',
    `  flow         ${current.flow}`,
    `  step         ${current.step ?? ''} ${current.name}`,
    `  status       ${current.status}`,
    ...(current.subStep ? [`  sub-step     ${subStepText(current.subStep)}`] : []),
    `  retry count  ${current.retryCount}`,
    ...list(
      'Completed steps',
      completed.map((row) => `${row.step} ${row.name} (${row.completed}): ${row.outcome}`),
    ),
    ...list('Key decisions', decisions),
    ...list(
      'Last session',
      Object.entries(lastSession).map(([key, value]) => `${key}: ${value}`),
    ),
    ...list(
      'Retry log',
      retryLog.map((row) => `${row.attempt}: ${row.step} ${row.name} ${row.subStep}: ${row.reason}`),
    ),
    ...list('Blockers', blockers),
    ...list('Sections of others', record.unknownSections),
    ...list('Warnings', record.warnings),
  ]
}
