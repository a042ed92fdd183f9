import { withoutEnd } from './edit.js'

/** What stands where something is still to be said, as a line of its own. */
const placeholder =
  /^(?:tbd|t\.b\.d\.?|tba|todo|to do|wip|work in progress|coming soon|lorem ipsum\b.*|(?:(?:this|the) (?:section|document|file|report|page|part|chapter) (?:is |will |has yet |needs |remains )?)?(?:still )?(?:to )?be (?:added|completed|decided|defined|described|determined|done|filled(?: in)?|provided|written)(?: (?:later|soon))?|fill (?:this|me) in|\[[^\]]{0,80}\]|\{\{?[^{}]{0,80}\}\}?)(?: ?[:–—-] ?(?:later|soon))?$/i

/** The same in other languages that projects are written in. */
const elsewhere =
  /^(?:(?:(?:inhalt|text|texte|dokument|abschnitt|bericht|dieses dokument|dieser abschnitt|dieser bericht) )?(?:folgt|folgen)(?: (?:noch|später|demnächst|in kürze))?|(?:(?:dieses dokument|dieser abschnitt|dieser bericht) )?wird (?:noch|später|demnächst) (?:ergänzt|ausgefüllt|geschrieben|nachgereicht|erstellt|beschrieben|definiert)|noch (?:offen|zu (?:ergänzen|schreiben|definieren|klären|beschreiben))|in arbeit|platzhalter|à (?:compléter|définir|écrire|venir|rédiger)|en cours de rédaction|(?:pendiente )?(?:por|de) (?:completar|definir|escribir)|pendiente|da (?:completare|definire|scrivere))$/iu

/** A line of one tag, or of words in angle brackets; an address and a picture are more than that. */
const tag = /^<\/?[^<>=:@]{1,200}>$/

/** Blanks that nobody sees, in whatever form. */
const unseen =
  /[\u00a0\u00ad\u200b-\u200f\u2028-\u202f\u2060-\u2064\ufeff]|&(?:nbsp|zwnj|zwj|shy|ensp|emsp|thinsp);/gi

/** A line without the marks of lists, quotes, tables, emphasis and code around what it says. */
function bareLine(line: string): string {
  const said = line.replace(/^[\s>|*_`#+-]+(?:\[[ xX]?\]\s*)?|^\d{1,4}[.)]\s+/, '')
  return withoutEnd(said, ' \t|*_`.!…').trim()
}

const frame = /^(?:#{1,6}(?:\s.*)?|[-=*_|: \t]*|(?:`{3,}|~{3,})[\w+-]*|<!--.*-->)$/

/** The name of a field that stands before its value. */
const field = /^[^:|]{1,30}:[\s*_]{0,6}/

function keepsPlace(line: string): boolean {
  const bare = bareLine(line)
  if (bare === '' || tag.test(line) || tag.test(bare)) return true
  return [bare, bare.replace(field, '')].some((words) => placeholder.test(words) || elsewhere.test(words))
}

/** A row of a table in which no cell says anything. */
function isOpenRow(line: string): boolean {
  return (
    line.startsWith('|') && line.split('|').every((cell) => cell.trim() === '' || keepsPlace(cell.trim()))
  )
}

const separator = /^[|:\- \t]*-[|:\- \t]*$/

/** Lines without front matter, comments, the heads of tables and headings that are underlined. */
function* shownLines(text: string): Generator<string> {
  const lines = withoutComments(text.replace(unseen, ' '))
    .split('\n')
    .map((line) => line.slice(0, 2_000).trim())
  for (let at = endOfFrontMatter(lines); at < lines.length; at += 1) {
    const [line = '', next = ''] = [lines[at], lines[at + 1]]
    const isHead = line.includes('|') && next.includes('|') && separator.test(next)
    const isUnderlined = /^(?:={2,}|-{2,})$/.test(next) && line !== '' && (lines[at - 1] ?? '') === ''
    if (!isHead && !isUnderlined) yield line
  }
}

function endOfFrontMatter(lines: readonly string[]): number {
  if (lines[0] !== '---' || !/^[\w-]{1,80}\s*:/.test(lines[1] ?? '')) return 0
  const end = lines.indexOf('---', 1)
  return end === -1 ? 0 : end + 1
}

function withoutComments(text: string): string {
  const parts: string[] = []
  let from = 0
  for (;;) {
    const begins = text.indexOf('<!--', from)
    const ends = begins === -1 ? -1 : text.indexOf('-->', begins + 4)
    if (ends === -1) return [...parts, text.slice(from)].join('')
    parts.push(text.slice(from, begins))
    from = ends + 3
  }
}

/**
 * True for a text with more than headings, rules, blanks, comments, front matter, the frame of a table, and words that
 * keep a place for what is to come (`TBD`). What is no text says nothing. Pure.
 */
export function saysSomething(text: string): boolean {
  // Each second byte of text in the other encoding that editors write is none; a mark before it says so.
  const isWide = /^\uFFFD{2}|^\uFEFF/.test(text)
  if (!isWide && text.includes('\0')) return false
  for (const line of shownLines(text.replaceAll('\0', '')))
    if (!frame.test(line) && !isOpenRow(line) && !keepsPlace(line)) return true
  return false
}

const nothing =
  /^(?:none|nil|null|nothing|empty|n\/?a|not applicable|all good|keine?|aucune?|[-–—.*]*|(?:there (?:are|is|were|was) )?(?:no|none|nothing|zero)(?: (?:known|open|further|more|other|such|pending|remaining|blocking|significant|functional|critical|major|material|notable|outstanding|unresolved|obvious)){0,2}(?: (?:gaps?|blockers?|concerns?|issues?|problems?|errors?|failures?|findings?|tasks?|checkpoints?|items?|work|to report)){0,2}(?: (?:were |was )?(?:found|seen|left|remaining|remain|identified|reported|pending|needed|missing|noted|detected))?)$/i
/** What may follow it: that all is as it has to be. */
const allHolds =
  /^\s{0,4}[-–—:;,(]\s{0,4}(?:all|every|everything|each)\b(?!.*\b(?:but|except|apart|other than|not|no|missing|fail\w*|however|though)\b)/i
const around = /^[\s"'`*_([{•>\p{Extended_Pictographic}-]+|[\s"'`*_)\]}.!\p{Extended_Pictographic}]{1,200}$/gu

/** True for an entry of a list that says that there is nothing to be listed: `None`, `n/a`, `No gaps found.` Pure. */
export function saysNothing(text: string): boolean {
  const said = text.trim().slice(0, 200)
  const rest = /[-–—:;,(]/.exec(said.slice(3))
  if (rest && allHolds.test(said.slice(3 + rest.index))) return isNothing(said.slice(0, 3 + rest.index))
  return isNothing(said)
}

const isNothing = (said: string) => {
  const bare = said.replaceAll('\uFE0F', '').replace(around, '').slice(0, 120)
  return bare === '' ? !/\p{Extended_Pictographic}/u.test(said) : nothing.test(bare)
}
