// What the words of an error mean, the same for every agent: most of them pass on what a server said, in prose.

/** A usage limit that time alone lifts. */
export function saysLimitReached(message: string): boolean {
  return /\b(?:usage|session|weekly|daily|monthly|hour|opus|sonnet) limit\b|\bhit your (?:[\w-]{1,20} ){0,3}limit\b|\blimit reached\b|\bquota\b/i.test(
    message,
  )
}

/**
 * The same for an answer that there were too many requests: also where less is said, in contrast to a server that is busy for a
 * moment.
 */
export function saysSpent(message: string): boolean {
  return saysLimitReached(message) || /\b(?:exhausted|daily|weekly)\b|\bresets?\b/i.test(message)
}

/** The conversation no longer fits the model. */
export function saysContextFull(message: string): boolean {
  return /\bprompt is too long\b|\bcontext[ _-]?(?:window|length|limit)\b|\btoo many tokens\b|\bmaximum context\b|\binput is too long\b|\binput token count\b|\bran out of (?:room|context)\b|\b(?:conversation|request|input) (?:is|was) too long\b/i.test(
    message,
  )
}
