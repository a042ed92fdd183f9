/** Stable names of the failures that callers branch on; everything else is told to the user as it is. */
export type ProblemCode =
  | 'usage'
  | 'not-found'
  | 'outside'
  | 'repository'
  | 'unreadable'
  | 'newer-version'
  | 'unknown-workflow'
  | 'both-bad'
  | 'locked'
  | 'fenced'
  | 'foreign-edit'
  | 'disk-full'
  | 'storage-dead'
  | 'storage'
  | 'agent'
  | 'git'
  | 'trust'

/** The three parts that every error shown to a person has. */
export interface ProblemParts {
  code: ProblemCode
  what: string
  why: string
  todo: string
  cause?: unknown
}

/** A failure that a person is told about: what happened, why it matters, what to do. */
export class Problem extends Error {
  readonly code: ProblemCode
  readonly what: string
  readonly why: string
  readonly todo: string

  constructor(parts: ProblemParts) {
    super(parts.what, parts.cause === undefined ? undefined : { cause: parts.cause })
    this.name = 'Problem'
    this.code = parts.code
    this.what = parts.what
    this.why = parts.why
    this.todo = parts.todo
  }
}

/** A file that is not what it has to be: a person can put it right, and it is looked at again. */
export function isFileProblem(error: unknown): error is Problem {
  return error instanceof Problem && ['unreadable', 'outside', 'not-found'].includes(error.code)
}

/** What there is no room for, and what a person does about it; undefined for any other error code of the system. */
export function lackOfRoom(code: unknown): { what: string; todo: string } | undefined {
  if (code === 'ENOSPC' || code === 'EDQUOT')
    return { what: 'The disk is full', todo: 'Free some space on this disk, then retry.' }
  if (code !== 'EFBIG') return undefined
  const todo = 'Raise the limit of file sizes (ulimit -f; prlimit for a program that runs), then retry.'
  return { what: 'A file has reached the size that is allowed here', todo }
}

/** A failure for want of room on a disk, as a Problem; undefined for any other. */
export function fullDisk(error: unknown): Problem | undefined {
  if (error instanceof Problem) return error.code === 'disk-full' ? error : undefined
  const { code, path } = (typeof error === 'object' && error !== null ? error : {}) as {
    code?: unknown
    path?: unknown
  }
  const lack = lackOfRoom(code)
  if (lack === undefined) return undefined
  return new Problem({
    code: 'disk-full',
    what: `${lack.what}${typeof path === 'string' ? `: ${path} could not be written` : ''}.`,
    why: 'Finished work is kept as it is; nothing new starts before there is room.',
    todo: lack.todo,
    cause: error,
  })
}

/** What a person does where the system refuses a file with this code. */
export function todoOfRefusal(code: string): string {
  if (code === 'EACCES' || code === 'EPERM')
    return 'Make the file and its directory writable for you, then retry.'
  if (code === 'EROFS') return 'The file system is read-only: make it writable, then retry.'
  if (code === 'EMFILE' || code === 'ENFILE')
    return 'Too many files are open: close programs or raise the limit (ulimit -n), then retry.'
  return 'Check this path, then retry.'
}

const refusals = new Set([
  'EACCES',
  'EPERM',
  'EROFS',
  'ENOTDIR',
  'EISDIR',
  'ELOOP',
  'ENAMETOOLONG',
  'EMFILE',
  'ENFILE',
])

/** A path that the system refuses, as a Problem; undefined for any other failure. */
function refusedPath(error: unknown): Problem | undefined {
  const { code, path, syscall } = (typeof error === 'object' && error !== null ? error : {}) as Record<
    string,
    unknown
  >
  if (error instanceof Problem || typeof code !== 'string' || typeof path !== 'string') return undefined
  if (!refusals.has(code)) return undefined
  return new Problem({
    code: 'storage',
    what: `${path} cannot be used: ${typeof syscall === 'string' ? syscall : 'the system'} failed with ${code}.`,
    why: 'Without it autopilot cannot go on safely, so it has stopped here; what was saved before is as it was.',
    todo: todoOfRefusal(code),
    cause: error,
  })
}

/** The lines in which a failure is shown, whatever was thrown. */
export function problemLines(thrown: unknown): string[] {
  const error = fullDisk(thrown) ?? refusedPath(thrown) ?? thrown
  if (error instanceof Problem) return [error.what, error.why, error.todo]
  const message = error instanceof Error ? error.message : String(error)
  return [
    message,
    'This was not expected, so autopilot does not go on by itself.',
    'Start autopilot again to resume; if it repeats, report it with the session journal.',
  ]
}

/** What writing fails with where the reader has gone away: a pipe that was closed, a terminal that is no longer there. */
const gone = ['EPIPE', 'ECONNRESET', 'EIO', 'ERR_STREAM_DESTROYED']

/** Whether a write failed because nobody reads any more: `autopilot inspect … | head` has had enough, and that is no failure. */
export function isReaderGone(error: unknown): boolean {
  return error instanceof Error && 'code' in error && gone.includes(String(error.code))
}

/** The failure of an output as a person is told it. */
export function cannotWrite(error: unknown): Problem {
  return new Problem({
    code: 'storage',
    what: `The output cannot be written: ${error instanceof Error ? error.message : String(error)}.`,
    why: 'What the command has to say did not arrive as a whole.',
    todo: 'Write it to a place that takes it, and run the command again.',
    cause: error,
  })
}
