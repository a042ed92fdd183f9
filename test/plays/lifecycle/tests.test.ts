import { describe, expect, test } from 'vitest'
import type { CommandResult } from '../../../source/processes/commands.js'
import type { TestProject } from '../../support/project.js'
import { type Act, createStage, does, type PlayOptions, play, says, statePath, upTo } from './stage.js'

// Q-TESTS of this workflow (docs/lifecycle.md, "Tests"): what is gone, skipped or red since a step began.

const adopt = () => ({ value: 'adopt' })

const state = (step: number, name: string, more = '') => `# Autopilot State

## Current Step
flow: existing-code
step: ${step}
name: ${name}
status: not_started
retry_count: 0
${more}`

const sums = `import { test } from 'node:test'
test('adds', () => {})
test('subtracts', () => {})
`

const files = {
  ...upTo('existing-code', 'Implement Tests', state(4, 'Implement Tests')),
  'package.json': '{"scripts":{"test":"node --test"}}',
  'test/sums.test.mjs': sums,
}

/** One run after the other; the last one is given from then on. */
function runs(...outputs: { code: number; tests: number; failed?: number }[]) {
  const ran: string[] = []
  const command: PlayOptions['command'] = async (argv) => {
    const {
      code,
      tests,
      failed = 0,
    } = outputs[Math.min(ran.length, outputs.length - 1)] ?? { code: 0, tests: 0 }
    ran.push(argv.join(' '))
    const stdout = `# tests ${tests}\n# pass ${tests - failed}\n# fail ${failed}\n# skipped 0\n`
    return { code, stdout, stderr: '' } as unknown as CommandResult
  }
  return { ran, command }
}

const oneFewer = sums.replace("test('subtracts', () => {})\n", '')
const dropsOne: Act = async (dispatch, project) => {
  await project.write('test/sums.test.mjs', oneFewer)
  return does(dispatch, project)
}

async function step(project: TestProject, options: PlayOptions) {
  return play(project, { askFirst: adopt, ...options })
}

describe('Q-TESTS', () => {
  test('fewer cases and fewer executed: mended counts as a failed run, and the worker is told', async () => {
    const project = await createStage(files)
    const { ran, command } = runs({ code: 0, tests: 2 }, { code: 0, tests: 1 }, { code: 0, tests: 2 })
    const mends: Act = async (dispatch, at) => {
      if (dispatch.nth === 1) return dropsOne(dispatch, at)
      await at.write('test/sums.test.mjs', sums)
      return does(dispatch, at)
    }
    const played = await step(project, {
      command,
      acts: { 'Implement Tests': mends },
      answers: { 'Q-TESTS': 'fix' },
    })
    expect(ran.slice(0, 3)).toEqual(['npm test', 'npm test', 'npm test'])
    const question = played.asked.find(({ gate }) => gate === 'Q-TESTS')
    expect(question?.body).toEqual([
      'test/sums.test.mjs: 1 test case fewer: subtracts',
      '1 test was executed, 2 at the start of the step.',
    ])
    expect(question?.options.find(({ recommended }) => recommended)?.value).toBe('fix')
    expect(played.dispatches[1]?.brief.retry).toMatchObject({
      attempt: 1,
      errors: [expect.stringContaining('1 test case fewer: subtracts')],
    })
    expect(played.record.completed).toMatchObject([{ name: 'Implement Tests' }])
    expect(played.gates.filter((gate) => gate === 'Q-TESTS')).toHaveLength(1)
  })

  test('accepted: a line of Key Decisions for each, and the step is over', async () => {
    const project = await createStage(files)
    const { command } = runs({ code: 0, tests: 2 }, { code: 0, tests: 1 })
    const played = await step(project, {
      command,
      acts: { 'Implement Tests': dropsOne },
      answers: { 'Q-TESTS': 'accept' },
    })
    expect(played.record.decisions.filter((line) => line.includes(' Q-TESTS: '))).toEqual([
      expect.stringContaining('4 Implement Tests accepted: test/sums.test.mjs: 1 test case fewer'),
      expect.stringContaining('4 Implement Tests accepted: 1 test was executed, 2 at the start of the step.'),
    ])
    expect(played.record.completed).toMatchObject([{ name: 'Implement Tests' }])
  })

  test('red where it was green is asked; red before and after is not', async () => {
    const green = await createStage(files)
    const turned = await step(green, {
      command: runs({ code: 0, tests: 2 }, { code: 1, tests: 2, failed: 1 }).command,
      acts: { 'Implement Tests': does },
    })
    expect(turned.asked.find(({ gate }) => gate === 'Q-TESTS')?.body).toEqual([
      'npm test does not pass: 1 of 2 tests fails.',
    ])
    expect(turned.record.completed).toEqual([])
    const red = await createStage(files)
    const stayed = await step(red, {
      command: runs({ code: 1, tests: 2, failed: 1 }).command,
      acts: { 'Implement Tests': does },
    })
    expect(stayed.gates).not.toContain('Q-TESTS')
    expect(stayed.record.completed).toMatchObject([{ name: 'Implement Tests' }])
  })

  test('tests that hang are told at once as that, and not waited for as long as those before might have taken', async () => {
    const limits: (number | undefined)[] = []
    const command: PlayOptions['command'] = async (_, options) => {
      limits.push(options?.timeoutMs)
      const timedOut = limits.length > 1
      const stdout = timedOut ? '' : '# tests 2\n# pass 2\n# fail 0\n# skipped 0\n'
      return { code: timedOut ? null : 0, stdout, stderr: '', timedOut } as unknown as CommandResult
    }
    const project = await createStage(files)
    const played = await step(project, { command, acts: { 'Implement Tests': does } })
    expect(limits).toEqual([600_000, 120_000])
    expect(played.asked.find(({ gate }) => gate === 'Q-TESTS')?.body).toContain(
      'npm test did not end in its time.',
    )
    expect(played.record.completed).toEqual([])
  })

  test('what the tests were is kept over a failed step and its reset', async () => {
    const project = await createStage(files)
    const { ran, command } = runs({ code: 0, tests: 2 }, { code: 0, tests: 1 })
    const fails: Act = async (_, at) => {
      await at.write('test/sums.test.mjs', oneFewer)
      return { status: 'failed', error: 'no' }
    }
    await step(project, { command, acts: { 'Implement Tests': fails } })
    expect(ran).toEqual(['npm test'])
    const again = await play(project, {
      command,
      acts: { 'Implement Tests': dropsOne },
      answers: { 'Q-BLOCKED': 'reset' },
    })
    expect(again.asked.find(({ gate }) => gate === 'Q-TESTS')?.body).toContain(
      '1 test was executed, 2 at the start of the step.',
    )
  })

  test('a step that is about documents runs nothing, but tests that it takes away are asked about', async () => {
    const { 'package.json': manifest, 'test/sums.test.mjs': cases } = files
    const project = await createStage({
      ...upTo('existing-code', 'Test Spec', state(2, 'Test Spec')),
      'package.json': manifest,
      'test/sums.test.mjs': cases,
    })
    const { ran, command } = runs({ code: 0, tests: 2 })
    const played = await step(project, { command, acts: { 'Test Spec': dropsOne } })
    expect(ran).toEqual([])
    expect(played.asked.find(({ gate }) => gate === 'Q-TESTS')?.body).toEqual([
      'test/sums.test.mjs: 1 test case fewer: subtracts',
    ])
  })

  test('a removal that a task of before speaks of is not asked; one that the worker writes itself is', async () => {
    const task = '_docs/02_tasks/todo/T-1_box_test.md'
    const planned = await createStage({
      ...files,
      [task]: '# Sums\n\nRemove a case of test/sums.test.mjs.\n',
    })
    const command = runs({ code: 0, tests: 2 }, { code: 0, tests: 1 }).command
    const quiet = await step(planned, { command, acts: { 'Implement Tests': dropsOne } })
    expect(quiet.gates).not.toContain('Q-TESTS')
    const own = await createStage(files)
    const excuses: Act = async (dispatch, at) => {
      await at.write(task, '# Sums\n\nRemove a case of test/sums.test.mjs.\n')
      return dropsOne(dispatch, at)
    }
    const asked = await step(own, {
      command: runs({ code: 0, tests: 2 }, { code: 0, tests: 1 }).command,
      acts: { 'Implement Tests': excuses },
    })
    expect(asked.gates).toContain('Q-TESTS')
  })

  test('assertions that hold something else are listed at the gate that comes next, once', async () => {
    const held = (value: number) =>
      `import { test } from 'node:test'\nimport { equal } from 'node:assert'\ntest('adds', () => equal(1 + 1, ${value}))\n`
    const project = await createStage({ ...files, 'test/sums.test.mjs': held(2) })
    const bends: Act = async (dispatch, at) => {
      await at.write('test/sums.test.mjs', held(3).replace('1 + 1', '1 + 2'))
      return does(dispatch, at)
    }
    const played = await step(project, {
      command: runs({ code: 0, tests: 2 }).command,
      acts: { 'Implement Tests': bends, 'Run Tests': says({ status: 'complete', outcome: 'they pass' }) },
      answers: { 'Q-CONFIRM': 'confirm' },
    })
    const line =
      'Implement Tests: test/sums.test.mjs: 1 test case is held to something else than before: adds'
    const bodyAt = (gate: string) => played.asked.find((one) => one.gate === gate)?.body ?? []
    expect(played.gates.slice(-2)).toEqual(['Q-CONFIRM', 'Q-OPTIONAL'])
    expect(bodyAt('Q-CONFIRM')).toContain(line)
    expect(bodyAt('Q-OPTIONAL')).not.toContain(line)
  })

  test('at a boundary it is listed, too', async () => {
    const held = (sum: string) =>
      `import { test } from 'node:test'\nimport { equal } from 'node:assert'\ntest('adds', () => equal(${sum}))\n`
    const project = await createStage({
      ...upTo('existing-code', 'Decompose Tests', state(3, 'Decompose Tests')),
      'package.json': '{"scripts":{"test":"node --test"}}',
      'test/sums.test.mjs': held('1 + 1, 2'),
    })
    const bends: Act = async (dispatch, at) => {
      await at.write('test/sums.test.mjs', held('1 + 2, 3'))
      return does(dispatch, at)
    }
    const played = await step(project, { acts: { 'Decompose Tests': bends } })
    const [asked] = played.asked.filter(({ gate }) => gate === 'Q-BOUNDARY')
    expect(asked?.body).toContain(
      'Decompose Tests: test/sums.test.mjs: 1 test case is held to something else than before: adds',
    )
  })

  test('honest work asks nothing: more cases, a project without tests', async () => {
    const adds: Act = async (dispatch, at) => {
      await at.write('test/more.test.mjs', sums)
      return does(dispatch, at)
    }
    const project = await createStage(files)
    const more = await step(project, {
      command: runs({ code: 0, tests: 2 }, { code: 0, tests: 4 }).command,
      acts: { 'Implement Tests': adds },
    })
    expect(more.gates).not.toContain('Q-TESTS')
    const bare = await createStage(upTo('existing-code', 'Implement Tests', state(4, 'Implement Tests')))
    const none = await step(bare, {
      acts: { 'Implement Tests': adds, 'Run Tests': says({ status: 'failed' }) },
    })
    expect(none.gates).not.toContain('Q-TESTS')
    expect(await bare.read(statePath)).toContain('| 4 | Implement Tests |')
  })
})
