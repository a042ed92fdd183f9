import { type Delivery, type Job, readProject, testProject, writeFiles } from './job.js'
import { kebab } from './plan-text.js'
import { pathsOf } from './scenario/script.js'
import { phaseNamed } from './scenario.js'
import { worksOf } from './work.js'

/** Whether `node --test` is what this project calls its tests. */
async function hasNodeTests(job: Job): Promise<boolean> {
  return /"test"\s*:\s*"node --test/.test((await readProject(job, 'package.json')) ?? '')
}

/** Rewords what it should judge by, once: what comes of it is asked by autopilot, whatever is said here. */
async function overstep(job: Job): Promise<void> {
  const { brief, voice } = job
  const act = phaseNamed(brief.phase.name).overstep
  const text = act === undefined || brief.attempt !== 1 ? undefined : await readProject(job, act.path)
  if (act === undefined || !text?.includes(act.from)) return
  await voice.say(act.thought)
  await writeFiles(job, [{ path: act.path, text: text.replace(act.from, act.to) }])
}

/** harness-verifier: looks whether every task's files are there, and runs the project's tests. Mends nothing. */
export async function verify(job: Job): Promise<Delivery> {
  const { brief, voice, records, repository } = job
  await voice.say(`Verifying "${brief.phase.name}". I believe files and tests only.`)
  const works = await worksOf(job)
  const gaps: string[] = []
  const evidence: string[] = []
  for (const { planned, script } of works) {
    const missing: string[] = []
    for (const path of pathsOf(script)) if ((await readProject(job, path)) === undefined) missing.push(path)
    if (missing.length > 0) gaps.push(`${planned.id} (${planned.title}): ${missing.join(', ')} missing`)
    else evidence.push(`${planned.id}: ${pathsOf(script).join(', ')} present`)
  }
  if (await hasNodeTests(job)) {
    const run = await testProject(job)
    if (run.ok) evidence.push(`node --test: ${run.passed} passed, ${run.failed} failed`)
    else gaps.push(`node --test: ${run.failed} failed\n${run.output}`)
  } else evidence.push('package.json names no node tests, so none were run')
  if (brief.rigor === 'thorough') {
    const open = await repository.changed(works.flatMap(({ script }) => pathsOf(script)))
    if (open.length > 0) gaps.push(`Not committed: ${open.join(', ')}`)
    else evidence.push('Everything that the tasks wrote is committed')
  }

  await overstep(job)

  const verdict = gaps.length === 0 ? 'pass' : 'fail'
  const summary = `Verification of ${brief.phase.name}: ${verdict}`
  for (const gap of gaps) await voice.say(`Gap: ${gap}`)
  await voice.say(`### Verdict: ${verdict.toUpperCase()}`)
  await records.handoff({
    fromSkill: 'harness-verification',
    phase: 'COMPLETE',
    summary,
    completed: evidence,
    pending: [],
    concerns: [],
    decisions: [],
    contextKeywords: [kebab(brief.phase.name)],
    artifacts: works.flatMap(({ script }) => pathsOf(script)),
    verdict,
    gaps,
  })
  return { result: { verdict, gaps, evidence }, summary }
}
