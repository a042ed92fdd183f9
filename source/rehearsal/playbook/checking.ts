import { counted } from '../../counted.js'
import {
  commandOf,
  type Delivery,
  type Job,
  readProject,
  runCommandLine,
  type Tried,
  triedText,
  tryAll,
  tryOut,
  writeFiles,
} from './job.js'

type CheckName = 'compile' | 'lint' | 'build' | 'test'

/** mini-verifier: tries out one task that somebody else has done. */
export async function verifyTask(job: Job): Promise<Delivery> {
  const { order, script, voice } = job
  await voice.say(`I look at task ${order.task?.id}, of which I know the files only.`)
  const [trial] = script.trials
  const tried = trial ? [await tryOut(job, trial)] : []
  const tests = await runCommandLine(job, 'node --test')
  const held = tests && tried.every((one) => one.held)
  return {
    result: {
      task_id: order.task?.id ?? '',
      pass: held,
      criteria_results: order.criteria.map(({ id }) => ({
        criterion: id,
        status: held ? 'pass' : 'fail',
        evidence: tried.map(triedText).join('; '),
        command: 'node --test',
        command_output: tests ? 'passed' : 'failed',
      })),
      concerns: [],
      commands_run: ['node --test', ...tried.map(commandOf)],
      gate_validation: {
        compile: 'pass',
        lint: order.commands.lint === null ? 'skipped' : 'missing',
        test: tests ? 'pass' : 'fail',
      },
    },
    summary: held ? 'The task does what it should' : 'The task does not do what it should',
  }
}

/** phase-verifier: what the commands showed, and one trial of its own. Confident where there is nothing to look at. */
export async function verify(job: Job): Promise<Delivery> {
  const { order, script, voice } = job
  await voice.say(`I verify ${order.phase.name} by its criteria: ${order.criteria.length} of them.`)
  const [trial] = script.trials
  const tried = trial ? [await tryOut(job, trial)] : []
  const failures = tried.filter(({ held }) => !held).map(triedText)
  const pass = failures.length === 0
  const { undecided } = script
  const waiting = order.criteria[0]?.id ?? ''
  return {
    result: {
      pass,
      automated_checks: {
        compile: checkOf(job, 'compile'),
        lint: checkOf(job, 'lint'),
        build: checkOf(job, 'build'),
        test: checkOf(job, 'test'),
      },
      criteria_results: order.criteria.map(({ id }) => ({
        criterion: id,
        status: pass ? 'verified' : 'failed',
        evidence: tried.map(triedText).join('; '),
      })),
      commands_run: [...order.commandResults.map(({ command }) => command), ...tried.map(commandOf)],
      failures,
      failure_categories: failures.map((failure) => ({ failure, category: 'acceptance_criteria_unmet' })),
      scope_creep: [],
      execution_results: [],
      autonomous_confidence: undecided ? 4 : 9,
      deferral_evidence: undecided
        ? [{ criterion: waiting, methods_attempted: undecided.tried, why_insufficient: undecided.why }]
        : [],
    },
    summary: pass ? 'Verified' : 'Not verified',
  }
}

function checkOf({ order }: Job, name: CheckName): { status: boolean | 'n/a'; detail: string } {
  const command = order.commands[name]
  if (command === null) return { status: 'n/a', detail: 'the project has no such command' }
  const report = order.commandResults.find((one) => one.command === command)
  return { status: report?.exitCode === 0, detail: command }
}

/** phase-judge, first turn: a spot check, and a concern, before anybody else has said anything. */
export async function judge(job: Job): Promise<Delivery> {
  const { order, voice } = job
  await voice.say('I read the change and try out what I would doubt first.')
  const tried = await spotCheck(job)
  const result = judgementOf(tried)
  const text = `# Judge report: ${order.phase.name}\n\n${tried.map((one) => `- ${triedText(one)}\n`).join('')}\nConcern: ${result.concerns[0]}\n`
  await writeFiles(job, [{ path: order.reportPath, text }])
  return { result, summary: `Recommendation: ${result.recommendation}` }
}

/** phase-judge, second turn: compares what it saw with the report of the verifier. */
export async function compare(job: Job): Promise<Delivery> {
  const { order, voice } = job
  await voice.say('Now I read the verification.')
  const verification = await readProject(job, order.verificationPath)
  const tried = await spotCheck(job)
  const missed = tried.filter(({ trial }) => !verification.includes(trial.says)).map(triedText)
  const before = await readProject(job, order.reportPath)
  const words =
    missed.length > 0 ? missed.map((line) => `- not in the verification: ${line}\n`).join('') : 'None.\n'
  await writeFiles(job, [{ path: order.reportPath, text: `${before}\n## Divergence Analysis\n\n${words}` }])
  return {
    result: { ...judgementOf(tried), verifier_agreement: true, verifier_missed: missed },
    summary:
      missed.length > 0
        ? `${counted(missed.length, 'thing that was', 'things that were')} not verified`
        : 'Nothing was missed',
  }
}

/** What the verifier did not try. */
async function spotCheck(job: Job): Promise<Tried[]> {
  const last = job.script.trials.at(-1)
  return last ? [await tryOut(job, last)] : []
}

function judgementOf(tried: readonly Tried[]) {
  const [doubt] = tried.filter(({ held }) => !held)
  return {
    recommendation: 'proceed',
    concerns: [doubt ? `It should be so that ${triedText(doubt)}.` : 'The tests try out few odd values.'],
    independent_evidence: tried.map(triedText),
    scope_creep: [],
    missing_requirements: [],
    notes: '',
  }
}

/** phase-rater: every trial, whatever others say; a criterion loses where one does not hold. */
export async function rate(job: Job): Promise<Delivery> {
  const { order, script, voice } = job
  await voice.say('I rate what the code does, criterion by criterion.')
  const tried = await tryAll(job)
  const wrong = tried.filter(({ held }) => !held)
  const scorecard = order.criteria.map(({ id }, at) => {
    const isHurt = at === 0 && wrong.length > 0
    return {
      criterion: id,
      score: isHurt ? script.score - 2.2 * wrong.length : script.score,
      verification_command: tried.map(commandOf)[0] ?? '',
      command_output: tried[0]?.printed ?? '',
      evidence: (isHurt ? wrong : tried).map(({ place }) => place).join(', '),
      justification: (isHurt ? wrong : tried).map(triedText).join('; '),
      execution_result: null,
    }
  })
  const mean = scorecard.reduce((sum, { score }) => sum + score, 0) / Math.max(1, scorecard.length)
  const score = Math.floor(mean * 10 + 1e-6) / 10
  return {
    result: {
      alignment_score: score,
      scorecard,
      aggregate_justification: 'the mean of the criteria',
      side_effects: [],
      commands_run: tried.map(commandOf),
      test_coverage: { tasks_with_tests: 1, tasks_total: 1, assertions_passed: 1, assertions_total: 1 },
      score_band: score >= 9.5 ? 'excellence' : score >= 8 ? 'good' : 'acceptable',
    },
    summary: `${score.toFixed(1)}/10`,
  }
}

/** phase-verifier, at the end of the run: all phases together. */
export async function integrate(job: Job): Promise<Delivery> {
  await job.voice.say('I try out what the phases came to together.')
  const tried = await tryAll(job)
  const issues = tried.filter(({ held }) => !held).map(triedText)
  return {
    result: { pass: issues.length === 0, issues, commands_run: tried.map(commandOf) },
    summary:
      issues.length === 0
        ? 'It holds together'
        : `${counted(issues.length, 'thing does', 'things do')} not hold`,
  }
}

/** phase-verifier, at the end of the run: the requirements against what is there. */
export async function audit(job: Job): Promise<Delivery> {
  const { voice } = job
  await voice.say('I go through the requirements once more.')
  const tried = await tryAll(job)
  const gaps = tried
    .filter(({ held }) => !held)
    .map((one) => ({
      requirement: one.trial.says,
      description: triedText(one),
      files: [one.trial.at.path],
      lines: 1,
    }))
  return {
    result: { gaps, commands_run: tried.map(commandOf) },
    summary: gaps.length === 0 ? 'Every requirement is met' : counted(gaps.length, 'gap'),
  }
}
