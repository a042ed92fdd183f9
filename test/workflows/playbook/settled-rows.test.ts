import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { PlaybookPhase } from '../../../source/documents/playbook-roadmap.js'
import { hashOfBytes } from '../../../source/workflows/playbook/artifacts.js'
import { decideGate } from '../../../source/workflows/playbook/decisions/gate.js'
import { completeAssessment } from '../../../source/workflows/playbook/integrity/01-complete-assessment.js'
import { verificationTime } from '../../../source/workflows/playbook/integrity/10b-verification-time.js'
import type { CheckFacts } from '../../../source/workflows/playbook/integrity/facts.js'
import { directoriesNamed } from '../../../source/workflows/playbook/phase-directories.js'
import { isSatisfied } from '../../../source/workflows/playbook/phase-facts.js'
import { qResume } from '../../../source/workflows/playbook/questions/resume.js'
import { qSpec } from '../../../source/workflows/playbook/questions/spec.js'
import { qTree } from '../../../source/workflows/playbook/questions/tree.js'
import { settingsOf } from '../../../source/workflows/playbook/settings.js'
import { startupLines } from '../../../source/workflows/playbook/startup-lines.js'
import { playbookCodec } from '../../../source/workflows/playbook/state/codec.js'
import { newState } from '../../../source/workflows/playbook/state/new-state.js'
import { phaseOf, withPhase } from '../../../source/workflows/playbook/state/phases.js'
import type { PlaybookState } from '../../../source/workflows/playbook/state/schema.js'

// The rest of the rows where older descriptions contradict each other (the others: settled.test.ts). One test a row.

const fresh = (): PlaybookState =>
  newState({
    at: '2026-02-09T14:30:52.000Z',
    runId: 'run-2026-02-09-143052',
    spec: { path: 'a.md', hash: 'sha256:00' },
    roadmapPath: '.planning/ROADMAP.md',
    head: null,
    phases: ['1', '2'],
    queue: ['1', '2'],
    carried: {},
    skipped: [],
    flags: {},
    threshold: 9,
    confidence: 6,
  })
const read = (value: unknown) => playbookCodec.read(Buffer.from(JSON.stringify(value)))
const gate = {
  recommendation: 'proceed' as const,
  leastScore: 7,
  failing: false,
  score: 9,
  debugLeft: 1,
  replanLeft: 1,
  needsPerson: false,
}

test('whole scores of the verifier or the judge: read from older files as the rater\u2019s', () => {
  const state = fresh()
  const old = {
    ...state,
    phases: {
      phase_1: { status: 'completed', steps: { verify: { alignment_score: 8 } } },
      phase_2: { status: 'completed', steps: { judge: { alignment: 7 } } },
    },
  }
  const found = read(old)
  if (found.kind !== 'ok') throw new Error(found.kind)
  expect([phaseOf(found.state, '1'), phaseOf(found.state, '2')].map((one) => one.alignment_score)).toEqual([
    8, 7,
  ])
  expect(playbookCodec.write(found.state).toString()).toContain('"alignment_score": 8.0')
})

test('a score below 7 is planned anew; failing checks are debugged', () => {
  expect(decideGate({ ...gate, score: 6.9 }).next).toBe('re-plan')
  expect(decideGate({ ...gate, score: 6.9, failing: true }).next).toBe('debug')
  expect(decideGate({ ...gate, score: 7 }).next).toBe('complete')
})

test('debug attempts that are used up: taken back, and not just stopped', () => {
  expect(decideGate({ ...gate, failing: true, debugLeft: 0 })).toMatchObject({
    next: 'rollback',
    recommendation: 'halt',
  })
})

test('a tree that is not clean is asked about', () => {
  expect(qTree(['a.txt']).options.map(({ label }) => label)).toEqual([
    'commit',
    'put aside',
    'continue',
    'stop',
  ])
})

test('a failed run and a spec that has changed are asked about', () => {
  const { options } = qResume('1', fresh())
  expect(options.map(({ label }) => label)).toEqual(['retry phase', 'skip', 'new run', 'stop'])
  expect(qSpec('a.md', 'sha256:0', 'sha256:1').options.map(({ label }) => label)).toEqual([
    'accept the new hash',
    'stop',
  ])
})

test('a dependency is met by three signs, and a failed one never is', async () => {
  const root = await mkdtemp(join(tmpdir(), 'autopilot-signs-'))
  onTestFinished(() => rm(root, { recursive: true }))
  const dir = '.planning/phases/01-one'
  const put = async (name: string) => {
    await mkdir(join(root, dirname(`${dir}/${name}`)), { recursive: true })
    await writeFile(join(root, dir, name), 'x\n')
  }
  const phase = { id: '1', checkbox: 'open', shipped: false } as PlaybookPhase
  const tools = { root, outline: new Map([['1', phase]]) }
  const isMet = (state: PlaybookState, one = phase) => isSatisfied(tools, state, one)
  expect(await isMet(fresh())).toBe(false)
  expect(await isMet(fresh(), { ...phase, checkbox: 'done' })).toBe(true)
  expect(await isMet(withPhase(fresh(), '1', (record) => ({ ...record, status: 'completed' })))).toBe(true)
  await put('01-01-PLAN.md')
  expect(await isMet(fresh())).toBe(false)
  await put('01-01-SUMMARY.md')
  expect(await isMet(fresh())).toBe(true)
  await rm(join(root, dir, '01-01-SUMMARY.md'))
  await put('EXECUTION-LOG.md')
  expect(await isMet(fresh())).toBe(true)
  const failed = withPhase(fresh(), '1', (record) => ({ ...record, status: 'failed' }))
  expect(await isMet(failed, { ...phase, checkbox: 'done' })).toBe(false)
})

const step = { status: 'completed', agent_spawned: true }
const facts = {
  returned: {
    status: 'completed',
    alignment_score: 9.1,
    automated_checks: { compile: 'n/a', build: 'n/a', lint: 'n/a', test: 'n/a' },
    pipeline_steps: { verify: step, judge: step, rate: step },
  },
  autoTasks: 1,
  commands: { compile: null, lint: null, build: null, test: null },
  isModel: true,
  verificationMinSeconds: 120,
  verificationSeconds: 20,
  verification: { commands_run: [] },
} as unknown as CheckFacts

test('no command to compile is not applicable, and no violation of check 1', () => {
  expect(completeAssessment.check(facts)).toBeUndefined()
  const commands = { ...facts.commands, compile: 'make' }
  expect(completeAssessment.check({ ...facts, commands })?.target).toBe('verify')
})

test('the floor of 120 seconds is a setting, and soft', () => {
  expect(settingsOf('{}')?.verification_min_seconds).toBe(120)
  expect(settingsOf('{"verification_min_seconds": 5}')?.verification_min_seconds).toBe(5)
  expect(verificationTime.act).toBe('respawn-or-accept')
  expect(verificationTime.check({ ...facts, verificationMinSeconds: 0 })).toBeUndefined()
})

test('directories are told by whole ids, and keys are written phase_<id>', () => {
  expect(directoriesNamed(['10-ten', '01-one', '21-x'], '1', ['1', '10', '21'])).toEqual(['01-one'])
  const found = read({ ...fresh(), phases: { 1: {}, 'phase_2.1': {} } })
  if (found.kind !== 'ok') throw new Error(found.kind)
  expect(Object.keys(found.state.phases)).toEqual(['phase_1', 'phase_2.1'])
})

test('hashes are written with their prefix, and shown without', () => {
  const hash = hashOfBytes(Buffer.from(''))
  expect(hash).toBe('sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855')
  const [first] = startupLines({
    queue: ['1'],
    spec: { path: 'a.md', hash },
    model: '',
    project: { type: 'unknown', manifest: null },
    commands: { compile: null, lint: null, build: null, test: null },
  })
  expect(first).toContain('a.md (e3b0c442)')
})
