import { planPathsOf } from '../../../documents/handoff.js'
import { findHandoff } from '../artifacts/handoff.js'
import { qInteractive } from '../questions/plan.js'
import type { PhaseWork } from '../work.js'
import { choosePlan, usablePath } from './choose-plan.js'
import { findPlan } from './find-plan.js'
import type { PlannedFile } from './plan-of-reply.js'

/** High complexity: wait for a plan that a person makes; found again by itself after a restart. */
export async function interactivePlan(work: PhaseWork, path: string): Promise<PlannedFile> {
  const { run, tools, phase } = work
  const since = phase.record.startedAt ?? tools.now().toISOString()
  let notice: string[] = []
  for (let round = 1; ; round += 1) {
    const { answer, subject } = await run.gate(`interactive-${round}`, async () => {
      const seen = await look(work, path, since)
      return seen.found.kind === 'none'
        ? { subject: seen, question: qInteractive(phase.label, path, notice) }
        : { subject: seen, settled: 'found' }
    })
    const { found, concerns } = subject
    if (answer.value === 'found' && found.kind === 'found') return { path: found.path, concerns }
    if (answer.value === 'found' && found.kind === 'choose') {
      return { path: await choosePlan(work, `which-${round}`, found), concerns }
    }
    if (answer.value === 'choose') {
      const chosen = await usablePath(work, `chosen-${round}`, answer.text ?? '')
      if (chosen !== null) return { path: chosen, concerns }
      notice = [`${answer.text} is not a Markdown file inside the project.`, '']
      continue
    }
    notice = ['No plan for this phase was found yet.', '']
  }
}

/** What is there now: the file that was asked for, or one written since the phase began. */
async function look({ tools, state, phase }: PhaseWork, path: string, since: string) {
  const handoff = await findHandoff(tools, 'harness-planning', since)
  const fresh = handoff?.fresh ? handoff.handoff : undefined
  const found = await findPlan(tools, state, phase, {
    named: [path, ...(fresh ? planPathsOf(fresh) : [])],
    before: { sinceMs: Date.parse(since) },
  })
  return { found, concerns: fresh?.concerns ?? [] }
}
