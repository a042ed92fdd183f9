import { normalPhaseId, phaseIdPattern } from '../../../documents/playbook-id.js'
import { readText, writeText } from '../../../project/text-files.js'
import { hashOfFile } from '../artifacts.js'
import { tell } from '../progress.js'
import { type PhaseWork, save } from '../work.js'

const boxLine = new RegExp(`^(\\s*[-*] )\\[[ ~]\\]( (?:\\*\\*)?Phase (${phaseIdPattern}):)`, 'i')

/** The roadmap with the box of this phase ticked; undefined where it has none that is open. Pure. */
export function ticked(text: string, id: string): string | undefined {
  let found = false
  const lines = text.split('\n').map((line) => {
    const match = boxLine.exec(line)
    if (!match || normalPhaseId(match[3] ?? '') !== id) return line
    found = true
    return line.replace(boxLine, '$1[x]$2')
  })
  return found ? lines.join('\n') : undefined
}

/** Ticks the phase in the roadmap. Where the roadmap is the spec too, the spec is locked anew. */
export async function tickRoadmap(work: PhaseWork): Promise<void> {
  const { run, tools, facts } = work
  const path = run.state.roadmap_path
  const came = await run.step('tick', async () => {
    const before = await hashOfFile(tools.root, run.state.spec.path)
    const matched = before === run.state.spec.hash
    const text = await readText(tools, path)
    const next = text === undefined ? undefined : ticked(text, facts.id)
    if (next === undefined) return { edited: false, relock: null }
    await writeText(tools, path, next)
    const after = await hashOfFile(tools.root, run.state.spec.path)
    return { edited: true, relock: matched && after !== before ? { from: before, to: after } : null }
  })
  if (!came.edited) return tell(work, 'tick-missing', `${path} has no open box for this phase.`)
  const { relock } = came
  if (relock !== null)
    await save(
      work,
      'tick-relocked',
      (state, at) => ({ ...state, spec: { ...state.spec, hash: relock.to, locked_at: at } }),
      [{ event: 'spec_relocked', phase: facts.id, details: { ...relock, by: 'roadmap tick' } }],
    )
}
