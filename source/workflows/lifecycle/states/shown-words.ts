import { saysSomething } from '../../../documents/says-something.js'
import type { Git } from '../../../project/git.js'
import { readText } from '../../../project/text-files.js'
import { hiddenSince } from '../../evidence/claims/unseen-work.js'
import type { FlowStep } from '../flow/flow.js'
import { matchesGlob } from '../flow/patterns.js'
import type { Begun } from '../opening/pending-commit.js'
import type { Finding } from '../scan/detect.js'
import type { Looked } from '../scan/detectors.js'
import type { ListedFile, Listing } from '../scan/listing.js'

// What is in the documents that show a step to be done (docs/lifecycle.md, "The worker").

export interface Shown {
  root: string
  git: Pick<Git, 'textAt'>
  step: FlowStep
  listing: Listing
  begun: Begun | undefined
  /** The commit that it began with, as far as it is still there. */
  commit: string | null
  /** Paths whose content is another one than when the step began. */
  changed: ReadonlySet<string>
  /** Files that git knew when the step began. */
  known: ReadonlySet<string>
}

const mostRead = 50
/** Larger ones have something in them. */
const largestRead = 4 * 1024 * 1024

const isDocument = (path: string) => /\.md$/i.test(path)

/** Why documents that were found do not show the step to be done, a line each. */
export async function emptyWords(shown: Shown, { looked }: Finding): Promise<string[]> {
  const doubts: string[] = []
  for (const one of looked) {
    if (!one.found) continue
    const files = filesAt(shown.listing, one)
    if (files.length === 0) continue
    if (shown.commit !== null && files.every((file) => isFreshLink(shown, file))) {
      doubts.push(`${one.path} is a link that was made since the step began.`)
      continue
    }
    const isFolder = /^[^.*]+$/.test(one.path.slice(one.path.lastIndexOf('/') + 1))
    const isText = !isFolder && files.every(({ path }) => isDocument(path))
    const doubt = isText ? await ofDocuments(shown, one, files) : await ofFolder(shown, one, files)
    if (doubt !== undefined) doubts.push(doubt)
  }
  return doubts
}

/** It lies elsewhere, and git did not know the link, nor a folder that is one. */
function isFreshLink({ known }: Shown, { path, real }: ListedFile): boolean {
  const parts = path.split('/')
  return real !== undefined && !parts.some((_, at) => known.has(parts.slice(0, at + 1).join('/')))
}

/** Files of a path that was looked at: of a folder, all below it. */
function filesAt({ docs }: Pick<Listing, 'docs'>, { path }: Looked): ListedFile[] {
  const below = `${path.replace(/\/$/, '')}/**`
  return docs
    .filter(({ path: file }) => matchesGlob(path, file) || matchesGlob(below, file))
    .slice(0, mostRead)
}

/** A marker that a step was left out shows it to be done, whatever is in it (docs/lifecycle.md, "The worker"). */
const isSkipMarker = (path: string) => /skip|marker/i.test(path.slice(path.lastIndexOf('/') + 1))
const isKeeper = (path: string) => /(?:^|\/)(?:\.gitkeep|\.DS_Store)$/.test(path)

async function ofFolder({ root }: Shown, { path }: Looked, files: readonly ListedFile[]) {
  if (files.some((file) => isSkipMarker(file.path))) return undefined
  const filled = files.filter((file) => !isKeeper(file.path))
  const texts = await Promise.all(filled.map((file) => readSmall(root, file)))
  const isEmpty = (text: string | undefined, at: number) =>
    text !== undefined && (isDocument(filled[at]?.path ?? '') ? !saysSomething(text) : text.trim() === '')
  return filled.length > 0 && texts.every(isEmpty)
    ? `${path} holds files without anything in them.`
    : undefined
}

async function ofDocuments(shown: Shown, { path }: Looked, files: readonly ListedFile[]) {
  const { root, changed, known, begun, commit } = shown
  const texts = await Promise.all(files.map((file) => readSmall(root, file)))
  const says = files.filter((_, at) => texts[at] === undefined || saysSomething(texts[at] as string))
  if (says.length === 0) return `${path} has nothing in it but headings or places for what is to come.`
  if (commit === null || begun?.at === undefined) return undefined
  const { at } = begun
  const touched = says.filter((file) => file.mtime >= at && known.has(file.path) && !changed.has(file.path))
  if (touched.length === says.length)
    return `${path} was touched since the step began, and its content is as it was.`
  const hidden = await hiddenSince(
    { git: shown.git, root, start: commit, plan: '', touched: changed },
    says.map((file) => file.path),
  )
  if (hidden.length === says.length && says.every((file) => !known.has(file.path)))
    return `${path} is kept from git since the step began, so that no commit will hold it.`
  return await copied(shown, files, texts)
}

/** A few words may be the same in many documents with good reason. */
const shortestCopied = 300

/** A document that is, word for word, what showed an earlier step. */
async function copied(
  { listing, root, begun }: Shown,
  files: readonly ListedFile[],
  texts: readonly (string | undefined)[],
) {
  const earlier = (begun?.shown ?? []).flatMap(({ paths }) => paths)
  const others = listing.docs.filter(
    ({ path }) =>
      isDocument(path) &&
      !files.some((file) => file.path === path) &&
      earlier.some((glob) => matchesGlob(glob, path)),
  )
  const known = new Map<string, string>()
  for (const file of others.slice(0, mostRead)) {
    const text = await readSmall(root, file)
    if (text !== undefined && text.trim().length >= shortestCopied) known.set(text.trim(), file.path)
  }
  const copies = files.map((_, at) => known.get((texts[at] ?? '').trim()))
  const [first] = copies
  return copies.every((copy) => copy !== undefined)
    ? `${files[0]?.path} is, word for word, ${first}, which is of an earlier step.`
    : undefined
}

/** The text of a file; undefined where it is too large, or none. */
async function readSmall(root: string, { path, size, real = path }: ListedFile): Promise<string | undefined> {
  if (size > largestRead) return undefined
  return (await readText({ root }, real).catch(() => undefined)) ?? undefined
}
