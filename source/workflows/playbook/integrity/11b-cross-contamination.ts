import type { IntegrityCheck } from './facts.js'

/** Words by which a role shows that it knew what it was not to know. */
const phrases = ['executor reported', 'verifier concluded', 'judge recommended']

const others: Readonly<Record<string, string>> = {
  verifier: 'executor|judge|rater',
  // It is given what the executor shows.
  judge: 'verifier|rater',
  rater: 'executor|verifier|judge',
}
const speaks = String.raw`(?:has |had |also |already ){0,2}(?:report|conclude|recommend|claim|state|approve)(?:d|ed|s)\b`
/** The same in other words. */
const otherwise = (role: string) =>
  new RegExp(
    String.raw`\b(?:the (?:phase-)?(?:${others[role]})(?:['’]s (?:report|verdict|conclusion|recommendation|score|log)\b| ${speaks})|according to the (?:phase-)?(?:${others[role]})\b)`,
    'i',
  )
/** Who says that they did not read it has not. */
const denied = /\b(?:not|n['’]t|never|without|nor|before|whatever|unlike|regardless of)\b[^.;]{0,80}$/i

function saidBy(role: string, text: string): string | undefined {
  const words = plain(text)
  const exact = phrases.find((one) => !one.startsWith(role) && words.includes(one))
  const found = otherwise(role).exec(words)
  const at = exact === undefined ? (found?.index ?? -1) : words.indexOf(exact)
  if (at < 0 || denied.test(words.slice(Math.max(0, at - 120), at))) return undefined
  return exact ?? found?.[0]
}

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
    const before = judgeReport?.split(/^#{1,6}\s*(?:\d{1,3}[.)]\s*)?\*{0,3}Divergence Analysis/im)[0]
    const texts: [string, string][] = [
      ['verifier', JSON.stringify(verification ?? '')],
      ['judge', before ?? ''],
      ['judge', divergence?.notes ?? ''],
      ['rater', JSON.stringify(rating ?? '')],
    ]
    for (const [role, text] of texts) {
      const phrase = saidBy(role, text)
      // The judge has read the verifier's report when it writes its last notes.
      if (phrase === undefined || (text === divergence?.notes && phrase.includes('verifier'))) continue
      return { reason: `The ${role} says "${phrase}".`, event: 'cross_contamination_warning' }
    }
    return undefined
  },
}
