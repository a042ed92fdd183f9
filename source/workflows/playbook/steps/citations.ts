import { readText } from '../../../project/text-files.js'
import type { Pass } from '../pass.js'
import { tell } from '../progress.js'
import { rootOf } from '../work.js'

// Files and lines that agents name as evidence, held against the project (docs/playbook-checks.md, "Results").

const citation =
  /([\p{L}\p{N}\p{M}_@.[$~-][\p{L}\p{N}\p{M}_@./()[\]$+~-]{0,200}\.[A-Za-z][A-Za-z0-9]{0,7})(?::L?|#L)(\d{1,7})/gu
const address = /\b[a-z][a-z0-9+.-]{1,20}:\/\/\S{1,500}/gi

interface Citation {
  path: string
  line: number
}

/** What a text names as `path/to/file.ts:12`; addresses of the net are none. */
export function citationsOf(text: string): Citation[] {
  return [...text.replace(address, '').matchAll(citation)].map(([, path = '', line = '']) => ({
    path: opened(path).replace(/^(?:\.?\/)+/, ''),
    line: Number(line),
  }))
}

/** `parse(src/a.ts` is a path behind an open bracket; `app/(auth)/a.ts` and `[id].tsx` have a pair in them. */
function opened(path: string): string {
  const [round, square] = [path.lastIndexOf('('), path.lastIndexOf('[')]
  const from = Math.max(path.includes(')', round) ? -1 : round, path.includes(']', square) ? -1 : square)
  return path.slice(from + 1)
}

/** A name is enough where it is the end of a path, as people shorten it, or where a blank in the path cuts it. */
function means(known: string, named: string): boolean {
  // One name is composed on one machine, and not on another.
  const [path, said] = [known.normalize(), named.normalize()]
  return (
    path === said ||
    path.endsWith(`/${said}`) ||
    path.endsWith(` ${said}`) ||
    (path.includes('/') && said.endsWith(`/${path}`))
  )
}

/** Files of one name in a project; more are not read. */
const mostFiles = 10

/**
 * Those of these texts that name files and lines, none of which is there, or was there before the phase.
 */
export async function citingNothing(pass: Pass, texts: readonly string[]): Promise<string[]> {
  const cited = texts.map((text) => ({ text, citations: citationsOf(text) }))
  if (cited.every(({ citations }) => citations.length === 0)) return []
  const known = await knownPaths(pass)
  const lengths = new Map<string, number>()
  const made: string[] = []
  for (const { text, citations } of cited) {
    if (citations.length === 0) continue
    const there = await Promise.all(citations.map((one) => isThere(pass, one, { known, lengths })))
    if (!there.some(Boolean)) made.push(text)
  }
  return made
}

/**
 * The same as a step of the run, and told where there are any.
 *
 * @param key of the step, unique in the pass
 * @param words what is told of them
 */
export async function toldMadeUp(
  pass: Pass,
  key: string,
  texts: readonly string[],
  words: (made: readonly string[]) => string,
): Promise<string[]> {
  const made = await pass.run.step(`${pass.at}${key}`, () => citingNothing(pass, texts))
  if (made.length > 0) await tell(pass, `${key}-says`, words(made), 'warning')
  return made
}

interface Known {
  known: readonly string[]
  /** Lines of the files that were looked at. */
  lengths: Map<string, number>
}

async function knownPaths({ git, input }: Pass): Promise<string[]> {
  const [head, dirty] = [await git.head(), await git.dirty()]
  return [
    ...new Set([
      ...(head === null ? [] : await git.pathsAt(head)),
      ...((await git.exists(input.checkpoint)) ? await git.pathsAt(input.checkpoint) : []),
      ...dirty.map(({ path }) => path),
    ]),
  ]
}

async function isThere(pass: Pass, { path, line }: Citation, { known, lengths }: Known): Promise<boolean> {
  const isPlanning = path.startsWith('.planning/')
  const files = isPlanning ? [path] : known.filter((one) => means(one, path)).slice(0, mostFiles)
  // What git does not know, such as what was built, is looked for by its whole path.
  for (const file of files.length > 0 ? files : [path]) {
    const lines = lengths.get(file) ?? (await linesOf(pass, file))
    lengths.set(file, lines)
    if (line >= 1 && line <= lines) return true
  }
  return false
}

/** The longer of what is there now and what was there before the phase; 0 for no file. */
async function linesOf(pass: Pass, path: string): Promise<number> {
  const texts = [
    await readText(rootOf(pass), path).catch(() => undefined),
    await pass.git.textAt(pass.input.checkpoint, path).catch(() => undefined),
  ]
  return Math.max(...texts.map((text) => (text === undefined ? 0 : text.split('\n').length)))
}
