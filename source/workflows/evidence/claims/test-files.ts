import { basename } from 'node:path'
import { counted } from '../../../counted.js'
import { withoutEnd } from '../../../documents/edit.js'
import type { Git } from '../../../project/git.js'
import { namesOfFile, type Units } from './executed-tests.js'
import { isRunnerSettings, lessAskedFor, plansLess } from './runner-settings.js'
import { skipMarks } from './skip-marks.js'
import { replacesAssertions, standIns } from './stand-ins.js'
import { isTabled } from './tabled.js'
import { matches, namesIn } from './tasks.js'
import { assertionsIn, casesIn, endsOfRun, isHollow, isWeaker, type TestCase } from './test-bodies.js'

// Tests that are gone or skipped, read from the files themselves: no runner's count is needed (docs/evidence.md, "Tests").

export interface LostTests {
  path: string
  /** What is gone, in words. */
  text: string
  /** The plan says that something of this file is to be taken away. */
  planned: boolean
}

const folders = /(?:^|\/)(?:tests?|__tests__|specs?|\w{0,60}Tests?)\//
const languages =
  /\.(?:[cm]?[jt]sx?|py|go|rs|rb|java|kts?|scala|groovy|cs|fs|vb|php|swift|exs?|c|cc|cpp|cxx|h|hpp|mm?|dart|jl|zig|lua|bats|sh|feature|tftest\.hcl)$/
const fileNames =
  /(?:[._-](?:test|spec)s?\.\w+|^tests?_[^/]*\.\w+|_tests?\.\w+|(?:Tests?|Spec)\.\w+|\.bats|\.tftest\.hcl)$/
/** Cases stand beside the code here. */
const casesInSources = /\.(?:rs|zig)$/

export function isTestFile(path: string): boolean {
  return languages.test(path) && (folders.test(path) || fileNames.test(basename(path)))
}

/** Names of the cases of a test file, in their order. */
export const testCases = (text: string): string[] => casesIn(text).map(({ name }) => name)

export interface TestFilesNow {
  /** Commit that the phase began with. */
  start: string
  /** Text of a file in the work tree; undefined where it is gone. */
  read(path: string): Promise<string | undefined>
  /** Text of the approved plan. */
  plan: string
  /** What runs of the tests have named, before and now; absent where they name nothing. */
  units?: { before?: Units | undefined; now?: Units | undefined }
}

/**
 * Test files of the start that are gone, have fewer cases, more marks to skip or cases that look at nothing any more, and
 * those of which something is there that was executed before and is not now. Cases that moved elsewhere are there, and so are
 * those that a run names.
 */
export async function lostTests(
  git: Pick<Git, 'changedFrom' | 'pathsAt' | 'textAt' | 'movedFrom'>,
  now: TestFilesNow,
): Promise<LostTests[]> {
  const all = await git.changedFrom(now.start)
  const settings = await weakerSettings(git, now, all.filter(isRunnerSettings))
  const sources = all.filter((path) => casesInSources.test(path) && !isTestFile(path))
  const changed = [...all.filter(isTestFile), ...sources]
  const silent = areSilent(now.units)
  if (changed.length === 0 && !silent) return settings
  const paths = await git.pathsAt(now.start)
  const atStart = new Set(paths)
  const texts = new Map<string, string | undefined>()
  for (const path of changed) texts.set(path, await now.read(path).catch(() => undefined))
  const isGone = changed.some((path) => atStart.has(path) && texts.get(path) === undefined)
  const moved = isGone ? await git.movedFrom(now.start) : new Map<string, string>()
  const lost: LostTests[] = [...settings]
  const tell = (path: string, text: string) =>
    lost.push({ path, text, planned: plansRemoval(now.plan, path) })
  for (const path of changed.filter((one) => atStart.has(one))) {
    const before = await git.textAt(now.start, path)
    if (before === undefined || (!isTestFile(path) && testCases(before).length === 0)) continue
    const others = [...texts].flatMap(([other, text]) => (other === path || !text ? [] : [text]))
    const elsewhere = new Set(others.flatMap(testCases))
    const isThere = (name: string) => elsewhere.has(name) || now.units?.now?.has(name) === true
    const what = lostIn(path, before, {
      text: texts.get(path) ?? texts.get(moved.get(path) ?? ''),
      others,
      isThere,
      textOf: (other) => texts.get(other),
    })
    if (what !== undefined) tell(path, what)
  }
  // Whoever ends the run from inside may print what it likes in the place of a report.
  for (const path of now.units?.before === undefined ? [] : changed) {
    const text = fileNames.test(basename(path)) ? texts.get(path) : undefined
    if (text === undefined || endsOfRun(text) === 0) continue
    const before = atStart.has(path) ? await git.textAt(now.start, path) : undefined
    if (endsOfRun(text) <= endsOfRun(before ?? '')) continue
    lost.push({
      path,
      text: `${path}: ends the run of all tests by itself, as if they had passed`,
      planned: false,
    })
  }
  for (const path of changed.filter((one) => !atStart.has(one))) {
    if (replacesAssertions(texts.get(path) ?? ''))
      lost.push({ path, text: `${path}: an assertion is replaced by another function`, planned: false })
  }
  const told = new Set(lost.map(({ path }) => path))
  for (const path of silent ? new Set([...paths.filter(isTestFile), ...changed]) : []) {
    if (told.has(path)) continue
    const what = await silencedIn(path, now, texts)
    if (what !== undefined) tell(path, what)
  }
  return lost
}

/** Settings of runners that ask for less than at the start. */
async function weakerSettings(
  git: Pick<Git, 'textAt'>,
  { start, read, plan }: TestFilesNow,
  paths: readonly string[],
): Promise<LostTests[]> {
  const found: LostTests[] = []
  for (const path of paths) {
    const before = await git.textAt(start, path)
    const now = await read(path).catch(() => undefined)
    const less = before === undefined || now === undefined ? [] : lessAskedFor(before, now, path)
    if (less.length > 0)
      found.push({ path, text: `${path}: ${less.slice(0, 4).join('; ')}`, planned: plansLess(plan, path) })
  }
  return found
}

/** Something that a run named before is not named by the one of now. */
function areSilent({ before, now }: TestFilesNow['units'] = {}): boolean {
  return before !== undefined && now !== undefined && [...before.digests].some((one) => !now.digests.has(one))
}

/** Cases of a file, or the file itself, that a run named before and does not name any more. */
async function silencedIn(
  path: string,
  { units, read }: TestFilesNow,
  texts: ReadonlyMap<string, string | undefined>,
): Promise<string | undefined> {
  const { before, now } = units ?? {}
  if (before === undefined || now === undefined) return undefined
  const isSilent = (unit: string) => before.has(unit) && !now.has(unit)
  const text = texts.has(path) ? texts.get(path) : await read(path).catch(() => undefined)
  if (text === undefined) return undefined
  if (namesOfFile(path).some(isSilent)) return `${path} is there and is not executed any more`
  const silent = [...new Set(testCases(text).filter(isSilent))]
  if (silent.length === 0) return undefined
  return `${path}: ${counted(silent.length, 'test case is', 'test cases are')} there and not executed any more: ${shortList(silent)}`
}

const shortList = (names: readonly string[]) => names.slice(0, 3).join('; ')

function lostIn(
  path: string,
  before: string,
  now: {
    text: string | undefined
    others: readonly string[]
    isThere(name: string): boolean
    textOf(path: string): string | undefined
  },
): string | undefined {
  const old = casesIn(before)
  const fresh = casesIn(now.text ?? '')
  const names = new Set(fresh.map(({ name }) => name))
  const gone = old
    .filter(({ name }) => !names.has(name) && !now.isThere(name))
    .filter(({ body }) => !isTabled(body, before, now.text ?? ''))
    .map(({ name }) => name)
  if (now.text === undefined) {
    if (gone.length > 0)
      return `${path} is gone, with ${counted(gone.length, 'test case')}: ${shortList(gone)}`
    return old.length === 0 && fileNames.test(basename(path)) ? `${path} is gone` : undefined
  }
  if (old.length === 0 && checksNothingMore(before, now.text, now.others))
    return `${path}: what the tests are helped with compares nothing any more`
  const fewer =
    old.length === 0 && fileNames.test(basename(path)) ? assertionsGone(before, now.text, now.others) : 0
  if (fewer > 0) return `${path}: ${counted(fewer, 'assertion')} fewer`
  const known = new Set(old.map(({ name }) => name))
  // A new case may be one for another system; one that takes the place of an old one may not.
  const fromNew = gone.length > 0 ? [] : fresh.flatMap(({ name, lines }) => (known.has(name) ? [] : [lines]))
  const skipped = skipMarks(now.text, fromNew) - skipMarks(before)
  if (skipped > 0) return `${path}: ${counted(skipped, 'more test')} marked to be skipped`
  const replaced = standIns({ path, before, now: now.text, textOf: now.textOf })
  if (replaced.length > 0) return `${path}: ${replaced.slice(0, 3).join('; ')}`
  const hollow = hollowed(old, fresh)
  if (hollow.length > 0)
    return `${path}: ${counted(hollow.length, 'test case checks', 'test cases check')} nothing of the project any more: ${shortList(hollow)}`
  const weaker = weakened(old, fresh, now.others)
  if (weaker.length > 0)
    return `${path}: ${counted(weaker.length, 'test case checks', 'test cases check')} less than before: ${shortList(weaker)}`
  const added = fresh.filter(({ name }) => !known.has(name)).length
  return gone.length > added
    ? `${path}: ${counted(gone.length - added, 'test case')} fewer: ${shortList(gone)}`
    : undefined
}

/** What tests share asserted something and asserts nothing now, nor does another file in its words. */
function checksNothingMore(before: string, now: string, others: readonly string[]): boolean {
  const was = assertionsIn(before)
  if (was.length === 0 || assertionsIn(now).length > 0) return false
  const elsewhere = new Set(others.flatMap(assertionsIn))
  return was.every((line) => !elsewhere.has(line))
}

/** Of a file of tests without cases, how many assertions fewer there are; those that stand elsewhere now are there. */
function assertionsGone(before: string, now: string, others: readonly string[]): number {
  const elsewhere = new Set(others.flatMap(assertionsIn))
  const was = assertionsIn(before).filter((line) => !elsewhere.has(line))
  return was.length - assertionsIn(now).length
}

/** Names of the cases that looked at something before and are hollow now. */
function hollowed(before: readonly TestCase[], now: readonly TestCase[]): string[] {
  const looked = new Set(
    before.flatMap(({ name, body }) => (body === undefined || isHollow(body) ? [] : [name])),
  )
  return now.flatMap(({ name, body }) =>
    looked.has(name) && body !== undefined && isHollow(body) ? [name] : [],
  )
}

/** Names of the cases that check less than they did. */
function weakened(
  before: readonly TestCase[],
  now: readonly TestCase[],
  others: readonly string[],
): string[] {
  const bodies = new Map(before.map(({ name, body }) => [name, body]))
  return now.flatMap(({ name, body }) => {
    const old = bodies.get(name)
    if (old === undefined || body === undefined || old === body) return []
    const here = now.filter((one) => one.name !== name).map((one) => one.body ?? '')
    return isWeaker(old, body, [...here, ...others].join('\n')) ? [name] : []
  })
}

const strong = '(?:remov|delet|drop|skip|renam|mov(?:e|ing)|replac|rewrit|retir|prun|get rid)'
/** Words that count only in a sentence that names the file. */
const other = String.raw`(?:purg|eliminat|discard|obsolete|clean(?:ed|ing|s)? (?:up|out)|clear(?:ed|ing|s)? out|throw(?:n|ing|s)? (?:\S{1,80} ){0,6}away|tak(?:e|es|en|ing) (?:\S{1,80} ){0,6}(?:out|away)|tear|strip|eras(?:e|ing)|wip(?:e|ing)\b|weed|dedup|consolidat|fold(?:ed|ing|s)? (?:\S{1,80} ){0,6}into|merg(?:e|ed|es|ing)\b|supersed|deprecat|trim|sunset|phas(?:e|ed|ing) (?:\S{1,80} ){0,6}out|no longer (?:need|us|necess|requir|appl)|unneeded|not needed|redundant|superfluous|away with|combin(?:e|ed|ing)\b|collaps|convert|migrat|port(?:ed|ing)?\b|split|relocat|extract|turn(?:ed|ing|s)? (?:\S{1,80} ){0,6}into|cut\b|kill|axe[ds]?\b|disabl|scrap|ditch|dismantl|withdraw|goes? away|(?:can|must|should|may|has to|have to|will) go\b)`
const removal = new RegExp(String.raw`\b${strong}`, 'i')
const anyRemoval = new RegExp(String.raw`\b(?:${strong}|${other})`, 'i')
const denied = new RegExp(
  String.raw`(?:\b(?:not|never|without|avoid|cannot|instead of|rather than)|n['’]t)\s{1,8}(?:[\w'’]{1,20}\s{1,8}){0,2}(?:be\s{1,8})?(?:${strong}|${other})`,
  'i',
)

/** A sentence, or a line, that speaks of taking something away and not of keeping it. */
const removes = (sentence: string) => removal.test(sentence) && !denied.test(sentence)
const mayRemove = (sentence: string) => anyRemoval.test(sentence) && !denied.test(sentence)

/** A line that begins an item, a field or a heading begins a sentence; other lines go on. */
const sentencesOf = (text: string) =>
  text
    .split(/\n(?=[ \t]{0,20}(?:[-*+#<\n]|\d{1,4}[.)]))|(?<=[.!?;])\s/)
    .map((one) => one.replace(/<\/?\w[^<>]{0,200}>/g, ' ').replace(/\s+/g, ' '))

/**
 * Whether the task of the plan that names the file speaks of taking something away; a folder that holds it, or a pattern, counts in the
 * sentence that does.
 */
export function plansRemoval(plan: string, path: string): boolean {
  const name = basename(path)
  return plan.split(/^(?=#{2,4} |[ \t]{0,8}<task[\s>])/m).some((part) => {
    const all = sentencesOf(part)
    const names = (sentence: string) => sentence.includes(path) || sentence.includes(name)
    if (all.some((one) => mayRemove(one) && (names(one) || namesFolderOf(one, path)))) return true
    const sentences = all.filter(removes)
    if (sentences.length === 0) return false
    return part.includes(path) || part.includes(name) || sentences.some((one) => namesFolderOf(one, path))
  })
}

function namesFolderOf(sentence: string, path: string): boolean {
  return namesIn(sentence.split(/\s+/).map((word) => withoutEnd(word, '.,:;!?`\'")]'))).some(
    (word) => /\w\//.test(word) && matches(word, path),
  )
}
