import { readdir, stat } from 'node:fs/promises'
import { isAbsolute, join, matchesGlob, relative } from 'node:path'
import { z } from 'zod'
import { type Tool, ToolFailure } from './tool.js'

const inputSchema = z.object({ pattern: z.string().min(1), path: z.string().optional() })
const shownFiles = 500
const visitedEntries = 200_000
const skipped = new Set(['.git', 'node_modules'])

export interface GlobOptions {
  cwd: string
  /** The real path of a directory inside the project; throws for one outside. */
  resolve(path: string): Promise<string>
}

/** Finds files by a pattern. Links are not followed, so that nothing outside the project is listed. */
export function globTool({ cwd, resolve }: GlobOptions): Tool {
  return {
    name: 'glob',
    kind: 'read',
    description:
      'Lists files of the project that match a pattern such as src/**/*.ts, the newest first. .git and node_modules are left out.',
    inputSchema: {
      type: 'object',
      properties: {
        pattern: { type: 'string', description: 'Relative to path.' },
        path: { type: 'string', description: 'Directory to look in; the project directory if left out.' },
      },
      required: ['pattern'],
    },
    title: (input) => inputSchema.safeParse(input).data?.pattern ?? 'glob',
    async run(input, run) {
      const { data } = inputSchema.safeParse(input)
      if (!data) throw new ToolFailure('glob needs a "pattern", a text that is not empty.')
      if (isAbsolute(data.pattern) || data.pattern.split(/[\\/{},]/).includes('..')) {
        throw new ToolFailure('The pattern must be relative and without "..": it may not leave the project.')
      }
      const project = await resolve('.')
      const root = await resolve(data.path ?? cwd)
      const found = await match(root, data.pattern, run.signal)
      if (found.length === 0) return run.output.push('no files match')
      const shown = found.slice(0, shownFiles).map((file) => relative(project, file))
      const more = found.length - shown.length
      run.output.push(more > 0 ? `${shown.join('\n')}\n(${more} more)` : shown.join('\n'))
    },
  }
}

async function match(root: string, pattern: string, signal: AbortSignal): Promise<string[]> {
  const found: { file: string; changed: number }[] = []
  const folders = [root]
  let visited = 0
  for (const folder of folders) {
    signal.throwIfAborted()
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
    for (const entry of entries) {
      visited += 1
      if (visited > visitedEntries) break
      const path = join(folder, entry.name)
      if (entry.isDirectory() && !skipped.has(entry.name)) folders.push(path)
      if (!entry.isFile() || !matchesGlob(relative(root, path), pattern)) continue
      const changed = await stat(path).then(
        (stats) => stats.mtimeMs,
        () => 0,
      )
      found.push({ file: path, changed })
    }
  }
  return found.sort((a, b) => b.changed - a.changed).map(({ file }) => file)
}
