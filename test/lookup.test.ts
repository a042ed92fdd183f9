import { expect, it } from 'vitest'
import { describeTool } from '../source/agents/backends/claude-tools.js'
import { classifyCodexError } from '../source/agents/backends/codex-errors.js'
import { toolOfItem } from '../source/agents/backends/codex-items.js'
import { zoneNamed } from '../source/agents/zone.js'
import { readLifecycleState } from '../source/documents/lifecycle-state.js'
import { lookup } from '../source/lookup.js'
import { migrate } from '../source/workflows/harness/state/migrate.js'
import { onlyBuiltIn } from '../source/workflows/lifecycle/flow/flow.js'
import { compare } from '../source/workflows/lifecycle/scan/drift.js'
import { nameOfState } from '../source/workflows/lifecycle/state/state.js'
import { summaryLines } from '../source/workflows/lifecycle/summary.js'
import { refusalOf } from '../source/workflows/playbook/criteria/refusal.js'
import { programWords } from '../source/workflows/playbook/criteria/shell-commands.js'
import { writtenBy } from '../source/workflows/playbook/criteria/written-files.js'
import { isMapped, repoMapOf } from '../source/workflows/playbook/repo-map.js'

// Words of others that every object of the language knows: they are words like any other.
const words = ['constructor', 'toString', 'valueOf', 'hasOwnProperty', '__proto__']

it.each(words)('%s is in no table that does not have it', (word) => {
  expect(lookup({ a: 1 })[word]).toBeUndefined()
  expect(lookup({ a: 1 }).a).toBe(1)
})

it.each(words)('a lifecycle state of the flow %s is one of a flow that there is not', (flow) => {
  const text = `# Autopilot State\n\n## Current Step\nflow: ${flow}\nstep: 3\nname: Plan\nstatus: in_progress\n`
  const record = readLifecycleState(text)
  const listing = { docs: [], texts: new Map(), sources: [], docsKind: 'folder' as const }
  expect(compare(onlyBuiltIn, record, listing)).toMatchObject({ file: undefined, drift: undefined })
  expect(nameOfState({ text }, onlyBuiltIn)).toBe('POSITION')
  expect(summaryLines({ text }, onlyBuiltIn, 'x').join('\n')).toContain('Next: ask where to go on')
})

it('a line of a session that is called so is no part of it', () => {
  const { lastSession } = readLifecycleState(
    '# Autopilot State\n\n## Last Session\nconstructor: x\ndate: y\n',
  )
  expect(lastSession).toEqual({ date: 'y' })
})

it('a phase of a harness session with such a status is pending, as with any other word', () => {
  const phases = [
    { name: 'A', complexity: 'low', complexityOverride: null, planPath: null, status: 'constructor' },
  ]
  const read = migrate(
    {
      schemaVersion: 5,
      specPath: 'a.md',
      startingCommit: 'a',
      currentState: 'PLAN',
      currentPhase: 0,
      phases,
    },
    { sessionDir: 's', head: null },
  )
  expect(read.state.phases[0]?.status).toBe('pending')
  expect(read.warnings).toContain('Phase 1: status was "constructor"; "pending" is used.')
  expect(read.changes.join('\n')).not.toContain('native code')
})

it.each(words)('a command %s is a program that nothing is known of', (word) => {
  expect(programWords([word, 'x'])).toEqual([word, 'x'])
  expect(writtenBy([word, 'x'])).toEqual([])
  const place = { root: '/work/app', home: '/home/ada' }
  expect(refusalOf(`${word} install x`, place)).toBeUndefined()
})

it('a file with such a name is of no language', () => {
  expect(isMapped('src/constructor')).toBe(false)
  const map = repoMapOf([{ path: 'constructor', hash: 'h', text: 'x' }], { at: 'now', head: null })
  expect(map.files).toEqual({})
})

it('what a backend calls so is nothing that is known', () => {
  expect(describeTool('constructor', {}, '/work').kind).toBe('other')
  expect(toolOfItem({ id: '1', type: 'x', status: 'constructor' }, { cwd: '/', over: false })).toBeUndefined()
  expect(classifyCodexError('constructor', 'no reason')).toMatchObject({ error: expect.any(String) })
  expect(zoneNamed('constructor')).toBeUndefined()
})
