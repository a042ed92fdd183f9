import { saysNothing } from '../../documents/says-something.js'

// Entries of what agents list: which of them show something (docs/playbook-checks.md, "Integrity checks"). Pure.

const noneRun =
  /^\W{0,4}(?:i\s)?(?:(?:did|could|was|were)\s(?:not|n['’]t)|didn['’]t|couldn['’]t|ran|no|none|not any|nothing)\b[^.`]{0,60}\b(?:run|ran|executed?|commands?|needed|necessary|required|applicable)\b[^`]{0,60}$/i

/** What is done with the eyes is no command, unless one stands in code marks. */
const onlyLooked =
  /^\W{0,4}(?:i\s)?(?:manual(?:ly)?|visual(?:ly)?|static(?:ally)?|careful(?:ly)?|thorough(?:ly)?|code[\s-](?:review|reading|inspection|walk)|read(?:ing)?\s(?:the|through|all|over|every)|review(?:ed|ing|s)?|inspect(?:ed|ion|ing)|looked|looking|examin(?:ed|ing|ation)|analy[sz](?:ed|ing)|checked|verified|confirmed)\b[^`]{0,400}$/i

/** Whether an entry of commands names one. */
export const namesCommand = (entry: string): boolean =>
  !saysNothing(entry) && !noneRun.test(entry) && !onlyLooked.test(entry)

/** What ties a claim to the work: a number, a path, code, what came of something, a name as code writes it, a quote. */
const anchor = /\d|[`"“»]|->|=>|→|\w\.[A-Za-z]{1,5}\b|\w\/\w|\w\(\)|\w_\w|[a-z][A-Z]|--\w/
/** The word of somebody that they looked. */
const claim =
  /^\W{0,4}(?:i\s(?:have\s|also\s|personally\s|independently\s){0,2})?(?:(?:careful|thorough|full|complete|personal|independent|manual)(?:ly)?\s)?(?:look(?:ed)?|review(?:ed)?|inspect(?:ed|ion)?|examin(?:ed|ation)|check(?:ed)?|read|verif(?:ied|ication)|went|walked|studied|analy[sz]ed)\b/i

/** Whether an entry of evidence is more than the word that somebody looked. */
export const showsOwn = (entry: string): boolean =>
  !saysNothing(entry) && !noneRun.test(entry) && (anchor.test(entry) || !claim.test(entry))
