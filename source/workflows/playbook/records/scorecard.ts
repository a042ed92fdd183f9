import { writeText } from '../../../project/text-files.js'
import type { Scorecard } from '../opinions.js'
import type { Pass } from '../pass.js'
import type { RatingResult } from '../results.js'
import { rootOf } from '../work.js'

/** Writes SCORECARD.md. */
export async function publishScorecard(pass: Pass, card: Scorecard, rated: RatingResult): Promise<null> {
  await writeText(rootOf(pass), `${pass.facts.dir}/SCORECARD.md`, scorecardText(pass.facts.id, card, rated))
  return null
}

export function scorecardText(phase: string, card: Scorecard, rated: RatingResult): string {
  const cell = (text: string) => text.replaceAll('|', '\\|').replaceAll('\n', ' ')
  return [
    `# Scorecard: phase ${phase}`,
    '',
    `**Aggregate**: ${card.score.toFixed(1)}/10 (${card.band})`,
    '',
    '| Criterion | Score | Evidence | Justification |',
    '|-----------|-------|----------|---------------|',
    ...card.rows.map(
      ({ criterion, score, evidence, justification }) =>
        `| ${cell(criterion)} | ${score.toFixed(1)} | ${cell(evidence)} | ${cell(justification)} |`,
    ),
    '',
    '## Side Effects',
    '',
    ...(rated.side_effects.length === 0 ? ['None found.'] : rated.side_effects.map((line) => `- ${line}`)),
    '',
    '## Justification',
    '',
    rated.aggregate_justification,
    '',
  ].join('\n')
}
