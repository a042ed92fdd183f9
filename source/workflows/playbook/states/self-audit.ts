import { auditSubject } from '../orders/commit-subject.js'
import { beginPass, type Pass } from '../pass.js'
import type { AuditResult } from '../results.js'
import { type OwnFacts, send } from '../send.js'
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
/** A gap of fewer lines, in one file, is a fix; a larger one is work for an executor. */
const fixLines = 20

type Gap = AuditResult['gaps'][number]

const isFix = ({ files, lines }: Gap) => files.length <= 1 && lines < fixLines

/**
 * Looks for what the spec asks for and nobody has built; at most two looks more after gaps were closed, and none where
 * nothing was: it would find the same (docs/playbook.md, "End of a run").
 */
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
    const closed = round === mostRounds ? [] : await closeGaps(at, round, gaps)
    fixed.push(...closed)
    if (closed.length === 0) {
      await save(work, 'audit-ends', (state) => state, [
        { event: 'self_audit_completed', details: { gaps: gaps.length, fixed: fixed.length, rounds: round } },
      ])
      return { requirements: requirements.length, gaps, fixed, rounds: round }
    }
  }
}

/** The requirements whose gaps were closed. */
async function closeGaps(work: PhaseWork, round: number, gaps: readonly Gap[]): Promise<string[]> {
  const closed: string[] = []
  for (const [index, gap] of gaps.entries())
    if (await closeGap(work, `gap-${index + 1}`, { gap, round })) closed.push(gap.requirement)
  return closed
}

async function closeGap(
  work: PhaseWork,
  key: string,
  { gap, round }: { gap: Gap; round: number },
): Promise<boolean> {
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
  const title = `Close the gap of ${requirement}`
  const sent = isFix(gap)
    ? await send(
        pass,
        'debug',
        {
          issues: [`${requirement}: ${description}`, ...gap.files.map((file) => `in ${file}`)],
          failingChecks: [],
          remainingIssues: [],
          debugAttempt: 1,
          commitSubject: subject,
        },
        { key, title },
      )
    : await send(pass, 'execution', buildingFacts(pass, gap, { round, subject }), { key, title })
  const written = await takeWork(pass, `${key}-work`, before, subject)
  if (!sent.ok || written.commits.length === 0) return false
  await save(work, `${work.at}${key}-fixed`, (state) => state, [
    { event: 'self_audit_gap_fixed', details: { requirement, commit: written.head } },
  ])
  return true
}

/** A gap that is work of its own, as a task for an executor. */
function buildingFacts(
  pass: Pass,
  { requirement, description, files }: Gap,
  { round, subject }: { round: number; subject: string },
): OwnFacts<'execution'> {
  const { facts, input } = pass
  return {
    task: {
      id: requirement,
      title: `Build what ${requirement} asks for`,
      type: 'auto',
      complexity: files.length > 3 ? 'complex' : 'medium',
      files,
      criteria: [],
    },
    planPaths: [],
    logPath: `${facts.dir}/EXECUTION-LOG.md`,
    baselineCompile: null,
    lastCheckpointSha: input.checkpoint,
    commitSubject: subject,
    remediationCycle: round,
    remediationFeedback: [{ criterion: requirement, deficiency: description, source: 'verification' }],
  }
}
