import { execFile } from 'node:child_process'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { promisify } from 'node:util'
import { expect, it, onTestFinished } from 'vitest'
import { lastJsonBlock } from '../../source/agents/result.js'
import { readPlan } from '../../source/documents/plan.js'
import { readSpec } from '../../source/documents/spec.js'
import { codeReviewerPrompt } from '../../source/workflows/harness/personas/code-reviewer.js'
import { plannerPrompt } from '../../source/workflows/harness/personas/planner.js'
import { taskExecutorPrompt } from '../../source/workflows/harness/personas/task-executor.js'
import { verifierPrompt } from '../../source/workflows/harness/personas/verifier.js'
import {
  executionResultSchema,
  planResultSchema,
  reviewResultSchema,
  verificationResultSchema,
} from '../../source/workflows/harness/results.js'
import { createProject, type TestProject } from '../support/project.js'
import { type HarnessRoles, harnessRoles } from './harness-roles.js'
import { harnessProject, harnessSpec, harnessSpecPath, phaseWorks } from './harness-spec.js'
import { startMockModel } from './server.js'

const run = promisify(execFile)

const tools = [
  { name: 'bash', input_schema: { properties: { command: {} } } },
  { name: 'write', input_schema: { properties: { file_path: {}, content: {} } } },
  { name: 'read', input_schema: { properties: { file_path: {} } } },
]

interface Block {
  type: string
  text?: string
  id?: string
  name?: string
  input?: Record<string, string>
}

/** The smallest agent there is: asks the model, does what it wants, until it wants nothing more. */
async function converse(project: TestProject, base: string, prompt: string, offered = tools) {
  const messages: unknown[] = [{ role: 'user', content: prompt }]
  for (;;) {
    const response = await fetch(`${base}/v1/messages`, {
      method: 'POST',
      body: JSON.stringify({ model: 'm', messages, tools: offered }),
    })
    const { content } = (await response.json()) as { content: Block[] }
    const call = content.find((block) => block.type === 'tool_use')
    if (!call) return lastJsonBlock(content.map((block) => block.text ?? '').join('\n'))
    const said = await use(project, call).catch((error: Error) => error)
    const result = { type: 'tool_result', tool_use_id: call.id, is_error: said instanceof Error }
    messages.push({ role: 'assistant', content })
    messages.push({ role: 'user', content: [{ ...result, content: String(said) }] })
  }
}

async function use(project: TestProject, { name, input = {} }: Block): Promise<string> {
  if (name === 'read') return readFile(input.file_path ?? '', 'utf8')
  if (name === 'bash') {
    const options = { cwd: project.dir, env: project.env }
    return (await run('bash', ['-c', input.command ?? ''], options)).stdout
  }
  await mkdir(dirname(input.file_path ?? ''), { recursive: true })
  await writeFile(input.file_path ?? '', input.content ?? '')
  return 'written'
}

async function stage(options: HarnessRoles = {}) {
  const mock = await startMockModel()
  onTestFinished(() => mock.close())
  const project = await createProject({ files: harnessProject })
  const fields = {
    projectDir: project.dir,
    sessionDir: '.harness/sessions/polite',
    slug: 'polite',
    specPath: harnessSpecPath,
    rigor: 'standard' as const,
  }
  return { mock, project, fields, base: mock.play(harnessRoles(options)) }
}

const planPath = 'docs/plans/2026-01-01-greeting-plan.md'
const statePath = '.harness/sessions/polite/state.json'

it('is a spec of three low phases', () => {
  const { phases } = readSpec(harnessSpec)
  expect(phases.map((phase) => [phase.name, phase.complexity])).toEqual(
    phaseWorks.map((work) => [work.name, 'low']),
  )
})

it('plans, builds, verifies and reviews every phase in real files and commits', async () => {
  const { project, fields, base } = await stage()
  for (const [index, work] of phaseWorks.entries()) {
    const here = {
      ...fields,
      phase: { number: index + 1, label: String(index + 1), name: work.name, total: 3 },
    }
    const planner = plannerPrompt({ ...here, phaseDescription: '', phases: [], planPath, date: '2026-01-01' })
    const plan = planResultSchema.parse(await converse(project, base, planner))
    expect(plan).toEqual({ planPath, concerns: [] })
    const { tasks } = readPlan(await project.read(planPath))
    expect(tasks.map((task) => task.title)).toEqual(work.tasks.map((task) => task.title))

    await project.write(statePath, '{"schemaVersion": 1, "progress": {}, "kept": true}')
    const listed = work.tasks.map(({ title }, at) => ({ id: `Task ${at + 1}`, title, status: 'pending' }))
    const executor = taskExecutorPrompt({ ...here, planPath, statePath, tasks: listed })
    const execution = executionResultSchema.parse(await converse(project, base, executor))
    expect(execution.completed).toEqual(['Task 1', 'Task 2'])
    expect(JSON.parse(await project.read(statePath))).toMatchObject({
      kept: true,
      progress: { 'Task 1': 'complete', 'Task 2': 'complete' },
    })
    expect((await project.git('log', '-2', '--reverse', '--format=%s')).split('\n')).toEqual(
      work.tasks.map((task) => task.commit),
    )
    const handoff = JSON.parse(await project.read('.harness/sessions/polite/handoff.json'))
    expect(handoff).toMatchObject({ fromSkill: 'harness-execution', pending: [] })

    const verifier = verifierPrompt({ ...here, planPath })
    const verification = verificationResultSchema.parse(await converse(project, base, verifier))
    expect(verification.verdict).toBe('pass')
    const readOnly = tools.filter((tool) => tool.name === 'read')
    const reviewer = codeReviewerPrompt({ ...here, planPath, verification: { result: 'pass' } })
    const review = reviewResultSchema.parse(await converse(project, base, reviewer, readOnly))
    expect(review.findings).toEqual([])
  }
  await run('node', ['--test'], { cwd: project.dir, env: project.env })
})

it('mends what it is told to, one commit for each point, and repeats nothing', async () => {
  const { project, fields, base } = await stage()
  const phase = { number: 1, label: '1', name: 'Greeting', total: 3 }
  const findings = [{ title: "It isn't polite" }, { title: 'Too short' }]
  const fixes = { source: 'review' as const, findings }
  const prompt = taskExecutorPrompt({ ...fields, phase, planPath, statePath, tasks: [], fixes })
  for (let round = 1; round <= 2; round += 1) await converse(project, base, prompt)
  expect((await project.git('log', '--format=%s')).split('\n')).toEqual([
    'Mend: Too short',
    "Mend: It isn't polite",
    'First commit',
  ])
})

it('says what a test wants it to say', async () => {
  const finding = { severity: 'blocking', file: 'a.js', title: 'Wrong' }
  const { project, fields, base } = await stage({
    concerns: () => ['Too vague'],
    verdict: () => ({ verdict: 'fail', gaps: ['No test'] }),
    findings: () => [finding],
    instead: ({ role }) => (role === 'task-executor' ? { kind: 'turn', text: 'No.' } : undefined),
  })
  const here = { ...fields, phase: { number: 1, label: '1', name: 'Greeting', total: 3 } }
  const planner = plannerPrompt({ ...here, phaseDescription: '', phases: [], planPath, date: '2026-01-01' })
  expect(await converse(project, base, planner)).toMatchObject({ concerns: ['Too vague'] })
  expect(await converse(project, base, verifierPrompt({ ...here, planPath }))).toMatchObject({
    verdict: 'fail',
    gaps: ['No test'],
  })
  const reviewer = codeReviewerPrompt({ ...here, planPath, verification: { result: 'pass' } })
  expect(await converse(project, base, reviewer)).toEqual({
    assessment: 'request-changes',
    findings: [finding],
  })
  const executor = taskExecutorPrompt({ ...here, planPath, statePath, tasks: [] })
  expect(await converse(project, base, executor)).toBeUndefined()
})
