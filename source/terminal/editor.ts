import { spawn } from 'node:child_process'
import { constants } from 'node:fs'
import { open } from 'node:fs/promises'

/**
 * How an editor ended: `missing`: none is named; `failed` with what it says of itself. `changed`: the file is another one than
 * before, which an editor that failed may have done as well.
 */
export type EditorEnd =
  | { kind: 'missing' }
  | { kind: 'failed'; why: string; changed: boolean }
  | { kind: 'done'; changed: boolean }

/** How the program of an editor ended. */
type ProgramEnd = { kind: 'failed'; why: string } | { kind: 'done' }

/** The editor that a person has named, as git looks for it; undefined where none is. */
export function editorOf(environment: NodeJS.ProcessEnv): string | undefined {
  return [environment.VISUAL, environment.EDITOR].find((name) => name !== undefined && name.trim() !== '')
}

/** As git starts it: the shell splits its words. Ctrl+Z would stop it alone, and nobody would wake it. */
function commandLine(editor: string): string {
  return `trap '' TSTP; exec ${editor} "$1"`
}

/**
 * Opens a file in the editor of the person, with the terminal of this process. The words of $EDITOR are split by the
 * shell, as everywhere. While it runs the keys that end programs are its own.
 *
 * @param path absolute
 */
export async function runEditor(
  path: string,
  environment: NodeJS.ProcessEnv = process.env,
): Promise<EditorEnd> {
  const editor = editorOf(environment)
  if (editor === undefined) return { kind: 'missing' }
  const before = await contentOf(path)
  const end = await runProgram(editor, path, environment)
  const after = await contentOf(path)
  const same = before === undefined || after === undefined ? before === after : before.equals(after)
  return { ...end, changed: !same }
}

/** Undefined where there is no regular file that can be read; nothing waits for what else may lie there. */
async function contentOf(path: string): Promise<Buffer | undefined> {
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK).catch(() => undefined)
  try {
    return (await file?.stat())?.isFile() ? await file?.readFile() : undefined
  } catch {
    return undefined
  } finally {
    await file?.close()
  }
}

function runProgram(editor: string, path: string, environment: NodeJS.ProcessEnv): Promise<ProgramEnd> {
  const ignored = ['SIGINT', 'SIGQUIT'] as const
  const nothing = () => undefined
  for (const signal of ignored) process.on(signal, nothing)
  return new Promise((resolve) => {
    const end = (result: ProgramEnd) => {
      for (const signal of ignored) process.off(signal, nothing)
      resolve(result)
    }
    const argv = ['-c', commandLine(editor), 'editor', path]
    const child = spawn('/bin/sh', argv, { stdio: 'inherit', env: environment })
    child.on('error', (error) => end({ kind: 'failed', why: error.message }))
    child.on('exit', (code, signal) => {
      if (code === 0) end({ kind: 'done' })
      else end({ kind: 'failed', why: signal === null ? codeText(code) : `it was ended by ${signal}` })
    })
  })
}

/** The shell ends with 127 where there is no such program, and with 126 where it cannot be executed. */
function codeText(code: number | null): string {
  if (code === 127) return 'there is no such program (code 127)'
  return code === 126 ? 'it cannot be executed (code 126)' : `it ended with code ${code}`
}
