import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { bundleGarden, gardener } from '../fourth/bundle.js'
import { gardenPlace } from '../fourth/places.js'
import { createProject, type TestProject } from '../support/project.js'
import { openTerminal } from '../support/terminal.js'
import { answer, play, waitForGate } from './journey.js'

// A workflow that lives in the tests alone, through an entry of its own: found, run, quit, resumed, listed.

const run = promisify(execFile)
const agent = `command:${process.execPath} ${gardener}`

async function createGarden(): Promise<{ project: TestProject; program: string[] }> {
  const project = await createProject({
    files: { 'garden.md': '# Garden: Herbs\n', 'docs/readme.md': 'Herbs.\n' },
  })
  const dir = join(project.root, 'program')
  await bundleGarden(dir, { cli: '../fourth/cli.ts' })
  return { project, program: [process.execPath, join(dir, 'cli.js')] }
}

test('the start screen finds it, it runs, is quit at its gate and resumed, and lists show it', async () => {
  const { project, program } = await createGarden()
  const { dir: cwd, env } = project
  const told = async (...argv: string[]) => {
    const [node = '', ...rest] = program
    return run(node, [...rest, ...argv], { cwd, env }).catch(
      (error: { code: number; stdout: string; stderr: string }) => error,
    )
  }
  const sessions = async () => JSON.parse((await told('status', '--json')).stdout).sessions

  const first = openTerminal({ command: [...program, '--agent', agent], cwd, env, cols: 100, rows: 30 })
  await first.waitFor(/new\s+Herbs\s+garden\.md . 2 beds/)
  await first.press('enter')
  await waitForGate(first, 'Q-TRUST')
  await answer(first, { choose: 'yes' })
  const seen = await waitForGate(first, 'Q-WATER')
  expect(seen.title).toBe('Water the beds?')
  expect(first.screen()).toContain('2.1-north: garden-digger in 2.1-north')
  expect(first.screen()).toContain('12A-south: garden-sower in 12A-south')
  expect(await sessions()).toMatchObject([{ session: 'garden', live: true, state: 'WATER' }])
  await first.press('q')
  expect(await first.exit).toEqual({ code: 3, signal: 0 })
  expect(first.everything()).toContain('Go on with: autopilot garden.md')

  expect(await sessions()).toMatchObject([
    {
      session: 'garden',
      workflow: 'garden',
      spec: 'garden.md',
      subject: 'garden.md',
      state: 'WATER',
      live: false,
      finished: false,
      progress: { phasesComplete: 2, phasesTotal: 2 },
      question: { gate: 'Q-WATER', options: [{ value: 'yes' }, { value: 'stop' }] },
      usage: { inputTokens: 6, outputTokens: 4 },
      phases: [
        { id: '2.1-north', status: 'complete', usage: { inputTokens: 3, outputTokens: 2 } },
        { id: '12A-south', status: 'complete', usage: { inputTokens: 3, outputTokens: 2 } },
      ],
      agent,
    },
  ])
  const state = await project.read(gardenPlace.stateFile)
  expect(state).toContain('Question: Q-WATER')
  expect(state).toContain('- [x] 12A-south by garden-sower in 12A-south')

  // Resumed by its path; who did the work before does it again, and was trusted.
  const second = openTerminal({ command: [...program, 'garden.md'], cwd, env })
  const asked = await play(second, { 'Q-WATER': { choose: 'water' } }, (now) => now.includes('── Finished'))
  expect(asked).toEqual(['Q-WATER'])
  await second.press('enter')
  expect(await second.exit).toEqual({ code: 0, signal: 0 })
  expect((await project.read('water.txt')).split('\n')).toHaveLength(2)
  expect(await sessions()).toMatchObject([{ state: 'DONE', finished: true, question: null }])

  expect((await told('inspect', 'garden.md')).stdout.trim()).toBe('Herbs')
  expect((await told('inspect', 'garden.md', '--as', 'spec')).stdout).toContain('Spec, reading:')
  expect((await told('doctor', '--agent', agent)).stdout).toContain('garden-sower')
  const help = (await told('--help')).stdout
  expect(help).toMatch(/--rain +the beds are wet already/)

  // Finished: opened again it only tells so, and what was found goes to the archive of this workflow.
  const third = openTerminal({ command: [...program, 'garden.md'], cwd, env })
  await waitForGate(third, 'Q-DONE')
  expect(third.screen()).toContain('.autopilot/archive')
  await answer(third, { choose: 'archive' })
  await waitForGate(third, 'Q-WATER')
  await third.press('q')
  expect(await third.exit).toEqual({ code: 3, signal: 0 })
})

test('a flag of another workflow is a wrong usage that names its workflow', async () => {
  const { project, program } = await createGarden()
  await project.write('docs/spec.md', '# S\n\n## Implementation Order\n\n### Phase 1: A\n')
  const { dir: cwd, env } = project
  for (const [argv, text] of [
    [['docs/spec.md', '--rain'], '--rain belongs to the garden workflow'],
    [['garden.md', '--review-plans'], '--review-plans belongs to the harness workflow'],
  ] as const) {
    const terminal = openTerminal({ command: [...program, ...argv, '--agent', agent], cwd, env })
    expect(await terminal.exit).toEqual({ code: 2, signal: 0 })
    expect(terminal.everything()).toContain(text)
  }
})
