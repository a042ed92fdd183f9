import type { IntegrityCheck } from './facts.js'

/** Words by which a role shows that it knew what it was not to know. */
const phrases = ['executor reported', 'verifier concluded', 'judge recommended']

/** Without emphasis and ends of lines, those of JSON among them. */
const plain = (text: string) =>
  text
    .toLowerCase()
    .replace(/[*_`]/g, '')
    .replace(/\\n|\s+/g, ' ')

/** A report speaks of what its author was kept from. */
export const crossContamination: IntegrityCheck = {
  number: '11b',
  name: 'cross-contamination',
  act: 'warn',
  check({ verification, rating, judgeReport, divergence }) {
    const before = judgeReport?.split(/^#{1,6}\s*Divergence Analysis/im)[0]
    const texts: [string, string][] = [
      ['verifier', JSON.stringify(verification ?? '')],
      ['judge', before ?? ''],
      ['judge', divergence?.notes ?? ''],
      ['rater', JSON.stringify(rating ?? '')],
    ]
    for (const [role, text] of texts) {
      const phrase = phrases.find((one) => !one.startsWith(role) && plain(text).includes(one))
      // The judge has read the verifier's report when it writes its last notes.
      if (phrase === undefined || (text === divergence?.notes && phrase.startsWith('verifier'))) continue
      return { reason: `The ${role} says "${phrase}".`, event: 'cross_contamination_warning' }
    }
    return undefined
  },
}
