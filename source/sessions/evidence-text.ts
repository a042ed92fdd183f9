import { constants } from 'node:fs'
import { type FileHandle, lstat, open } from 'node:fs/promises'
import { join } from 'node:path'
import { checkContained } from '../storage/contained-path.js'
import type { Evidence } from '../view/question.js'

/** Bytes of one piece of evidence that are shown; more than that nobody reads at a gate. */
const mostBytes = 512 * 1024

/** Absolute path of a regular file in the project; undefined for anything else, and for what leads out of it. */
export async function editableFile(root: string, path: string): Promise<string | undefined> {
  const full = join(root, path)
  try {
    await checkContained(full, root)
    return (await lstat(full)).isFile() ? full : undefined
  } catch {
    return undefined
  }
}

/** Bytes of a diff that are shown. */
const mostDiffBytes = 2 * 1024 * 1024

/** What git says changed since a commit, as text. */
export type ReadChanges = (since: string, capBytes: number) => Promise<string>

/**
 * Lines of evidence whose text is not part of it: a file of the project, or the changes since a commit.
 *
 * @param root absolute path of the project
 */
export async function readAnyEvidence(
  root: string,
  evidence: Evidence,
  changes: ReadChanges,
): Promise<string[]> {
  if (evidence.since === undefined || evidence.lines) return await readEvidence(root, evidence)
  const lines = (await changes(evidence.since, mostDiffBytes)).split('\n')
  if (lines.at(-1) === '') lines.pop()
  return lines.length > 0 ? lines : ['(nothing has changed)']
}

/**
 * Lines of evidence that a question names by its path only: the beginning of a long file, the end of a long log.
 * Throws a Problem for a path that leads out of the project, and what the system says of a file that cannot be read.
 *
 * @param root absolute path of the project
 */
export async function readEvidence(root: string, { kind, path, lines }: Evidence): Promise<string[]> {
  if (lines || path === undefined) return lines ?? []
  const full = join(root, path)
  await checkContained(full, root)
  // Neither a link is followed nor does a pipe hold the screen up.
  const file = await open(full, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  try {
    return await shownLines(file, kind === 'log')
  } finally {
    await file.close()
  }
}

async function shownLines(file: FileHandle, fromEnd: boolean): Promise<string[]> {
  const facts = await file.stat()
  if (!facts.isFile()) return ['(this is no regular file, so it is not shown)']
  const { size } = facts
  const position = fromEnd ? Math.max(0, size - mostBytes) : 0
  const length = Math.min(size, mostBytes)
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), { position })
  const lines = buffer.toString('utf8', 0, bytesRead).split('\n')
  if (lines.at(-1) === '') lines.pop()
  if (size <= mostBytes) return lines
  // The line at the cut is not whole.
  return fromEnd
    ? ['(the beginning is in the file)', ...lines.slice(1)]
    : [...lines.slice(0, -1), '(the rest is in the file)']
}
