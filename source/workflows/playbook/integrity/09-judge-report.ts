import { readJudgeReport } from '../records/judge-report.js'
import { type IntegrityCheck, isAssessed } from './facts.js'

/** The judge left no report, compared nothing, or neither differs from the verifier nor shows anything of its own. */
export const judgeReport: IntegrityCheck = {
  number: '9',
  name: 'judge report',
  act: 'respawn',
  check(facts) {
    if (!isAssessed(facts) || !facts.returned.pipeline_steps.judge.agent_spawned) return undefined
    if (facts.judgeReport === undefined || facts.judgeReport.trim() === '')
      return { reason: 'There is no JUDGE-REPORT.md.', target: 'judge' }
    const report = readJudgeReport(facts.judgeReport)
    if (report.divergence === undefined)
      return { reason: 'JUDGE-REPORT.md has no Divergence Analysis.', target: 'judge' }
    const differs = facts.divergence?.verifier_agreement === false || report.differs
    const own = (facts.divergence?.independent_evidence.length ?? 0) > 0 || report.hasEvidence
    if (differs || own) return undefined
    return { reason: 'The judge differs in nothing and shows no evidence of its own.', target: 'judge' }
  },
}
