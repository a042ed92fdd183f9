import { access, chmod, mkdir, rename } from 'node:fs/promises'
import { basename, join, posix } from 'node:path'
import { backupPath, readVerified } from '../storage/durable-file.js'
import type { Place } from '../workflows/place.js'
import { archiveSeal } from './seal-place.js'
import type { SessionAt } from './session.js'

/**
 * Moves a session out of the way, to `<archive of the workflow>/<slug>-YYYY-MM-DD[-n]`, or of a directory that outlives
 * its runs what belongs to this one, to the name that its state gives it. Returns the repo-relative path.
 */
export async function archive<State extends object>(
  session: SessionAt<State>,
  state?: State,
): Promise<string> {
  const { root, workflow, place } = session
  const top = join(root, workflow.archiveDir)
  await mkdir(top, { recursive: true, mode: 0o700 })
  // Made by an earlier version, perhaps, for everybody to read.
  await chmod(top, 0o700)
  const name = await nextName(session, top, state)
  const target = join(top, name)
  if (workflow.archives) await moveEntries(session, target)
  else {
    await rename(join(root, place.sessionDir), target)
    await moveState(root, place, target)
    await archiveSeal(root, place, target)
  }
  return posix.join(workflow.archiveDir, name)
}

function nextName<State extends object>(
  session: SessionAt<State>,
  top: string,
  state: State | undefined,
): Promise<string> {
  const day = new Date().toISOString().slice(0, 10)
  return freeName(session, top, nameOf(session, state) ?? `${session.place.slug}-${day}`)
}

/** Where a finished run can be looked at: the archive that it goes to at once, or where it is; repo-relative. */
export async function restingPlace<State extends object>(
  session: SessionAt<State>,
  state: State,
): Promise<string> {
  const { root, workflow, place } = session
  if (!workflow.archives) return place.sessionDir
  const name = await nextName(session, join(root, workflow.archiveDir), state)
  return posix.join(workflow.archiveDir, name)
}

/**
 * A finished run goes to the archive at once where its directory outlives it; undefined where the session stays where
 * it is until a person opens it again.
 */
export async function archiveFinished<State extends object>(
  session: SessionAt<State>,
  state: State,
): Promise<string | undefined> {
  return session.workflow.archives ? archive(session, state) : undefined
}

/** Goes on with moving a run that a process before has died over. The state file is what goes last. */
export async function finishArchive<State extends object>({
  root,
  workflow,
  place,
}: SessionAt<State>): Promise<void> {
  if (!workflow.archives || (await exists(join(root, place.sessionDir, journal)))) return
  const file = await readVerified(join(root, place.stateFile)).catch(() => undefined)
  const read = file?.kind === 'ok' ? workflow.codec(place).read(file.bytes) : undefined
  if (read?.kind !== 'ok') return
  const name = nameOf({ workflow }, read.state)
  if (name === undefined) return
  const target = join(root, workflow.archiveDir, name)
  const isHalf =
    (await exists(join(target, journal))) && !(await exists(join(target, basename(place.stateFile))))
  if (isHalf) await moveEntries({ root, workflow, place }, target)
}

/** What the state calls itself, where that can be the name of a folder. */
function nameOf<State extends object>(
  { workflow }: Pick<SessionAt<State>, 'workflow'>,
  state: State | undefined,
): string | undefined {
  const name = state && workflow.archives?.nameOf(state)
  return name !== undefined && /^[\w][\w.-]{0,127}$/.test(name) ? name : undefined
}

const journal = 'journal.jsonl'

/** The first name that is not taken; what an interrupted archive has begun is gone on with. */
async function freeName<State extends object>(
  { workflow, place }: SessionAt<State>,
  top: string,
  name: string,
): Promise<string> {
  const signs = workflow.archives ? [journal, basename(place.stateFile)] : ['.']
  for (let count = 1; ; count += 1) {
    const one = count === 1 ? name : `${name}-${count}`
    const taken = await Promise.all(signs.map((sign) => exists(join(top, one, sign))))
    if (!taken.includes(true)) return one
  }
}

/** The journal before its seal, and the state last: wherever this breaks off, what is left says how to go on. */
async function moveEntries<State extends object>(
  { root, workflow, place }: SessionAt<State>,
  target: string,
): Promise<void> {
  await mkdir(target, { recursive: true, mode: 0o700 })
  for (const name of [...(workflow.archives?.entries ?? []), journal])
    await moveInto(join(root, place.sessionDir, name), target)
  await archiveSeal(root, place, target)
  await moveState(root, place, target)
}

/** A state file that a workflow keeps elsewhere goes with its session, or the next one would find it. */
async function moveState(root: string, place: Place, target: string): Promise<void> {
  const { stateFile, backupFile = backupPath(stateFile) } = place
  for (const path of [backupFile, stateFile]) await moveInto(join(root, path), target)
}

async function moveInto(path: string, target: string): Promise<void> {
  if (await exists(path)) await rename(path, join(target, basename(path)))
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    (error: NodeJS.ErrnoException) => error.code !== 'ENOENT',
  )
}
