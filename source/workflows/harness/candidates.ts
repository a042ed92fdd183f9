import { readdir, stat } from 'node:fs/promises'
import { join, posix } from 'node:path'
import { counted } from '../../counted.js'
import { readSpec } from '../../documents/spec.js'
import { readRegularText } from '../../storage/read-file.js'
import type { Candidate } from '../workflow.js'

const largestSpec = 1024 * 1024
const mostFiles = 2000

/** Specs whose phases can be read, below docs/ of a project: `proposal.md` and its like first. Nothing is executed. */
export async function candidates(root: string): Promise<Candidate[]> {
  const found: (Candidate & { literal: boolean })[] = []
  for (const path of await markdownFiles(root, 'docs')) {
    const info = await stat(join(root, path)).catch(() => undefined)
    if (!info || info.size > largestSpec) continue
    const text = (await readRegularText(path, { root }).catch(() => undefined)) ?? ''
    const { reading, phases, title, section } = readSpec(text)
    if (phases.length === 0 || section === null || reading === 'numbered' || reading === 'none') continue
    const size = counted(phases.length, 'phase')
    found.push({
      workflow: 'harness',
      subject: path,
      title: title ?? path,
      size,
      detail: `${size}, reading: ${reading}`,
      literal: reading === 'literal',
    })
  }
  return found
    .sort((a, b) => Number(b.literal) - Number(a.literal) || a.subject.localeCompare(b.subject))
    .map(({ literal: _, ...candidate }) => candidate)
}

async function markdownFiles(root: string, top: string): Promise<string[]> {
  const files: string[] = []
  const open = [top]
  while (open.length > 0 && files.length < mostFiles) {
    const dir = open.shift() as string
    const entries = await readdir(join(root, dir), { withFileTypes: true }).catch(() => [])
    for (const entry of entries) {
      const path = posix.join(dir, entry.name)
      if (entry.isDirectory() && !entry.name.startsWith('.') && entry.name !== 'plans') open.push(path)
      else if (entry.isFile() && entry.name.endsWith('.md') && entry.name !== 'roadmap.md') files.push(path)
    }
  }
  return files
}
