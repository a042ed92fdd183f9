import { expect, it } from 'vitest'
import { type Closing, closingLines, closingMarkdown } from '../../source/sessions/closing-page.js'
import { filledSnapshot } from '../ui/view-fixtures.js'

const { view } = filledSnapshot()
const closing: Closing = {
  title: 'Mail rules',
  reports: ['All phases complete.\nTotal: 3 phases'],
  view: {
    ...view,
    findings: [
      ...(view.findings ?? []),
      { severity: 'warning', tone: 'warn', file: 'src/a.ts', line: '3', title: 'No limit' },
    ],
  },
  usage: { inputTokens: 1200, outputTokens: 40, usd: 0.5 },
  times: '2 min working',
  commits: [{ sha: 'abcdef0123456789', subject: 'feat: rules' }],
  sessionDir: '.tiny/sessions/mail-rules',
}

it('says what was done, what is open, skipped, committed, spent, where it lies and what comes next', () => {
  expect(closingLines(closing)).toEqual([
    'All phases complete.\nTotal: 3 phases',
    '',
    'Open warnings:',
    '  warning  src/a.ts:3  No limit',
    '',
    'Skipped:',
    '  Skipped: Clean-up',
    '',
    'Commits:',
    '  abcdef01  feat: rules',
    '',
    'Cost:',
    '  1200 tokens in, 40 out, $0.50',
    '  Time: 2 min working',
    '',
    'Where it is:',
    '  This page: .tiny/sessions/mail-rules/closing.md',
    '  Logs and journal: .tiny/sessions/mail-rules',
    '',
    'What comes next:',
    '  Read what changed: git diff abcdef01',
    '  Push the branch, or open a pull request, when you are content.',
    '  autopilot shows what else could be worked on.',
  ])
})

it('is Markdown in the session, without sections that have nothing', () => {
  const text = closingMarkdown({ ...closing, commits: [], view: { ...view, findings: [], phases: [] } })
  expect(text).toMatch(/^# Mail rules\n\n- All phases complete\.\n- Total: 3 phases\n\n## Cost\n/)
  expect(text).not.toContain('## Commits')
  expect(text).not.toContain('## Open warnings')
})
