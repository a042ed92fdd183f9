import { runNode } from '../node-tests.js'
import { type Delivery, type Job, readProject } from './job.js'
import { kebab } from './plan-text.js'
import type { ScriptFinding } from './scenario/script.js'
import { findings as scripted } from './scenario.js'

interface Found {
  severity: ScriptFinding['severity']
  file: string
  line: number
  title: string
  rationale: string
}

/** The reviewer's proof: a module that fails as long as the finding holds. */
async function fails(job: Job, file: string, probe: string): Promise<boolean> {
  return job.voice.tool({ name: 'bash', kind: 'exec', title: `try ${file}` }, async () => {
    const run = await runNode(job.brief.projectDir, ['--input-type=module', '-e', probe])
    const error = run.output.split('\n').find((line) => /Error/.test(line)) ?? run.output.trim()
    return { output: run.code === 0 ? 'works' : error, ok: run.code === 0, value: run.code !== 0 }
  })
}

/** A finding is reported only when it holds in the files as they are now. */
async function check(job: Job, finding: ScriptFinding): Promise<Found | undefined> {
  const text = await readProject(job, finding.file)
  const line = text?.split('\n').findIndex((content) => finding.mark.test(content)) ?? -1
  if (line < 0) return undefined
  if (finding.probe && !(await fails(job, finding.file, finding.probe))) return undefined
  const { severity, file, title, rationale } = finding
  return { severity, file, line: line + 1, title, rationale }
}

const assessments = { blocking: 'request-changes', warning: 'comment', note: 'approve' } as const

function assessmentOf(found: Found[]): string {
  const worst = (['blocking', 'warning'] as const).find((word) =>
    found.some(({ severity }) => severity === word),
  )
  return assessments[worst ?? 'note']
}

/** harness-code-reviewer: looks at the diff since `diffBase`, be it of a phase or of the whole run. Edits nothing. */
export async function review(job: Job): Promise<Delivery> {
  const { brief, voice, records, repository } = job
  const base = brief.diffBase?.slice(0, 7)
  await voice.say(`Reviewing what changed since ${base ?? 'the beginning'}.`)
  const touched = await voice.tool(
    {
      name: 'bash',
      kind: 'read',
      title: base === undefined ? 'git ls-files' : `git diff --name-only ${base}`,
    },
    async () => {
      const value = await repository.touched(brief.diffBase)
      return { output: value.join('\n'), value }
    },
  )
  const found: Found[] = []
  for (const finding of scripted) {
    if (!finding.needs.every((path) => touched.includes(path))) continue
    const seen = await check(job, finding)
    if (!seen) continue
    found.push(seen)
    await voice.say(`**[${seen.severity.toUpperCase()}]** ${seen.file}:${seen.line} ${seen.title}`)
  }
  const count = (severity: Found['severity']) => found.filter((one) => one.severity === severity).length
  const assessment = assessmentOf(found)
  const summary = `Review: ${assessment}, blocking ${count('blocking')}, warning ${count('warning')}, note ${count('note')}`
  await voice.say(`${summary}.`)
  await records.handoff({
    fromSkill: 'harness-code-review',
    phase: 'OUTPUT',
    summary,
    completed: [summary],
    pending: [],
    concerns: [],
    decisions: [],
    contextKeywords: [kebab(brief.phase.name)],
    assessment,
    findingCount: { critical: count('blocking'), important: count('warning'), suggestion: count('note') },
    artifacts: touched,
  })
  return { result: { assessment, findings: found }, summary }
}
