import { inOneLine } from '../../../documents/edit.js'
import type { VisualResult } from '../results.js'

// VISUAL-BUGS.md: what is wrong on the screen, for the one who mends it, and what came of it.

/** One round of looking, newest last. */
export interface VisualRound {
  attempt: number
  issues: VisualResult['issues_found']
}

const cell = (text: string) => inOneLine(text).replaceAll('|', '\\|')

/** The file over all rounds: open faults in full, and a table of what became of each. */
export function visualBugsText(
  phase: string,
  rounds: readonly VisualRound[],
  screenshots: readonly string[],
): string {
  const open = rounds.at(-1)?.issues ?? []
  const all = new Map<string, { issue: VisualResult['issues_found'][number]; from: number; until: number }>()
  for (const { attempt, issues } of rounds) {
    for (const issue of issues) {
      const key = `${issue.route}\n${issue.description}`
      all.set(key, { issue, from: all.get(key)?.from ?? attempt, until: attempt })
    }
  }
  const last = rounds.at(-1)?.attempt ?? 0
  return [
    `# Visual bugs: phase ${phase}`,
    '',
    ...(open.length === 0 ? ['None is open.', ''] : []),
    ...open.flatMap((issue, at) => {
      const { route, type, severity, description, ...more } = issue
      const picture = screenshots.find((path) => path.includes(routeWord(route)))
      return [
        `## ${at + 1}. ${cell(description)}`,
        '',
        `- Route: ${route}`,
        `- Screenshot: ${picture ?? 'none'}`,
        `- Type: ${type}`,
        `- Severity: ${severity}`,
        `- Location: ${said(more.location)}`,
        `- Suggested fix: ${said(more.suggested_fix)}`,
        '',
      ]
    }),
    '## Resolution Tracking',
    '',
    '| Route | Fault | Severity | Found in attempt | Status |',
    '|-------|-------|----------|------------------|--------|',
    ...[...all.values()].map(
      ({ issue, from, until }) =>
        `| ${cell(issue.route)} | ${cell(issue.description)} | ${issue.severity} | ${from} | ${until === last ? 'open' : `gone in attempt ${until + 1}`} |`,
    ),
    '',
  ].join('\n')
}

function said(value: unknown): string {
  return typeof value === 'string' && value.trim() !== '' ? inOneLine(value) : 'not said'
}

function routeWord(route: string): string {
  const plain = route
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
  return plain === '' ? 'home' : plain
}
