import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type InspectOptions, inspect as inspectFile } from '../../source/commands/inspect.js'
import { registry } from '../../source/workflows/registry.js'

const inspect = (file: string | undefined, options: InspectOptions) => inspectFile(registry, file, options)

let root: string

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'autopilot-inspect-'))
})
afterEach(() => rm(root, { recursive: true, force: true }))

async function put(path: string, text: string): Promise<string> {
  const file = join(root, path)
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, text)
  return file
}

async function json(path: string, text: string) {
  const { exitCode, output } = await inspect(await put(path, text), { json: true })
  expect(exitCode).toBe(0)
  return JSON.parse(output)
}

const spec =
  '# T\n\n## Implementation Order\n\n### Phase 0: A <!-- complexity: high -->\n\n### Graph\n\n### Phase 1: B\n'
const state = {
  specPath: 'docs/changes/mail-rules/proposal.md',
  currentState: 'EXECUTE',
  currentPhase: 0,
  phases: [{ name: 'A', status: 'in_progress' }],
  sessionSlug: 'x',
}
const roadmap =
  '---\nproject: p\nversion: 1\nlast_synced: a\nlast_manual_edit: b\n---\n# Roadmap\n\n## MVP\n\n### F\n\n- **Status:** planned\n- **Spec:** docs/a.md\n'

describe('inspect --json', () => {
  it('a roadmap of phases that are not read as any, or that has none yet', async () => {
    const bare = await json('.planning/ROADMAP.md', '# Roadmap\n\n## Next\n\nNothing yet.\n')
    expect(bare).toMatchObject({ kind: 'playbook-roadmap', phases: [], order: [] })
    expect(bare.warnings).toEqual([expect.stringContaining('No phases were found')])
    const other = await json('ROADMAP.md', '# Roadmap\n\n### Phase IV\n\n### Phase Five: B\n')
    expect(other).toMatchObject({ kind: 'playbook-roadmap', phases: [] })
    expect(other.warnings.map((warning: string) => warning.slice(0, 30))).toEqual([
      'No phases were found ("### Pha',
      'Line 3 looks like a phase and ',
      'Line 5 looks like a phase and ',
    ])
  })

  it('phases with fields or boxes are a roadmap whatever the file is called; with an Implementation Order a spec', async () => {
    const phases = '### Phase 1: A\n**Goal**: it runs\n\n### Phase 2: B\n**Depends on**: Phase 1\n'
    expect((await json('plans-of-ours.md', `# Shop\n\n${phases}`)).kind).toBe('playbook-roadmap')
    expect((await json('list.md', '- [x] **Phase 1: A** - a\n- [ ] Phase 2: B\n')).kind).toBe(
      'playbook-roadmap',
    )
    expect((await json('a.md', `# Shop\n\n## Implementation Order\n\n${phases}`)).kind).toBe('spec')
    expect((await json('b.md', '# Shop\n\n### Phase 1: A\n\ntext\n')).kind).toBe('spec')
  })

  it('spec', async () => {
    expect(await json('docs/changes/x/proposal.md', spec)).toEqual({
      kind: 'spec',
      reading: 'literal',
      section: { title: 'Implementation Order', line: 3 },
      phases: [
        { id: '0', number: 1, name: 'A', complexity: 'high', line: 5, endLine: 6, label: '0', on: true },
        { id: '1', number: 2, name: 'B', complexity: 'medium', line: 9, endLine: 9, label: '1', on: true },
      ],
      unused: [{ line: 7, text: '### Graph' }],
      warnings: ['The labels start at 0; autopilot counts phases from 1 in file order.'],
      unread: [],
      inComments: [],
      asks: false,
      askReasons: [],
    })
  })

  it('a text without phases is a spec that is read as none', async () => {
    expect(await json('notes.md', 'hello\n')).toMatchObject({
      kind: 'spec',
      reading: 'none',
      section: null,
      phases: [],
    })
  })

  it('plan', async () => {
    const plan =
      '# Plan: P\n\n**Tasks:** 2\n\n### Task 1: A\n\n**Depends on:** none\n\n### Task 2: B [checkpoint:decision]\n'
    expect(await json('any.md', plan)).toEqual({
      kind: 'plan',
      taskCount: 2,
      checkpointCount: 1,
      rawCheckpointMarkers: 1,
      declaredTasks: 2,
      tasks: [
        { id: '1', title: 'A', line: 5 },
        { id: '2', title: 'B', line: 9, checkpoint: 'decision' },
      ],
      warnings: [],
      asks: [],
      unread: [],
      duplicates: [],
      inComments: [],
    })
  })

  it('state, as it would be used', async () => {
    const read = await json(
      '.harness/sessions/changes--mail-rules--proposal/autopilot-state.json',
      JSON.stringify(state),
    )
    expect(Object.keys(read)).toEqual([
      'kind',
      'schemaVersion',
      'migratedFrom',
      'normalised',
      'changes',
      'unknownKeys',
      'warnings',
    ])
    expect(read).toMatchObject({
      kind: 'state',
      schemaVersion: 1,
      migratedFrom: 1,
      normalised: {
        schemaVersion: 5,
        sessionDir: '.harness/sessions/changes--mail-rules--proposal',
        phases: [{ status: 'in-progress', complexity: 'medium' }],
        sessionSlug: 'x',
      },
      unknownKeys: ['sessionSlug'],
    })
    expect(read.warnings.join()).toMatch(/startingCommit is not known/)
  })

  it('state of version 1, in the single file of that version', async () => {
    const read = await json('.harness/autopilot-state.json', JSON.stringify(state))
    expect(read.normalised.sessionDir).toBe('.harness/sessions/changes--mail-rules--proposal')
  })

  it('handoff', async () => {
    const handoff = { timestamp: 't', fromSkill: 's', phase: 'p', summary: 'u' }
    expect(await json('handoff.json', JSON.stringify(handoff))).toEqual({
      kind: 'handoff',
      normalised: {
        ...handoff,
        completed: [],
        pending: [],
        concerns: [],
        decisions: [],
        blockers: [],
        contextKeywords: [],
      },
      strict: true,
      warnings: [],
    })
    expect(await json('handoff.json', '{"fromSkill":"s"}')).toMatchObject({ strict: false })
  })

  it('roadmap', async () => {
    expect(await json('docs/roadmap.md', roadmap)).toEqual({
      kind: 'roadmap',
      milestones: ['MVP'],
      features: [{ name: 'F', status: 'planned', spec: 'docs/a.md', line: 11 }],
      warnings: [],
    })
  })

  it.each([
    ['docs/plans/x.md', 'hello', 'plan'],
    ['x.md', '### Task 1: A\n', 'plan'],
    ['x.md', `${spec}\n### Task 1: A\n`, 'spec'],
    ['x.md', roadmap, 'roadmap'],
    ['x.json', JSON.stringify(state), 'state'],
    ['x.json', '{"fromSkill":"s"}', 'handoff'],
    ['autopilot-state.v2.bak.json', JSON.stringify(state), 'state'],
    ['x.md', '```\n### Task 1: A\n```\n', 'spec'],
  ])('%s is recognised by name and content', async (path, text, kind) => {
    expect(await json(path, text)).toMatchObject({ kind })
  })

  it('prints no character that a terminal obeys, and keeps the value', async () => {
    const { output } = await inspect(
      await put('x.md', '## Implementation Order\n### Phase 1: A\u001b[2J\u009b1m\u202e\n'),
      { json: true },
    )
    expect(output).not.toMatch(/[\u001b\u009b\u202e]/)
    expect(JSON.parse(output).phases[0].name).toBe('A\u001b[2J\u009b1m\u202e')
  })
})

describe('inspect for people', () => {
  it.each([
    [
      'x.md',
      spec,
      [
        'Spec, reading: literal ("Implementation Order", line 3)',
        'line 5',
        '[0] A (high)',
        '### Graph',
        'start at 0',
      ],
    ],
    [
      'x.md',
      '# Plan: P\n\n### Task 1: A [checkpoint]\n',
      ['Plan: 1 task, 1 checkpoint (1 marker)', 'Task 1: A [human-verify]'],
    ],
    [
      'autopilot-state.json',
      JSON.stringify(state),
      ['State file, version 1, read as version 5', 'A (medium): in-progress', 'sessionSlug'],
    ],
    [
      'handoff.json',
      '{"fromSkill":"s","summary":"did","pendingTasks":["Task 2"]}',
      ['Handoff from s, not strict', 'Task 2'],
    ],
    ['roadmap.md', roadmap, ['Roadmap: 1 milestone, 1 feature', 'F: planned, docs/a.md']],
  ])('%s', async (path, text, parts) => {
    const { exitCode, output } = await inspect(await put(path, text), { json: false })
    expect(exitCode).toBe(0)
    for (const part of parts) expect(output).toContain(part)
  })
})

describe('what cannot be inspected', () => {
  async function refused(file: string | undefined, exitCode: number, pattern: RegExp) {
    for (const asJson of [true, false]) {
      const result = await inspect(file, { json: asJson })
      expect(result.exitCode).toBe(exitCode)
      expect(result.output).toMatch(pattern)
      expect(result.output.split('\n')).toHaveLength(3)
    }
  }

  it('is said in three parts', async () => {
    await refused(undefined, 2, /No file was named/)
    await refused(join(root, 'missing.md'), 1, /no such file/)
    await refused(root, 1, /not a file/)
    await refused(await put('autopilot-state.json', '{"phases": ['), 1, /not JSON/)
    await refused(await put('autopilot-state.json', '[]'), 1, /not a JSON object/)
    await refused(await put('handoff.json', '3'), 1, /not a JSON object/)
    await refused(await put('package.json', '{"name":"x"}'), 1, /of no kind that a workflow reads/)
    await refused(await put('roadmap.md', '# Roadmap\n'), 1, /no front matter/)
    await refused(await put('image.md', 'a\u0000b'), 1, /not a text file/)
  })
})

it('changes nothing and starts neither ink nor react', async () => {
  const file = await put('.harness/autopilot-state.json', JSON.stringify(state))
  await inspect(file, { json: true })
  expect(await readFile(file, 'utf8')).toBe(JSON.stringify(state))
  expect(await readdir(dirname(file))).toEqual(['autopilot-state.json'])
  const sources = await Promise.all(
    ['inspect', 'command-output'].map((name) =>
      readFile(new URL(`../../source/commands/${name}.ts`, import.meta.url), 'utf8'),
    ),
  )
  expect(sources.join('\n')).not.toMatch(/from '(?:ink|react|simple-git|node:child_process)'|\/ui\//)
})
