import { writeText } from '../../../project/text-files.js'
import type { CommandReport } from '../orders/fields.js'
import type { Pass } from '../pass.js'
import { tell } from '../progress.js'
import type { VisualResult } from '../results.js'
import { machinePorts } from '../visual/machine-ports.js'
import { visualSettings } from '../visual/settings.js'
import { visualBugsText } from '../visual/visual-bugs.js'
import { mergedVisual, type VisualRun, visualChecks } from '../visual/visual-checks.js'
import { rootOf } from '../work.js'

// The screens of a phase that has any, where the project says how they are looked at.

/** Looks at every route, once for each key. Null where there is nothing to look at. What cannot be done is told. */
export async function lookAtScreens(pass: Pass, key: string): Promise<VisualRun | null> {
  const { run, facts, tools, at } = pass
  const wanted = tools.settings.project.visual_testing
  const isAsked = run.state._meta.flags.visual === true || wanted?.enabled === true
  if (!isAsked || (facts.type !== 'ui' && facts.type !== 'mixed')) return null
  const read = visualSettings(wanted)
  if (!read.ok) {
    const isOrAre = read.missing.length === 1 ? 'is' : 'are'
    await tell(
      pass,
      `${key}-missing`,
      `Visual checks skipped: ${read.missing.join(', ')} ${isOrAre} not set.`,
    )
    return null
  }
  const seen = (await run.step(`${at}${key}`, async () => {
    const { ports, clear } = await machinePorts(toolsIn(pass))
    try {
      return await visualChecks(read.settings, ports)
    } finally {
      await clear()
    }
  })) as VisualRun
  for (const [index, note] of seen.notes.entries()) await tell(pass, `${key}-note-${index}`, note)
  return seen
}

/** Program and pictures belong where the work is done. */
function toolsIn({ tools, cwd }: Pass) {
  const { root } = rootOf({ tools, ...(cwd === undefined ? {} : { cwd }) })
  const command: typeof tools.command = (argv, limits) =>
    tools.command(argv, cwd === undefined ? limits : { ...limits, cwd })
  return { ...tools, root, command }
}

/** The pictures as the verifier is told of them. */
export function pictureReports(seen: VisualRun | null): CommandReport[] {
  if (seen === null) return []
  const { screenshots, issues_found: issues } = seen.result
  return [
    ...screenshots.map((path) => ({
      command: 'picture of a route',
      exitCode: 0,
      output: path,
      assessment: 'pass' as const,
    })),
    ...issues.map(({ route, description }) => ({
      command: `open ${route}`,
      exitCode: 1,
      output: description,
      assessment: 'fail' as const,
    })),
  ]
}

/** What we and the verifier saw together, kept in VISUAL-BUGS.md as soon as anything was wrong. */
export async function settleScreens(
  pass: Pass,
  seen: VisualRun | null,
  ofVerifier: VisualResult | undefined,
): Promise<VisualResult | undefined> {
  if (seen === null) return undefined
  const { run, facts, at, log } = pass
  const merged = { ...mergedVisual(seen.result, ofVerifier), notes: seen.notes }
  log.visual.push({ attempt: log.visual.length + 1, issues: merged.issues_found })
  if (log.visual.every(({ issues }) => issues.length === 0)) return merged
  const text = visualBugsText(facts.id, log.visual, merged.screenshots)
  await run.step(`${at}visual-bugs`, async () => {
    await writeText(rootOf(pass), `${facts.dir}/VISUAL-BUGS.md`, text)
    return null
  })
  return merged
}
