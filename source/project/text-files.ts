import { access, mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { checkContained } from '../storage/contained-path.js'
import { writeDurable } from '../storage/durable-file.js'
import { readRegularText } from '../storage/read-file.js'

/** Where a project is on this machine. */
export interface ProjectRoot {
  /** Absolute path of the project. */
  root: string
}

/**
 * The text of a project file (repo-relative path), or undefined when there is none. What is no regular file, and other
 * failures, are thrown as a Problem.
 */
export async function readText(project: ProjectRoot, path: string): Promise<string | undefined> {
  return readRegularText(path, { root: project.root })
}

/**
 * Writes a project file as a whole, so that a crash leaves the old or the new text; makes its folder. Through no link: one
 * on the way is thrown as a Problem. Whoever the umask allows may read it, since people commit such files; those of a session lie
 * in folders of the person alone.
 */
export async function writeText(project: ProjectRoot, path: string, text: string): Promise<void> {
  const absolute = join(project.root, path)
  await checkContained(absolute, project.root)
  await mkdir(dirname(absolute), { recursive: true })
  await writeDurable(absolute, Buffer.from(text, 'utf8'), { readers: 'shared' })
}

export async function fileExists(project: ProjectRoot, path: string): Promise<boolean> {
  return access(join(project.root, path)).then(
    () => true,
    () => false,
  )
}
