import { randomUUID } from 'node:crypto'
import { lstat, mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { counted } from '../../counted.js'
import { excerptDiff } from './excerpt-diff.js'
import { type Tool, ToolFailure } from './tool.js'

const inputSchema = z.object({ file_path: z.string().min(1), content: z.string() })
/** A file above this size is replaced without being shown first. */
const comparedBytes = 1024 * 1024

/** The real path of a file that may be changed; throws for one outside the project and for git's own. */
export type ResolveForChange = (path: string) => Promise<string>

/** Writes whole files, with the rights that a person's editor would give them. */
export function writeTool(resolve: ResolveForChange): Tool {
  const read = (input: unknown) => {
    const { data } = inputSchema.safeParse(input)
    if (!data) throw new ToolFailure('write needs a "file_path" and the "content", both texts.')
    return data
  }
  return {
    name: 'write',
    kind: 'edit',
    description:
      'Writes a text file of the project, in place of what it held; makes the directories it needs.',
    inputSchema: {
      type: 'object',
      properties: { file_path: { type: 'string' }, content: { type: 'string' } },
      required: ['file_path', 'content'],
    },
    title: (input) => inputSchema.safeParse(input).data?.file_path ?? 'write',
    async wish(input) {
      const { file_path, content } = read(input)
      const before = await present(await resolve(file_path))
      return {
        kind: 'edit',
        title: 'Write a file',
        detail: file_path,
        diff: excerptDiff(file_path, before, content),
      }
    },
    async run(input, run) {
      const { file_path, content } = read(input)
      await replace(await resolve(file_path), content)
      run.output.push(`wrote ${counted(Buffer.byteLength(content), 'byte')} to ${file_path}`)
    },
  }
}

/** What a file holds, as far as it can be shown. */
async function present(path: string): Promise<string> {
  const stats = await stat(path).catch(() => undefined)
  if (!stats?.isFile() || stats.size > comparedBytes) return ''
  return readFile(path, 'utf8').catch(() => '')
}

async function replace(path: string, content: string): Promise<void> {
  const stats = await lstat(path).catch(() => undefined)
  if (stats && !stats.isFile()) throw new ToolFailure(`${path} is not a regular file.`)
  await mkdir(dirname(path), { recursive: true })
  const draft = join(dirname(path), `.${randomUUID()}.tmp`)
  try {
    const file = await open(draft, 'wx', 0o666)
    try {
      await file.writeFile(content)
      if (stats) await file.chmod(stats.mode & 0o777)
    } finally {
      await file.close()
    }
    await rename(draft, path)
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
}
