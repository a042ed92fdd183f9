import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { playbookProject, playbookRoles } from '../mock-model/playbook-roles.js'
import { startMockModel } from '../mock-model/server.js'
import { createProject } from '../support/project.js'
import { openTerminal } from '../support/terminal.js'
import { finished } from './demo-answers.js'
import { play } from './journey.js'

// A phase with all nine roles through the embedded agent, which talks to a model server on this machine.

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
