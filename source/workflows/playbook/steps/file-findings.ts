import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { readText } from '../../../project/text-files.js'
import { brokenData, brokenJsonBlocks, brokenReferences, faultText } from '../criteria/document-checks.js'
import { checkWires, orphanLine } from '../criteria/wire-check.js'
import type { FileFindings } from '../opinions.js'
import type { Pass } from '../pass.js'
import { isWork } from '../places.js'
import { logPathOf } from '../task-loop/log.js'
import { rootOf } from '../work.js'

/** Added files that nothing refers to, documents that name what is not there, data that does not parse. */
export async function fileFindings(pass: Pass): Promise<FileFindings> {
  const { git, input } = pass
  const root = rootOf(pass)
  const added = (await git.addedFiles(input.checkpoint)).filter(isWork)
  // What was moved was there, referred to or not.
  const moved = new Set(added.length === 0 ? [] : (await git.movedFrom(input.checkpoint)).values())
  const wires = await checkWires({
    added: added.filter((path) => !moved.has(path)),
    filesWith: (word) => git.filesWith(word),
    log: (await readText(root, logPathOf(pass))) ?? '',
  })
  const faults: string[] = []
  for (const path of (await git.changedFiles(input.checkpoint)).filter(isWork)) {
    const text = await readText(root, path).catch(() => undefined)
    if (text !== undefined) faults.push(...faultsOf(pass, path, text))
  }
  return {
    orphans: wires.filter(({ status }) => status === 'orphaned').map(({ path }) => orphanLine(path)),
    faults,
  }
}

function faultsOf(pass: Pass, path: string, text: string): string[] {
  const { type } = pass.facts
  const { root } = rootOf(pass)
  const isDocument = /\.mdx?$/i.test(path)
  const exists = (name: string) => existsSync(join(root, name))
  return [
    ...(isDocument && type === 'protocol' ? brokenReferences(path, text, exists) : []),
    ...(isDocument && type !== 'data' ? brokenJsonBlocks(path, text) : []),
    ...(isDocument ? [] : brokenData(path, text)),
  ].map(faultText)
}
