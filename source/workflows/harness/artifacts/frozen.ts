import { createHash } from 'node:crypto'
import { sameContent } from '../../../documents/same-content.js'
import { Problem } from '../../../problem.js'
import { readText, writeText } from '../../../project/text-files.js'
import type { HarnessTools } from '../tools.js'
import { sessionFiles } from './files.js'

// The approved plan and the spec as they were read, kept by content: what is executed and judged is this text, whatever
// becomes of the file (docs/evidence.md, "Plan and spec"). The name of a copy is its hash, so a copy proves itself.

/** SHA-256 of a text, in hex: what an approval holds for. */
export function textHash(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

/** Keeps a copy; returns its hash. Safe to repeat. */
export async function freeze(tools: HarnessTools, text: string): Promise<string> {
  const hash = textHash(text)
  const path = sessionFiles(tools.sessionDir).frozen(hash)
  if ((await readText(tools, path).catch(() => undefined)) !== text) await writeText(tools, path, text)
  return hash
}

/** The text of that hash: from the copy, else from the file that was it; undefined where neither has it. */
export async function frozenText(
  tools: HarnessTools,
  hash: string,
  path?: string,
): Promise<string | undefined> {
  for (const file of [sessionFiles(tools.sessionDir).frozen(hash), ...(path === undefined ? [] : [path])]) {
    const text = await readText(tools, file).catch(() => undefined)
    if (text !== undefined && textHash(text) === hash) return text
  }
  return undefined
}

/** The same for a text that the run cannot do without. Throws a Problem ('not-found') with the place of the copy. */
export async function keptText(tools: HarnessTools, hash: string, path: string): Promise<string> {
  const text = await frozenText(tools, hash, path)
  if (text !== undefined) return text
  throw new Problem({
    code: 'not-found',
    what: `${sessionFiles(tools.sessionDir).frozen(hash)} is not there any more.`,
    why: `It is the copy of ${path} that was decided about; what the file says now is something else.`,
    todo: 'Put the copy back, or give the file the text it had.',
  })
}

/** Where agents read a kept text: in its file while that says the same, else in the copy. */
export async function pathOfKept(tools: HarnessTools, path: string, kept: string): Promise<string> {
  const text = await readText(tools, path).catch(() => undefined)
  if (text !== undefined && sameContent(text, kept)) return path
  return sessionFiles(tools.sessionDir).frozen(await freeze(tools, kept))
}
