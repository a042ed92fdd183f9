import { readdir, readFile, stat } from 'node:fs/promises'
import { join, posix } from 'node:path'
import { readSpec } from '../../documents/spec.js'

export interface FoundSpec {
  /** Repo-relative. */
  path: string
  title: string
  reading: string
  phases: number
}

const largestSpec = 1024 * 1024
const mostFiles = 2000

/** Specs whose phases can be read, below docs/ of a project: `proposal.md` and its like first. Nothing is executed. */
export async function findSpecs(root: string): Promise<FoundSpec[]> {
  const found: FoundSpec[] = []
  for (const path of await markdownFiles(root, 'docs')) {
    const info = await stat(join(root, path)).catch(() => undefined)
    if (!info || info.size > largestSpec) continue
    const text = await readFile(join(root, path), 'utf8').catch(() => '')
    const { reading, phases, title, section } = readSpec(text)
    if (phases.length === 0 || section === null || reading === 'numbered' || reading === 'none') continue
    found.push({ path, title: title ?? path, reading, phases: phases.length })
  }
  const rank = (spec: FoundSpec) => (spec.reading === 'literal' ? 0 : 1)
  return found.sort((a, b) => rank(a) - rank(b) || a.path.localeCompare(b.path))
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
