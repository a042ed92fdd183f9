import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import {
  beginningOf,
  type Closing,
  closingLines,
  closingMarkdown,
} from '../../source/sessions/closing-page.js'
import { closingPage, folderFrom } from '../../source/sessions/pages-of-run.js'
import { temporaryDirectory } from '../agents/agent-kit.js'
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
      // The final review tells it again.
      { severity: 'warning', tone: 'warn', file: 'src/a.ts', line: '3', title: 'No limit' },
    ],
  },
  usage: { inputTokens: 1200, outputTokens: 40, usd: 0.5 },
  times: '2 min working',
  since: 'abcdef0123456789',
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
    'Overridden and accepted:',
    '  blocking  src/rules.ts:120-133  Rules of other users can be read (overridden)',
    '  overridden review: The service has one user only, and the query gets its owner in phase 3.',
    '',
    'Skipped:',
    '  4 Clean-up',
    '',
    'Commits:',
    '  abcdef01  feat: rules',
    '',
    'Cost:',
    '  1.2k tokens in, 40 out, $0.50',
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

it('of a run without a beginning of its own has the commits of this sitting, and no diff without any', async () => {
  const root = temporaryDirectory()
  await mkdir(join(root, '.tiny'))
  const session = {
    root,
    workflow: { doneReport: () => ['10 steps are on record.'] },
    place: { sessionDir: '.tiny', slug: 'tiny' },
    store: { digest: { times: { workMs: 0, waitingMs: 0, awayMs: 0 } } },
  } as unknown as Parameters<typeof closingPage>[0]
  const { documents: _, ...endless } = view
  const snapshot = { reports: [], view: endless, usage: { inputTokens: 0, outputTokens: 0 } }
  const live = { getSnapshot: () => snapshot } as unknown as Parameters<typeof closingPage>[1]
  const page = (subjects: string[]) =>
    closingPage(
      session,
      live,
      {},
      {
        opened: '0123456789abcdef',
        git: {
          log: async (since: string) => subjects.map((subject) => ({ sha: `${since}${subject}`, subject })),
        } as never,
      },
    )
  const told = await page(['second', 'first'])
  expect(told.slice(told.indexOf('Commits:') + 1).slice(0, 2)).toEqual([
    '  01234567  first',
    '  01234567  second',
  ])
  expect(told).toContain('  Read what changed: git diff 01234567')
  expect((await page([])).join('\n')).not.toMatch(/Commits:|git diff/)
})

it('says where the project is to whoever has started somewhere else', () => {
  expect(closingLines(closing).join('\n')).not.toMatch(/The project:|cd /)
  const told = closingLines({ ...closing, folder: "a demo's" })
  expect(told).toContain("  The project: a demo's")
  expect(told).toContain("  Go there first: cd 'a demo'\\''s'")
  expect(folderFrom('/home/me', '/home/me/demo')).toBe('demo')
  expect(folderFrom('/home/me/other', '/home/me/demo')).toBe('../demo')
  for (const inside of ['/home/me/demo', '/home/me/demo/src', '/home/me/demo/..src'])
    expect(folderFrom(inside, '/home/me/demo')).toBeUndefined()
})

it('compares with the beginning of the session, whichever changes are shown first', () => {
  const part = { id: 'part', kind: 'diff', title: 'of the last phase', since: 'b'.repeat(40) } as const
  const all = { id: 'all', kind: 'diff', title: 'all', since: 'a'.repeat(40), whole: true } as const
  expect(beginningOf({ ...view, documents: [all, part] })).toBe(all.since)
  expect(beginningOf({ ...view, documents: [part, all] })).toBe(all.since)
  expect(beginningOf({ ...view, documents: [part] })).toBe(part.since)
})

it('says that no tokens were told instead of none', () => {
  const silent = { ...closing, usage: { inputTokens: 0, outputTokens: 0 } }
  expect(closingLines(silent)).toContain('  the agents told no tokens')
})

it('is Markdown in the session, without sections that have nothing', () => {
  const text = closingMarkdown({
    ...closing,
    commits: [],
    view: { ...view, findings: [], phases: [], decisions: [] },
  })
  expect(text).toMatch(/^# Mail rules\n\n- All phases complete\.\n- Total: 3 phases\n\n## Cost\n/)
  expect(text).not.toContain('## Commits')
  expect(text).not.toContain('## Open warnings')
})
