import { counted } from '../../counted.js'
import { type Delivery, type Job, readProject, writeFiles } from './job.js'
import type { TaskScript } from './scenario.js'

/** phase-researcher: reads what is there, and writes down how to go about it. */
export async function research(job: Job): Promise<Delivery> {
  const { order, script, voice } = job
  await voice.say(`I look at what phase ${order.phase.id} (${order.phase.name}) builds on.`)
  await readShown(job, 'source/index.mjs')
  const { findings, approach } = script
  const text = `# Research: ${order.phase.name}\n\n${findings.map((line) => `- ${line}\n`).join('')}\n## Approach\n\n${approach}\n`
  await writeFiles(job, [{ path: order.researchPath, text }])
  return {
    result: { key_findings: findings, recommended_approach: approach, risks: [], open_questions: [] },
    summary: `Research of ${order.phase.name}`,
  }
}

/** phase-researcher, before work begins: the one thing that only a person can say. */
export async function ask({ order, voice }: Job): Promise<Delivery> {
  const { id, name } = order.phase
  await voice.say(`I look for what nobody but you can say of phase ${id} (${name}).`)
  const question = {
    id: 'q1',
    question: `What counts most in ${name}?`,
    why: 'How the functions are cut, and how much is checked.',
    options: ['that it is easy to read', 'that it takes any input'],
    recommendation: 'that it is easy to read, since the module is small',
  }
  return { result: { questions: [question] }, summary: `One question about ${name}` }
}

/** phase-planner: tasks with a command for each criterion, and a test specification of its own beside them. */
export async function plan(job: Job): Promise<Delivery> {
  const { order, script, voice } = job
  await voice.say(`I plan ${order.phase.name} in ${counted(script.tasks.length, 'task')}.`)
  const tasks = script.tasks.map((task, at) => ({ task, id: taskId(job, at) }))
  const table = order.requirements.map((name) => `| ${name} | ${tasks[0]?.id ?? ''} |\n`).join('')
  const text = [
    `# Plan: ${order.phase.name}\n`,
    `| Requirement | Task |\n|---|---|\n${table}`,
    ...tasks.map(({ task, id }) => taskText(task, id)),
  ].join('\n')
  const specs = tasks.flatMap(({ task, id }) =>
    task.spec ? [{ path: `${order.testsDir}/task-${id}.sh`, text: `${task.spec.join('\n')}\n` }] : [],
  )
  await writeFiles(job, [{ path: order.planPath, text }, ...specs])
  return {
    result: {
      plans_created: 1,
      waves: 1,
      total_tasks: tasks.length,
      complexity: 'simple',
      dependencies: [],
      concerns: [],
    },
    summary: `Plan of ${counted(tasks.length, 'task')}`,
  }
}

function taskId({ order }: Job, at: number): string {
  return `${order.phase.id.padStart(2, '0')}-${String(at + 1).padStart(2, '0')}`
}

function taskText({ title, type, files, action, criteria }: TaskScript, id: string): string {
  const verify = criteria.map((line) => `- ${line}\n`).join('')
  return [
    `<task id="${id}" type="${type}" complexity="simple">`,
    `<name>${title}</name>`,
    `<files>${files.length > 0 ? files.join(', ') : 'None'}</files>`,
    `<action>${action}</action>`,
    ...(verify === '' ? [] : [`<verify>\n${verify}</verify>`]),
    `<done>${action}</done>`,
    '</task>\n',
  ].join('\n')
}

/** plan-checker: whether every requirement has a task, and what the program itself found. */
export async function checkPlan(job: Job): Promise<Delivery> {
  const { order, voice } = job
  const texts = await Promise.all(order.planPaths.map((path) => readProject(job, path)))
  const missing = order.requirements.filter((name) => !texts.some((text) => text.includes(name)))
  const blockers = order.lintIssues.filter(({ severity }) => severity === 'blocker').length + missing.length
  await voice.say(
    `${counted(order.requirements.length, 'requirement')}, ${missing.length} of them without a task.`,
  )
  const issues = missing.map((name) => ({
    plan: order.planPaths[0] ?? 'PLAN.md',
    dimension: 'requirements',
    severity: 'blocker',
    description: `${name} has no task.`,
    fix_hint: `Name ${name} in the task that meets it.`,
  }))
  return {
    result: {
      pass: blockers === 0,
      issues,
      confidence: blockers === 0 ? 9 : 3,
      blocker_count: blockers,
      warning_count: 0,
    },
    summary: blockers === 0 ? 'The plan can be worked by' : counted(blockers, 'blocker'),
  }
}

async function readShown(job: Job, path: string): Promise<void> {
  await job.voice.tool({ name: 'read', kind: 'read', title: path }, async () => {
    const output = await readProject(job, path)
    return { output, value: undefined }
  })
}
