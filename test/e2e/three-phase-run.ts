import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect } from 'vitest'
import { readPlan } from '../../source/documents/plan.js'
import { harnessRoles } from '../mock-model/harness-roles.js'
import { phaseWorks, taskCommits } from '../mock-model/harness-spec.js'
import type { RecordedRequest } from '../mock-model/server.js'
import { autopilotCommand } from '../support/terminal.js'
import { type Policy, play } from './journey.js'
import { type ModelProjectOptions, modelProject, slug } from './model-project.js'
import { expectFinishedFiles } from './session-files.js'
import { expectNothingLeft } from './whats-left.js'

// A spec of three phases from the first key to DONE, with any agent that talks to the mock model.

const run = promisify(execFile)

/** What a person presses; every gate that is not here fails the test. */
const policy: Policy = {
  'Q-TRUST': { choose: 'yes' },
  'Q-NEXT': { choose: 'yes' },
  'Q-PR': { choose: 'no' },
}

/** The gates of the run, whoever the agent is. */
export const expectedGates = ['Q-TRUST', 'Q-NEXT', 'Q-NEXT', 'Q-PR']

/** Runs it, checks that git, `.harness/` and the bill agree, and returns the gates in the order they were asked. */
export async function threePhaseRun(
  options: Pick<ModelProjectOptions, 'agent' | 'environment'>,
  timeoutMs = 240_000,
): Promise<string[]> {
  const stage = await modelProject({ ...options, model: harnessRoles(), config: { permissions: 'all' } })
  const { project, mock } = stage
  const terminal = stage.start()
  const gates = await play(terminal, policy, (screen) => screen.includes('── Finished'), timeoutMs)
  expect(terminal.screen()).toContain('Total: 3 phases, 6 tasks, 0 retries')
  await terminal.press('enter')
  expect(await terminal.exit).toEqual({ code: 0, signal: 0 })

  const state = await expectFinishedFiles(project.dir, slug)
  expect(state.currentState).toBe('DONE')
  expect(state.finalReview).toMatchObject({ status: 'passed', findings: [] })
  const reviewed = { blocking: 0, warning: 0, note: 0 }
  expect(state.history).toMatchObject(
    phaseWorks.map((work, phase) => ({
      phase,
      name: work.name,
      tasksCompleted: work.tasks.length,
      retriesUsed: 0,
      verificationPassed: true,
      reviewFindings: reviewed,
    })),
  )

  // Every commit is one of a task that a plan names, in the order of the plans, and nothing else was committed.
  const subjects = (await project.git('log', '--reverse', '--format=%s')).split('\n')
  expect(subjects).toEqual(['First commit', ...taskCommits])
  for (const [index, phase] of state.phases.entries()) {
    const plan = readPlan(await project.read(String(phase.planPath)))
    expect(plan.tasks.map((task) => task.title)).toEqual(phaseWorks[index]?.tasks.map((task) => task.title))
    const before = subjects.slice(0, 1 + 2 * index)
    const start = await project.git('log', '-1', '--format=%s', String(phase.startCommit))
    expect(start).toBe(before.at(-1))
  }
  expect(await project.git('log', '-1', '--format=%s', state.startingCommit)).toBe('First commit')
  expect(await project.git('ls-files', '.harness/sessions')).toBe('')
  await run('node', ['--test'], { cwd: project.dir, env: project.env })

  await expectTheBill(project.dir, project.env, mock.requests)
  await expectNothingLeft(await stage.runIds())
  return gates
}

interface Account {
  session: string
  usage: { inputTokens: number; outputTokens: number }
  phases: { number: number; usage: { inputTokens: number; outputTokens: number } }[]
}

/** `status --json` and what the model was paid for, in total and for each phase. */
async function expectTheBill(
  cwd: string,
  env: Record<string, string>,
  requests: readonly RecordedRequest[],
): Promise<void> {
  const [node = '', ...args] = autopilotCommand
  const { stdout } = await run(node, [...args, 'status', '--json'], { cwd, env })
  const [account] = (JSON.parse(stdout) as { sessions: Account[] }).sessions
  if (!account) throw new Error(`There is no session: ${stdout}`)
  // Errands such as a title for the conversation are no part of the work and no client tells what they cost.
  const bills = requests.flatMap(({ billed, request }) =>
    billed && request && !request.aside ? [{ billed, phase: phaseOf(request.messages) }] : [],
  )
  const sum = (phase?: number) => {
    const those = bills.filter((bill) => phase === undefined || bill.phase === phase)
    return {
      inputTokens: those.reduce((all, { billed }) => all + billed.input, 0),
      outputTokens: those.reduce((all, { billed }) => all + billed.output, 0),
    }
  }
  expect(sum().outputTokens).toBeGreaterThan(0)
  expect(account.usage).toMatchObject(sum())
  expect(account.phases.map((phase) => phase.usage)).toMatchObject([1, 2, 3].map(sum))
}

type Messages = NonNullable<RecordedRequest['request']>['messages']

/** The phase that a conversation is about. The final review names none and is billed with the last one. */
function phaseOf(messages: Messages): number {
  const texts = messages.flatMap((message) =>
    message.parts.flatMap((part) => (part.type === 'text' && message.role === 'user' ? part.text : [])),
  )
  const number = /^- Phase: (\d+) of /m.exec(texts.join('\n'))?.[1]
  return number === undefined ? phaseWorks.length : Number(number)
}
