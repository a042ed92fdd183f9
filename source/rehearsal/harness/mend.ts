import type { FindingToFix } from './brief.js'
import { commitPaths, type Job, testProject, writeFiles } from './job.js'
import { kebab } from './plan-text.js'
import type { ScriptFile } from './scenario/script.js'
import { findings as scripted } from './scenario.js'

interface Fix {
  commit: string
  thought: string
  files: ScriptFile[]
  tests: string[]
}

const subjectLength = 68

/** The scripted fix of a finding, else a note about it, so that any finding can be rehearsed. */
function fixOf(finding: FindingToFix): Fix {
  const known = scripted.find(
    (one) => one.fix !== undefined && (one.title === finding.title || finding.title.includes(one.title)),
  )
  if (known?.fix) return known.fix
  const text = [`# ${finding.title}`, finding.file && `In ${finding.file}.`, finding.rationale].filter(
    Boolean,
  )
  return {
    commit: `fix: ${finding.title}`.slice(0, subjectLength),
    thought: `Nothing is scripted for "${finding.title}", so I leave a note of it.`,
    files: [{ path: `docs/notes/fix-${kebab(finding.title)}.md`, text: `${text.join('\n\n')}\n` }],
    tests: [],
  }
}

/** Mends the findings of a fix dispatch, one commit each. Returns their titles. */
export async function mend(job: Job): Promise<string[]> {
  const mended: string[] = []
  for (const finding of job.brief.findings) {
    const fix = fixOf(finding)
    await job.voice.say(fix.thought)
    const subjects = await job.repository.subjects(job.brief.diffBase)
    if (!subjects.includes(fix.commit)) {
      await writeFiles(job, fix.files)
      if (fix.tests.length > 0) {
        const run = await testProject(job, fix.tests)
        if (!run.ok) throw new Error(`The fix of "${finding.title}" does not pass its tests:\n${run.output}`)
      }
      await commitPaths(
        job,
        fix.commit,
        fix.files.map((file) => file.path),
      )
    }
    mended.push(finding.title)
  }
  return mended
}
