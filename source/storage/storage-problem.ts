import { statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import { lackOfRoom, Problem, todoOfRefusal } from '../problem.js'

// docs/durability.md, "When saving fails": which errors can be tried again, and which end the store.

const deadCodes = new Set(['EIO', 'ENXIO', 'ENODEV', 'EUCLEAN'])

/** The system's error code, such as `ENOENT`; undefined for anything else that was thrown. */
export function errorCode(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined
  return typeof error.code === 'string' ? error.code : undefined
}

export function isMissing(error: unknown): boolean {
  const code = errorCode(error)
  return code === 'ENOENT' || code === 'ENOTDIR'
}

export interface FailedOperation {
  path: string
  /** What was being done, as in "saving" or "reading". */
  doing: string
  /** An fsync that fails leaves pages in an unknown state, so only a full disk may be tried again. */
  syncing?: boolean
}

/**
 * The Problem for an error of the file system: `disk-full` (can be tried again), `storage-dead` (must not be) or
 * `storage` (named with its path; nothing new starts). A Problem is handed through unchanged.
 */
export async function storageProblem(error: unknown, failed: FailedOperation): Promise<Problem> {
  if (error instanceof Problem) return error
  const code = errorCode(error) ?? (error instanceof Error ? error.message : String(error))
  const lack = lackOfRoom(code)
  if (lack) return diskFull(error, failed, lack)
  if (deadCodes.has(code) || failed.syncing) {
    return new Problem({
      code: 'storage-dead',
      what: `The disk failed while ${failed.doing} ${failed.path} (${code}).`,
      why: 'After such a failure nothing that was written lately can be trusted, so autopilot stops at once.',
      todo: 'Check the disk and its file system, then start autopilot again to resume.',
      cause: error,
    })
  }
  return new Problem({
    code: 'storage',
    what: `${failed.path} cannot be used: ${failed.doing} failed with ${code}.`,
    why: 'Without this file the session cannot be kept safely, so nothing new was started.',
    todo: todoOfRefusal(code),
    cause: error,
  })
}

async function diskFull(
  error: unknown,
  failed: FailedOperation,
  { what, todo }: { what: string; todo: string },
): Promise<Problem> {
  const free = await freeBytes(failed.path)
  const space = free === undefined ? '' : ` ${Math.floor(free / 1024)} KB are free.`
  return new Problem({
    code: 'disk-full',
    what: `${what}: ${failed.doing} ${failed.path} failed.${space}`,
    why: 'What was saved before is as it was; nothing new starts before there is room.',
    todo,
    cause: error,
  })
}

/** Bytes that this user can still write on the disk of `path`; undefined if the system does not say. */
export async function freeBytes(path: string): Promise<number | undefined> {
  try {
    const stats = await statfs(dirname(path))
    return stats.bavail * stats.bsize
  } catch {
    return undefined
  }
}
