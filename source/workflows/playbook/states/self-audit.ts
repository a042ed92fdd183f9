import { auditSubject } from '../orders/commit-subject.js'
import { beginPass } from '../pass.js'
import type { AuditResult } from '../results.js'
import { send } from '../send.js'
import { headOf, takeWork } from '../task-loop/commits.js'
import { type PhaseWork, save, under } from '../work.js'

// The spec, held against what is there: gaps are closed, and looked for again.

export interface Audit {
  requirements: number
  gaps: AuditResult['gaps']
  fixed: string[]
  rounds: number
}

const mostRounds = 3

/** Looks for what the spec asks for and nobody has built; at most two looks more after gaps were closed. */
export async function selfAudit(work: PhaseWork): Promise<Audit | undefined> {
  const { requirements } = work.facts
  const fixed: string[] = []
  await save(work, 'audit-begins', (state) => state, [{ event: 'self_audit_started' }])
  for (let round = 1; ; round += 1) {
    const at = under(work, `audit-${round}`)
    const sent = await send(
      at,
      'audit',
      { requirements },
      { key: 'audit', title: 'Audit the run against its spec' },
    )
    if (!sent.ok) return undefined
    const { gaps } = sent.result
    if (gaps.length === 0 || round === mostRounds) {
      await save(work, 'audit-ends', (state) => state, [
        { event: 'self_audit_completed', details: { gaps: gaps.length, fixed: fixed.length, rounds: round } },
      ])
      return { requirements: requirements.length, gaps, fixed, rounds: round }
    }
    for (const [index, gap] of gaps.entries())
      if (await closeGap(at, `gap-${index + 1}`, gap)) fixed.push(gap.requirement)
  }
}

async function closeGap(work: PhaseWork, key: string, gap: AuditResult['gaps'][number]): Promise<boolean> {
  const { requirement, description } = gap
  await save(work, `${work.at}${key}-found`, (state) => state, [
    { event: 'self_audit_gap_found', details: { requirement, description } },
  ])
  const head = await work.run.step(`${work.at}${key}-checkpoint`, async () => (await work.git.head()) ?? '')
  const pass = beginPass(work, {
    existingPlan: false,
    mayShortcut: false,
    skipResearch: true,
    threshold: 0,
    confidence: 10,
    checkpoint: head,
  })
  const before = await headOf(pass, `${key}-head`)
  const subject = `${auditSubject(requirement)} - `
  const sent = await send(
    pass,
    'debug',
    {
      issues: [`${requirement}: ${description}`, ...gap.files.map((file) => `in ${file}`)],
      failingChecks: [],
      remainingIssues: [],
      debugAttempt: 1,
      commitSubject: subject,
    },
    { key, title: `Close the gap of ${requirement}` },
  )
  const written = await takeWork(pass, `${key}-work`, before, subject)
  if (!sent.ok || written.commits.length === 0) return false
  await save(work, `${work.at}${key}-fixed`, (state) => state, [
    { event: 'self_audit_gap_fixed', details: { requirement, commit: written.head } },
  ])
  return true
}
