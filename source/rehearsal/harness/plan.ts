import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { counted } from '../../counted.js'
import { type Delivery, type Job, readProject, writeFiles } from './job.js'
import { kebab, type PlanDraft, planText, skeletonOf } from './plan-text.js'
import { pathsOf, type ScriptPhase } from './scenario/script.js'
import { phaseNamed } from './scenario.js'

/** The path that was asked for, else an earlier plan of the phase, else a new one of today. */
async function planPathOf(job: Job): Promise<string> {
  const { brief } = job
  if (brief.planPath !== undefined) return brief.planPath
  const ending = `-${kebab(brief.phase.name)}-plan.md`
  const names = await readdir(join(brief.projectDir, 'docs/plans')).catch(() => [])
  const earlier = names.filter((name) => name.endsWith(ending)).sort()
  return `docs/plans/${earlier.at(-1) ?? `${new Date().toISOString().slice(0, 10)}${ending}`}`
}

function draftOf(job: Job, script: ScriptPhase, path: string): PlanDraft {
  const { note, specPath } = job.brief
  return {
    name: script.name,
    // From the file name, so that a plan that is written again is the same plan.
    date: /\d{4}-\d{2}-\d{2}/.exec(path)?.[0] ?? new Date().toISOString().slice(0, 10),
    specPath,
    goal: script.goal,
    uncertainties: [...script.uncertainties, ...(note ? [`Asked of the planner: ${note}`] : [])],
    truths: script.truths,
    tasks: script.tasks.map((task) => ({
      title: task.title,
      files: pathsOf(task),
      dependsOn: task.dependsOn,
      steps: task.steps,
      commit: task.commit,
      checkpoint: task.checkpoint?.type,
      options: task.checkpoint?.type === 'decision' ? task.checkpoint.options.map((o) => o.label) : [],
    })),
  }
}

async function research(job: Job, script: ScriptPhase): Promise<void> {
  const { scratchpadDir, projectDir } = job.brief
  if (scratchpadDir === undefined) return
  const folder = join(projectDir, scratchpadDir)
  await mkdir(folder, { recursive: true })
  const text = `# Research: ${script.name}\n\n${script.thoughts.map((thought) => `- ${thought}`).join('\n')}\n`
  await writeFile(join(folder, `research-${kebab(script.name)}.md`), text)
}

/** harness-planner: reads the spec, writes the plan of one phase. */
export async function plan(job: Job): Promise<Delivery> {
  const { brief, voice, records } = job
  const script = phaseNamed(brief.phase.name)
  await voice.say(`Planning "${script.name}", one of ${counted(brief.phase.total, 'phase')}.`)
  await voice.tool({ name: 'read', kind: 'read', title: brief.specPath }, async () => {
    const spec = await readProject(job, brief.specPath)
    return {
      output: spec === undefined ? 'not there' : counted(spec.split('\n').length, 'line'),
      value: undefined,
    }
  })
  for (const thought of script.thoughts) await voice.say(thought)
  await research(job, script)

  const planPath = await planPathOf(job)
  const draft = draftOf(job, script, planPath)
  if (!brief.skeletonOnly) await writeFiles(job, [{ path: planPath, text: planText(draft) }])
  for (const concern of script.concerns) await voice.say(`A concern: ${concern}`)

  const tasks = script.tasks.map((_task, index) => `Task ${index + 1}`)
  const summary = `Plan for ${script.name} with ${counted(tasks.length, 'task')}: ${planPath}`
  await records.handoff({
    fromSkill: 'harness-planning',
    phase: 'VALIDATE',
    summary,
    completed: [`Plan for ${script.name}`],
    pending: tasks,
    concerns: script.concerns,
    decisions: [],
    contextKeywords: [kebab(script.name)],
    planPath,
  })
  return {
    result: {
      planPath,
      concerns: script.concerns,
      ...(brief.skeletonOnly ? { skeleton: skeletonOf(draft) } : {}),
    },
    summary,
  }
}
