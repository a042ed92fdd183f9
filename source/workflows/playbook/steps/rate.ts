import type { Rated, Scorecard } from '../opinions.js'
import type { CommandReport, OrderCriterion } from '../orders/fields.js'
import type { Pass } from '../pass.js'
import { tell } from '../progress.js'
import { recordedWeak } from '../reading.js'
import { publishScorecard } from '../records/scorecard.js'
import { countRetry, send } from '../send.js'
import { subjectOf } from '../work.js'
import { toldMadeUp } from './citations.js'
import { failedStep, type Outcome } from './failure.js'
import { cappedCard, hasDecimal, scorecardOf, unplacedWords } from './scorecard.js'
import { runStep } from './step.js'
import { diffCommandOf } from './verify.js'

/** 9 RATE: a score by somebody who knows no other verdict; the mean of its card is what counts. */
export function rate(
  pass: Pass,
  criteria: readonly OrderCriterion[],
  reports: readonly CommandReport[],
): Promise<Outcome<{ rated: Rated }>> {
  return runStep<'rate', Outcome<{ rated: Rated }>>(pass, 'rate', async () => {
    pass.log.steps.rate.agent_spawned = true
    const rated = await askTwice(pass, criteria, reports)
    if (!rated.ok) return failedStep(pass, 'rate', rated)
    const { card, result } = rated.rated
    for (const [index, warning] of card.warnings.entries())
      await tell(pass, `rate-warning-${index}`, `RATE: ${warning}`, 'warning')
    await pass.run.step(`${pass.at}scorecard-file`, () => publishScorecard(pass, card, result))
    pass.log.commandsRun.push(...result.commands_run)
    Object.assign(pass.log.steps.rate, {
      status: 'completed',
      alignment_score: card.score,
      score_band: card.band,
    })
    return {
      result: rated,
      end: {
        record: {
          status: 'completed',
          alignment_score: card.score,
          score_band: card.band,
          weak: recordedWeak(card, pass.input.threshold),
        },
        mark: 'pass',
        more: `${card.score.toFixed(1)}/10 (${card.band})`,
      },
    }
  })
}

/** A card with holes, a high score that names no place, or one without a decimal is asked for once more; then it counts as it is. */
async function askTwice(
  pass: Pass,
  criteria: readonly OrderCriterion[],
  reports: readonly CommandReport[],
): Promise<Outcome<{ rated: Rated }>> {
  const { facts, input } = pass
  for (let round = 1, why = input.enforcement; ; round += 1) {
    const sent = await send(
      pass,
      'rating',
      {
        criteria,
        diffCommand: diffCommandOf(pass),
        commandResults: reports,
        ...(why === undefined ? {} : { enforcement: why }),
      },
      {
        key: round === 1 ? 'rate' : 'rate-again',
        title: `Rate ${subjectOf(pass)}: ${facts.name}`,
        attempt: round,
      },
    )
    if (!sent.ok) return { ok: false, failure: `rate: ${sent.message}`, category: sent.category }
    const { scorecard } = sent.result
    const saidFor = (cited: readonly string[]) =>
      scorecard.flatMap(({ criterion, evidence }) => (cited.includes(evidence) ? [criterion] : []))
    const made = await toldMadeUp(
      pass,
      `rate-cited-${round}`,
      scorecard.map(({ evidence }) => evidence),
      (made) => `RATE: the evidence for ${saidFor(made).join(', ')} names what is not there`,
    )
    const card = scorecardOf(criteria, sent.result, made)
    const doubt = doubtOf(card, sent.raw)
    if (doubt === undefined) return { ok: true, rated: { card, result: sent.result } }
    if (round === 2) {
      await tell(pass, 'rate-doubt', `RATE: ${doubt}`, 'warning')
      return { ok: true, rated: { card: cappedCard(card), result: sent.result } }
    }
    await countRetry(pass, 'rate-respawn')
    why = { check: 'scorecard', reason: doubt }
  }
}

function doubtOf({ missing, unplaced }: Scorecard, text: string): string | undefined {
  if (missing.length > 0) return `The scorecard says nothing of ${missing.join(', ')}.`
  if (unplaced.length > 0) return `${unplacedWords(unplaced)}.`
  return hasDecimal(text) === false ? 'The score is a whole number; it needs one decimal.' : undefined
}
