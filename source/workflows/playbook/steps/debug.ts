import { saysNothing } from '../../../documents/says-something.js'
import { fileExists } from '../../../project/text-files.js'
import type { Verified } from '../opinions.js'
import { debugSubject } from '../orders/commit-subject.js'
import type { Pass } from '../pass.js'
import { tell } from '../progress.js'
import { send } from '../send.js'
import { headOf, takeWork } from '../task-loop/commits.js'
import { isCategory } from '../taxonomy.js'
import { rootOf, save, savePhase, subjectOf } from '../work.js'
import { note } from './failure.js'
import { verificationPathOf } from './judge.js'

/** What one attempt at mending the phase is told. */
export interface DebugWish {
  /** From 1, over the whole phase. */
  attempt: number
  /** A try that an open breaker allowed: it counts against no limit. */
  probe: boolean
  verified: Verified
  /** What the judge holds against it. */
  concerns: readonly string[]
  /** What the attempt before could not mend. */
  remaining: readonly string[]
}

/** What an attempt came to. */
export interface Debugged {
  /** What is left, by the debugger's own word; all of it where nothing was changed. */
  remaining: string[]
  /** It is called mended, and nothing was changed. */
  unproven: boolean
}

/** One debugger at what verification and judge found. */
export async function debugPhase(pass: Pass, wish: DebugWish): Promise<Debugged> {
  const { facts, run, at } = pass
  const { attempt, verified } = wish
  const key = `debug-${attempt}`
  await begin(pass, key, wish)
  const bugs = `${facts.dir}/VISUAL-BUGS.md`
  const hasBugs = await run.step(`${at}${key}-visual`, () => fileExists(rootOf(pass), bugs))
  const before = await headOf(pass, `${key}-head`)
  const subject = debugSubject(facts.id, attempt)
  const sent = await send(
    pass,
    'debug',
    {
      issues: [...verified.failures, ...wish.concerns],
      failingChecks: verified.failing,
      remainingIssues: wish.remaining,
      debugAttempt: attempt,
      commitSubject: subject,
      verificationPath: verificationPathOf(pass),
      ...(hasBugs ? { visualBugsPath: bugs } : {}),
    },
    { key: key, title: `Debug ${subjectOf(pass)}: ${facts.name}`, attempt },
  )
  const written = await takeWork(pass, `${key}-work`, before, subject)
  const unproven = sent.ok && sent.result.fixed && written.commits.length === 0
  const remaining = sent.ok && !unproven ? sent.result.remaining_issues : [...verified.failures]
  if (unproven)
    await tell(
      pass,
      `${key}-unproven`,
      `Debug attempt ${attempt}: it is called mended, and nothing was changed`,
      'warning',
    )
  const left = sent.ok && sent.result.fixed ? said(sent.result.remaining_issues) : []
  if (left.length > 0) {
    const text = `Debug attempt ${attempt}: it is called mended, and it names what is left: ${left.join('; ')}`
    pass.log.issues.push(text)
    await tell(pass, `${key}-left-over`, text, 'warning')
  }
  if (sent.ok)
    for (const { failure, category } of sent.result.failure_categories)
      if (isCategory(category)) note(pass, 'debug', { failure, category })
  pass.log.fixes.push({
    attempt,
    description: sent.ok ? sent.result.changes.join('; ') : sent.message,
    commit_sha: written.commits.at(-1)?.sha ?? null,
    resolved: verified.failures.filter((failure) => !remaining.includes(failure)),
    remaining,
  })
  return { remaining, unproven }
}

/** Without entries that say that there are none. */
const said = (list: readonly string[]) => list.filter((text) => !saysNothing(text))

/** Counted in the phase and among the retries of the run. */
async function begin(pass: Pass, key: string, { attempt, probe }: DebugWish): Promise<void> {
  if (!probe) pass.log.debugs += 1
  await savePhase(
    pass,
    `${key}-counted`,
    (phase) => (probe ? phase : { ...phase, debug_attempts: phase.debug_attempts + 1 }),
    [{ event: 'debug_attempt', step: 'verify', details: { attempt, probe } }],
  )
  await save(pass, `${pass.at}${key}-retry`, (state) => ({
    ...state,
    _meta: { ...state._meta, total_retries: state._meta.total_retries + (probe ? 0 : 1) },
    metrics: { ...state.metrics, debug_loops_total: state.metrics.debug_loops_total + 1 },
  }))
  await tell(pass, `${key}-says`, `Debug attempt ${attempt}`)
}
