import { withoutEnd } from './edit.js'

/** What stands where something is still to be said, as a line of its own. */
const placeholder =
  /^(?:tbd|t\.b\.d\.?|tba|todo|to do|wip|work in progress|coming soon|lorem ipsum\b.*|(?:this (?:section|document|file) (?:is )?)?(?:still )?to be (?:added|completed|decided|defined|described|determined|done|filled(?: in)?|written)(?: (?:later|soon))?|fill (?:this|me) in|\[[^\]]{0,80}\]|\{\{?[^{}]{0,80}\}\}?)(?: ?[:–—-] ?(?:later|soon))?$/i

/** A line without the marks of lists, quotes, tables, emphasis and code around what it says. */
function bareLine(line: string): string {
  const said = line.replace(/^[\s>|*_`#+-]+(?:\[[ xX]?\]\s*)?|^\d{1,4}[.)]\s+/, '')
  return withoutEnd(said, ' \t|*_`.!…').trim()
}

const frame = /^(?:#{1,6}(?:\s.*)?|[-=*_|: \t]*|<!--.*-->)$/

/**
 * True for a text with more than headings, rules, blanks, comments, the frame of a table, and words that keep a place for
 * what is to come (`TBD`). Pure.
 */
export function saysSomething(text: string): boolean {
  return text.split('\n').some((line) => {
    const shown = line.slice(0, 2_000).trim()
    return !frame.test(shown) && !placeholder.test(bareLine(shown))
  })
}

const nothing =
  /^(?:none|nil|null|nothing|n\/?a|not applicable|[-–—.*]*|(?:no|none|nothing|zero)(?: (?:known|open|further|more|other|such|pending|remaining)){0,2}(?: (?:gaps?|blockers?|concerns?|issues?|problems?|errors?|failures?|findings?|tasks?|checkpoints?|items?|to report)){0,2}(?: (?:were |was )?(?:found|seen|left|remaining|remain|identified|reported|pending|needed))?)$/i

/** True for an entry of a list that says that there is nothing to be listed: `None`, `n/a`, `No gaps found.` Pure. */
export function saysNothing(text: string): boolean {
  return nothing.test(text.slice(0, 80).trim().replace(/[.!]$/, '').trim())
}
