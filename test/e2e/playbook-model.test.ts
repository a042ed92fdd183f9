import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { playbookProject, playbookRoles } from '../mock-model/playbook-roles.js'
import { startMockModel } from '../mock-model/server.js'
import type { ModelRequest } from '../mock-model/turn.js'
import { here } from '../processes/confine/confined.js'
import { createProject } from '../support/project.js'
import { openTerminal } from '../support/terminal.js'
import { finished } from './demo-answers.js'
import { play } from './journey.js'

// A phase with all nine roles through the embedded agent, which talks to a model server on this machine.

/** Words of what each role says, as they stand in its report or its result. */
const saidBy = {
  executor: /\*\*Mini-Verification\*\*|tasks_completed\W+1/,
  verifier: /# Verification: phase|autonomous_confidence\W+9/,
  judge: /# Judge report|Nobody is greeted/,
  rater: /# Scorecard|aggregate_justification\W+the mean/,
}

const mayHear: Record<string, (keyof typeof saidBy)[]> = {
  'mini-verifier': [],
  verifier: [],
  judge: ['judge'],
  'judge, second turn': ['judge', 'verifier'],
  rater: [],
}

/** Every role that judges looked into the papers of the others, and found what it may know and nothing else. */
function expectBlindness(requests: readonly { request?: ModelRequest }[]): void {
  const found = new Map<string, string>()
  for (const { request } of requests)
    for (const part of request?.messages.flatMap(({ parts }) => parts) ?? []) {
      const text = part.type === 'result' ? part.text : ''
      const role = /peek of ([^\n]+)\n/.exec(text)?.[1]
      if (role !== undefined) found.set(role, text)
    }
  expect([...found.keys()].sort()).toEqual(Object.keys(mayHear).sort())
  for (const [role, text] of found)
    for (const [other, words] of Object.entries(saidBy))
      if (!mayHear[role]?.includes(other as keyof typeof saidBy))
        expect(words.exec(text)?.[0], `${role} hears ${other}`).toBeUndefined()
  expect(found.get('judge, second turn')).toMatch(saidBy.verifier)
}

const roles = [
  'mini-verifier',
  'phase-debugger',
  'phase-executor',
  'phase-judge',
  'phase-planner',
  'phase-rater',
  'phase-researcher',
  'phase-verifier',
  'plan-checker',
]

test('a phase goes through all nine roles to completed, and what was billed is in metrics.json', async () => {
  const mock = await startMockModel()
  onTestFinished(() => mock.close())
  const project = await createProject({ files: playbookProject })
  const own = { ANTHROPIC_BASE_URL: mock.play(playbookRoles), ANTHROPIC_API_KEY: 'dummy' }
  const configPath = join(project.home, '.config', 'autopilot', 'config.json')
  await mkdir(dirname(configPath), { recursive: true })
  await writeFile(configPath, JSON.stringify({ environment: Object.keys(own), permissions: 'all' }))
  const terminal = openTerminal({
    argv: ['.planning', 'all', '--agent', 'embedded'],
    cwd: project.dir,
    env: { ...project.env, ...own },
    cols: 100,
    rows: 40,
  })
  expect(await play(terminal, { 'Q-TRUST': { choose: 'yes' } }, finished, 240_000)).toEqual(['Q-TRUST'])
  await terminal.press('enter')
  expect(await terminal.exit).toEqual({ code: 0, signal: 0 })

  const played = mock.requests.flatMap(({ request }) =>
    (request?.messages ?? []).flatMap(({ role, parts }) =>
      role !== 'user'
        ? []
        : parts.flatMap((part) =>
            part.type === 'text'
              ? (/^You are ((?:phase|plan|mini)-[a-z]+)\./m.exec(part.text)?.[1] ?? [])
              : [],
          ),
    ),
  )
  expect([...new Set(played)].sort()).toEqual(roles)
  if (here.works) expectBlindness(mock.requests)
  const { inputTokens, outputTokens } = mock.billed()
  expect(outputTokens).toBeGreaterThan(0)
  const metrics: unknown = JSON.parse(await project.read('.autopilot/archive/metrics.json'))
  expect(metrics).toMatchObject([
    { phases_attempted: 1, phases_succeeded: 1, total_tokens_used: inputTokens + outputTokens },
  ])
  expect((await project.git('log', '--reverse', '--format=%s')).split('\n')).toEqual([
    'First commit',
    'feat(1): 01-01 - greet by name',
    'fix(1): debug 1 - the right mark',
    'docs(phase-1): artifacts',
  ])
})
