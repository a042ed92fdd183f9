// What the words of an error mean, the same for every agent: most of them pass on what a server said, in prose.

// The names of errors count like the words, as in `usage_limit_reached`: what follows may be any sign but a letter.
const limits: readonly RegExp[] = [
  /\b(?:usage|session|weekly|daily|monthly|hour|opus|sonnet)[ _-]limits?(?![a-z])/i,
  /\b(?:hit|reached|exceeded|exhausted|used up) (?:all )?(?:of )?your (?!(?:[\w'’-]{1,20} ){0,3}rate )(?:[\w'’-]{1,20} ){0,4}(?:limits?|cap|allowance|capacity)\b/i,
  /(?<!\b(?:tokens?|turns?|steps?|retry|retries|size|time|line)[ _])(?<![a-z])limit[ _](?:(?:has been|was|is) )?reached\b/i,
  /\b(?:usage|session|weekly|daily|monthly) (?:cap|allowance)\b/i,
  /\b(?:out of|no more|used all (?:of )?your) (?:[\w'’-]{1,20} ){0,2}(?:usage|requests|messages)\b/i,
  /(?:nutzungs|sitzungs|tages|wochen)limit|limite d['’](?:usage|utilisation)|l[ií]mite de uso|使用(?:上限|限制|限额|额度)|利用(?:上限|制限)|사용량? ?한도/i,
  // A disk has one, too.
  /(?<!\bdisk )(?<![a-z])quota(?![a-z])/i,
]

/** A usage limit that time alone lifts. */
export function saysLimitReached(message: string): boolean {
  return limits.some((pattern) => pattern.test(message))
}

/**
 * The same for an answer that there were too many requests: also where less is said, in contrast to a server that is busy for a
 * moment.
 */
export function saysSpent(message: string): boolean {
  return (
    saysLimitReached(message) ||
    /\b(?:exhausted|daily|weekly|tomorrow)\b|\bresets?\b|\bper (?:day|week|month)\b/i.test(message)
  )
}

/** Too many requests for the moment: a program that gave up on it says often how long that lasts. */
export function saysTooFast(message: string): boolean {
  return /\brate[ _-]?limit|\btoo many requests\b|\b(?:http|status|code|error)[ :/=]{1,3}429\b/i.test(message)
}

const full: readonly RegExp[] = [
  /(?<![a-z])(?:maximum context|context[ _-]?(?:window|length|limit|size|overflow))/i,
  /\b(?:prompt|conversation|request|input|messages)[ _](?:(?:is|was|are|has grown|has become)[ _])?too[ _](?:long|large)(?![a-z])/i,
  /\btoo many tokens\b|\binput token count\b|\bran out of (?:room|context)\b|\bcontext (?:is full|exhausted)\b/i,
  /\b(?:prompt|input|requested) tokens?\b.{0,60}\bexceeds?\b|\b(?:prompt|input|conversation) exceeds\b|max_prompt_tokens_exceeded/i,
  /\breduce the length of (?:the|your) (?:prompt|input|conversation|messages)\b/i,
]

/** The conversation no longer fits the model. */
export function saysContextFull(message: string): boolean {
  return full.some((pattern) => pattern.test(message))
}
