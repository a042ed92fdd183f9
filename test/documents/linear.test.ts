import { describe, expect, it } from 'vitest'
import { lineDiff } from '../../source/documents/diff.js'
import { appendFailure } from '../../source/documents/failures.js'
import { readHandoff } from '../../source/documents/handoff.js'
import { kebab, planNameMatches } from '../../source/documents/kebab.js'
import { learningEntries, promotable } from '../../source/documents/learnings.js'
import { scanMarkdown } from '../../source/documents/markdown-scanner.js'
import { readPlan } from '../../source/documents/plan.js'
import { readReview } from '../../source/documents/review.js'
import { readRoadmap } from '../../source/documents/roadmap.js'
import { upsertSession } from '../../source/documents/session-index.js'
import { readSpec, readSpecAt } from '../../source/documents/spec.js'
import { writeSummary } from '../../source/documents/summary.js'
import { readTaskState } from '../../source/documents/task-state.js'
import { characters, filled, plainWalk, seconds, whole } from './linear-kit.js'

// No text can freeze the program: every reader takes time that grows with the length of a text only. Time is processor
// time of this process, measured against a plain walk over the same text, so that a slow machine is slow on both sides.

const small = 20_000
const times = 8
const front = '---\nproject: a\nversion: 1\nlast_synced: a\nlast_manual_edit: a\n---\n'
const section = '## Implementation Order\n\n'

const readers: Record<string, (text: string) => unknown> = {
  scanMarkdown,
  readSpec,
  'readSpec in its section': (text) => readSpec(section + text),
  'readSpec in a phase': (text) => readSpec(`${section}### Phase 1: ${text}`),
  'readSpec in bold': (text) => readSpec(`${section}**Phase 1 — ${text}`),
  'readSpec in a table': (text) => readSpec(`${section}|#|n|\n|-|-|\n|1|${text}`),
  'readSpec in a list': (text) => readSpec(`${section}1. ${text}`),
  'readSpec in a comment': (text) => readSpec(`${section}### Phase 1: a\n<!--${text}`),
  readSpecAt: (text) => readSpecAt(`# a\n${text}`, 1),
  readPlan,
  'readPlan in a task': (text) => readPlan(`### Task 1: ${text}`),
  'readPlan in a label': (text) => readPlan(`### Task 1 ${text}`),
  'readPlan in fields': (text) =>
    readPlan(`**Tasks:**${text}\n### Task 1: a\n**Files:** ${text}\n**Depends on:** ${text}`),
  readRoadmap,
  'readRoadmap in front matter': (text) => readRoadmap(`---\n${text}\n---\n`),
  'readRoadmap in a row': (text) =>
    readRoadmap(`${front}## a\n### b\n- **Status:** planned\n- **Spec:** ${text}`),
  'readRoadmap in a field': (text) => readRoadmap(`${front}## a\n### b\n- **${text}`),
  learningEntries,
  'promotable in an entry': (text) =>
    promotable(`- **2030-01-01 [outcome:gotcha] ${text}`, `- **2030-01-01 ${text}`),
  'readReview in a place': (text) =>
    readReview(JSON.stringify([{ severity: text, title: text, file: text, line: text }])),
  'readHandoff in its fields': (text) =>
    readHandoff(JSON.stringify({ timestamp: text, fromSkill: text, summary: text, artifacts: [text] }), ''),
  'readTaskState in its keys': (text) => readTaskState(JSON.stringify({ progress: { [text]: text } })),
  kebab,
  'planNameMatches in a name': (text) => planNameMatches(text, text, 1),
  appendFailure: (text) =>
    appendFailure(text, { date: '2030-01-01', skill: 's', type: 'blocked', task: text, attempts: [text] }),
  upsertSession: (text) => upsertSession(text, 's', text),
  writeSummary: (text) =>
    writeSummary({
      session: 's',
      lastActive: 't',
      skill: 'k',
      status: text,
      keyContext: text,
      nextStep: text,
    }),
  lineDiff: (text) => lineDiff(text, `${text}x`),
}

const pairs = [
  '# ',
  '#\n',
  '- ',
  '-\n',
  '1.',
  '1. ',
  '**',
  '* ',
  '> ',
  '>\n',
  '|-',
  '|\n',
  '[(',
  '[]',
  '](',
  '![',
  '<a',
  '<!',
  '``\n',
  '`\n',
  '~\n',
  ': ',
  ' :',
  '\n ',
  ' \n',
  '\t\n',
  '\r\n',
  '- [',
  '=\n',
  'a\n',
  'a ',
  ' a',
  '1 ',
  '1,',
  ', ',
  '( ',
  ' )',
  '()',
  '::',
].map((pair) => pair)
const lines = [
  '```\n',
  '```js\n',
  '~~~\n```\n',
  '<!--\n',
  '<!-- -->\n',
  '-->\n',
  '<details>\n',
  '<details>\n</details>\n',
  '- - - -\n',
  '> > >\n',
  '# a\n',
  '### Phase 1: a\n',
  '#### Phase 1: a\n',
  '**Phase 1 — a**\n\n',
  '1. **Phase 1 — a**\n',
  '## Implementation Order\n',
  '### implementation order\n',
  '## Implementation Order\n1. a\n\n',
  '|1|a|\n',
  '|a|\n|-|\n',
  '### Task 1: a\n',
  '### Task A: a\n',
  '**Task 2: a**\n',
  '[checkpoint] ',
  '[checkpoint: ',
  '[checkpoint]\n',
  'after Task 1, ',
  'Task 1 and ',
  '- **2030-01-01 a\n',
  '## 2030-01-01\n',
  '### a\n- **Status:** planned\n',
  'a/plans/a',
  'plans/a.md ',
  '(done',
  'Phase 1: ',
  '<!-- complexity: ',
  'phase-1',
  'a:1',
  '- **a:** ',
  '--',
  '… ',
]

describe.each(Object.entries(readers))('%s', (_, read) => {
  it('takes time that grows with the length of any text only', { timeout: 300_000 }, () => {
    const plain = Math.max(
      0.01,
      seconds(() => plainWalk(filled('a\n', whole))),
    )
    const slow = [...characters, ...pairs, ...lines].flatMap((unit) => {
      const used = seconds(() => read(filled(unit, small)))
      if (used < 2 * plain) return []
      // Eight times the text: eight times as long where it is linear, sixty-four times where it is not.
      const ratio = seconds(() => read(filled(unit, small * times))) / used
      return ratio > 3 * times ? [`${JSON.stringify(unit)}: ${ratio.toFixed(0)} times as long`] : []
    })
    expect(slow).toEqual([])
  })
})
