import { writeFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { createStage, play, sessionDir, sessionFile, specPath } from './stage.js'

// DONE and the roadmap (docs/harness.md, "States", "Roadmap row").

const box = [{ name: 'Box' }]

const roadmap = (status: string, spec = specPath) => `---
project: seeds
version: 1
last_synced: 2030-01-01T00:00:00Z
last_manual_edit: 2030-01-01T00:00:00Z
---

# Roadmap

## First

### Something else

- **Status:** planned
- **Spec:** docs/changes/other/proposal.md
- **Summary:** not ours
- **Blockers:** —
- **Plan:** —

### The seeds

- **Status:** ${status}
- **Spec:** ${spec}
- **Summary:** ours
- **Blockers:** —
- **Plan:** —
`

describe('DONE', () => {
  test('handoff, learnings, promotion and summary, before the pull request is offered', async () => {
    const project = await createStage([{ name: 'Box' }, { name: 'List' }])
    await project.write(
      `${sessionDir}/learnings.md`,
      '# Learnings\n\n- **2030-01-01 [skill:harness-execution] [outcome:gotcha]:** folds tear\n- **2030-01-01 [skill:x] [outcome:success]:** fine\n',
    )
    const played = await play(project, { answers: { 'Q-PR': 'no' } })
    expect(JSON.parse(await sessionFile(project, 'handoff.json'))).toMatchObject({
      fromSkill: 'harness-autopilot',
      phase: 'DONE',
      summary: 'Completed 2 phases with 4 total tasks',
      completed: ['Phase 1: Box', 'Phase 2: List'],
      pending: [],
      finalReview: { status: 'passed', findingsCount: 0 },
    })
    const global = await project.read('.harness/learnings.md')
    expect(global).toMatch(/^# Learnings\n/)
    expect(global).toContain(
      '- [skill:harness-autopilot] [outcome:complete] Executed 2 phases, 4 tasks, 0 retries',
    )
    expect(global).toContain('folds tear')
    expect(global).not.toContain('fine')
    expect(await sessionFile(project, 'learnings.md')).toContain('folds tear')
    expect(played.notes).toContainEqual('Promoted 1 learning to global, 1 kept in the session.')
    expect(await sessionFile(project, 'summary.md')).toContain(
      '**Status:** DONE. 2 phases, 4 tasks complete.',
    )
  })

  test('many global learnings: the prune hint', async () => {
    const entries = Array.from(
      { length: 31 },
      (_, at) => `- **2030-01-01 [skill:x] [outcome:gotcha]:** thing ${at}\n`,
    )
    const project = await createStage(box, { '.harness/learnings.md': `# Learnings\n\n${entries.join('')}` })
    const played = await play(project)
    expect(played.notes).toContainEqual(
      expect.stringMatching(/32 entries \(threshold: 30\).*harness learnings prune/),
    )
  })

  test('a pull request: written to a file, opened where gh is installed, only on yes', async () => {
    const without = await createStage(box)
    const told = await play(without, { answers: { 'Q-PR': 'yes' } })
    expect(await sessionFile(without, 'pull-request.md')).toMatch(/^# Seeds\n/)
    expect(told.reports.at(-1)?.at(-1)).toContain('gh is not installed')

    const calls: string[][] = []
    const openPullRequest = async (title: string, bodyFile: string) => {
      calls.push([title, bodyFile])
      return { ok: true, output: 'https://example.invalid/pr/1\n' }
    }
    const withGh = await createStage(box)
    const opened = await play(withGh, { answers: { 'Q-PR': 'yes' }, openPullRequest })
    expect(calls).toEqual([['Seeds', `${sessionDir}/pull-request.md`]])
    expect(opened.reports.at(-1)?.at(-1)).toBe('https://example.invalid/pr/1')
    const refused = await createStage(box)
    await play(refused, { answers: { 'Q-PR': 'no' }, openPullRequest })
    expect(calls).toHaveLength(1)
  })

  test('opened again: the summary, then close or archive; nothing runs by itself', async () => {
    const project = await createStage(box)
    const first = await play(project)
    const closed = await play(project, { askFirst: () => ({ value: 'close' }) })
    expect(closed.gates).toEqual(['Q-DONE'])
    expect(closed.asked[0]?.options.map(({ label }) => label)).toEqual(['close', 'archive and start fresh'])
    expect(closed.asked[0]?.body).toContain('Total: 1 phase, 2 tasks, 0 retries')
    expect(closed.closed?.exitCode).toBe(0)

    // What the first session left uncommitted is there before the second begins.
    const again = await play(project, {
      askFirst: () => ({ value: 'archive' }),
      answers: { 'Q-TOUCHED': 'mine' },
    })
    expect(again.state.currentState).toBe('DONE')
    expect(again.state.history).toHaveLength(1)
    const archived = await readdir(project.path('.harness/archive/sessions'))
    expect(archived).toEqual([expect.stringMatching(/^changes--seeds--proposal-\d{4}-\d\d-\d\d$/)])
    const kept = JSON.parse(
      await project.read(`.harness/archive/sessions/${archived[0]}/autopilot-state.json`),
    )
    expect(kept).toEqual(JSON.parse(JSON.stringify(first.state)))
  })
})

describe('the roadmap', () => {
  test('in-progress after a phase, done at the end, our row only, each shown first', async () => {
    const project = await createStage([{ name: 'Box' }, { name: 'List' }], {
      'docs/roadmap.md': roadmap('planned'),
    })
    const played = await play(project, { answers: { 'Q-ROADMAP': 'apply' } })
    expect(played.gates).toEqual(['Q-ROADMAP', 'Q-NEXT', 'Q-ROADMAP', 'Q-PR'])
    const shown = played.asked.filter(({ gate }) => gate === 'Q-ROADMAP').map(({ body }) => body.join('\n'))
    expect(shown[0]).toContain('+- **Status:** in-progress')
    expect(shown[1]).toContain('+- **Status:** done')
    const text = await project.read('docs/roadmap.md')
    expect(text.replace(/last_synced: .+/, 'last_synced: 2030-01-01T00:00:00Z')).toBe(roadmap('done'))
  })

  test('leave leaves it; the human wins by rank; another spec is silent; a broken file is left alone', async () => {
    const left = await createStage(box, { 'docs/roadmap.md': roadmap('planned') })
    await play(left, { answers: { 'Q-ROADMAP': 'leave' } })
    expect(await left.read('docs/roadmap.md')).toBe(roadmap('planned'))

    const higher = await createStage(box, { 'docs/roadmap.md': roadmap('done') })
    expect((await play(higher)).gates).toEqual(['Q-PR'])

    const other = await createStage(
      '# Not it\n\n## Implementation Order\n\n### Phase 1: Box\n<!-- complexity: low -->\n',
      {
        'docs/roadmap.md': roadmap('planned', 'docs/changes/elsewhere.md'),
      },
    )
    expect((await play(other)).gates).toEqual(['Q-PR'])

    const broken = await createStage(box, { 'docs/roadmap.md': roadmap('sideways') })
    const played = await play(broken)
    expect(played.gates).toEqual(['Q-PR'])
    expect(played.notes).toContainEqual(expect.stringContaining('docs/roadmap.md is left alone'))
    expect(await broken.read('docs/roadmap.md')).toBe(roadmap('sideways'))
  })

  test('a row that a person changed while the question was open is not lost', async () => {
    const project = await createStage(box, { 'docs/roadmap.md': roadmap('planned') })
    let first = true
    await play(project, {
      answers: {
        'Q-ROADMAP': () => {
          if (first) writeFileSync(project.path('docs/roadmap.md'), `${roadmap('planned')}\nmine\n`)
          first = false
          return 'apply'
        },
      },
    })
    const text = await project.read('docs/roadmap.md')
    expect(text.endsWith('\nmine\n')).toBe(true)
    expect(text).toContain('- **Status:** done')
  })

  test('all phases skipped: whether it is done is asked', async () => {
    const project = await createStage(box, { 'docs/roadmap.md': roadmap('in-progress') })
    const played = await play(project, {
      flags: { reviewPlans: true },
      answers: { 'Q-APPROVE': 'skip', 'Q-ROADMAP': 'leave' },
    })
    expect(played.asked.find(({ gate }) => gate === 'Q-ROADMAP')?.title).toContain('Every phase was skipped')
    expect(await project.read('docs/roadmap.md')).toBe(roadmap('in-progress'))
  })

  test('is not asked about where it has no row, though every phase was skipped', async () => {
    const project = await createStage(box)
    const played = await play(project, {
      flags: { reviewPlans: true },
      answers: { 'Q-APPROVE': 'skip', 'Q-ROADMAP': 'leave' },
    })
    expect(played.state.currentState).toBe('DONE')
    expect(played.gates).not.toContain('Q-ROADMAP')
  })
})
