/** True for a text with more than headings, rules, blanks and the frame of a table. Pure. */
export function saysSomething(text: string): boolean {
  return text
    .split('\n')
    .some((line) => !/^(?:#{1,6}(?:\s.*)?|[-=*_|: \t]*)$/.test(line.slice(0, 2_000).trim()))
}

const nothing =
  /^(?:none|nil|null|nothing|n\/?a|not applicable|[-–—.*]*|(?:no|none|nothing|zero)(?: (?:known|open|further|more|other|such|pending|remaining)){0,2}(?: (?:gaps?|blockers?|concerns?|issues?|problems?|errors?|failures?|findings?|tasks?|checkpoints?|items?|to report)){0,2}(?: (?:were |was )?(?:found|seen|left|remaining|remain|identified|reported|pending|needed))?)$/i

/** True for an entry of a list that says that there is nothing to be listed: `None`, `n/a`, `No gaps found.` Pure. */
export function saysNothing(text: string): boolean {
  return nothing.test(text.slice(0, 80).trim().replace(/[.!]$/, '').trim())
}
