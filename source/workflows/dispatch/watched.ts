import { createHash } from 'node:crypto'
import { lstatSync } from 'node:fs'
import { join } from 'node:path'
import type { PinnedFile, Sight } from '../../agents/confinement.js'
import type { Around } from '../../run/run.js'
import {
  aroundDispatch,
  type Before,
  type Left,
  leftSince,
  type WatchedDispatch,
} from '../evidence/around-dispatch.js'
import { backendFilesOf } from '../evidence/backend-files.js'
import { isChecking } from '../evidence/contract.js'
import type { DispatchGround } from '../evidence/ground.js'
import { pinnedInstructions } from '../evidence/instructions.js'
import type { Snapshots } from '../evidence/project-watch.js'
import { shareTree } from '../evidence/shared-tree.js'
import { settleTouched, type TouchedLog, type TouchedSetting } from '../evidence/touched.js'
import { settleDirty } from './dirty.js'
import type { Try } from './tries.js'

// A dispatch, watched: what is seen before and after it, and what is asked about it (docs/evidence.md).

/** A dispatch that is watched, with what a person can decide about it. */
export interface Watched<State> extends WatchedDispatch {
  log: TouchedLog<State>
  handOver(key: string, paths: readonly string[]): Promise<void>
}

export async function watchedDispatch<State, Result>(one: Try<State, Result>): Promise<Watched<State>> {
  const { setting, request } = one
  const { tools, grounds } = setting
  const snapshots = placedIn(tools.snapshots, request.cwd)
  const ground = await grounds.of(request.persona, request.brief)
  const backend = tools.backendFor(request.persona)
  return {
    watch: {
      snapshots,
      session: tools.place,
      frozen: ground.ground.frozen,
      ownSubjects: ground.ground.ownSubjects ?? [],
    },
    ground,
    beforehand: () => grounds.beforehand(),
    handOver: (key, paths) => grounds.handOver(key, paths),
    log: grounds.log,
    backendFiles: backendFilesOf(backend.id, backend.label),
  }
}

/** A work tree of its own has snapshots of its own. */
function placedIn(snapshots: Snapshots, cwd: string | undefined): Snapshots {
  if (cwd === undefined) return snapshots
  const { place } = snapshots
  const name = createHash('sha256').update(cwd).digest('hex').slice(0, 16)
  return {
    ...snapshots,
    place: { ...place, root: join(place.root, cwd), store: join(place.store, 'trees', name) },
  }
}

/** The two looks of a dispatch; those that work in one tree at the same time are compared once. */
export function around<State, Result>(one: Try<State, Result>, watched: WatchedDispatch): Around {
  const { title } = one.request
  return shareTree({
    session: one.setting.tools.snapshots,
    tree: watched.watch.snapshots.place.root,
    title,
    writes: writes(watched.ground),
    around: aroundDispatch(watched),
  })
}

const writes = ({ contract }: DispatchGround) => contract.may.includes('project files')

/** What a confined dispatch that checks sees: some files as they were before or not at all, all of them read-only. */
export async function sightOf<State, Result>(
  one: Try<State, Result>,
  { ground, watch }: WatchedDispatch,
): Promise<Sight> {
  const { tools } = one.setting
  if (tools.confinement === undefined || !isChecking(ground.contract)) return { pinned: [], isBlind: false }
  const instructions = await pinnedInstructions(watch.snapshots.place, ground.checksSince)
  // Who works in a work tree of its own can read the project as well.
  const roots = [...new Set([watch.snapshots.place.root, tools.root])]
  const hidden = roots.flatMap((root) => (ground.hides ?? []).map((path) => join(root, path)))
  const there = hidden.filter((path) => lstatSync(path, { throwIfNoEntry: false })?.isFile())
  return {
    pinned: [...instructions, ...there.map((path): PinnedFile => ({ path, content: notShown }))],
    isBlind: ground.hides !== undefined,
  }
}

/** Said to a role that looks for it, since an empty file would be a fault of whoever wrote it. */
const notShown = Buffer.from('Not shown to this role: it judges by itself.\n')

/** What processes of this dispatch have left that ended before it had an outcome. */
export async function settleSince<State, Result>(
  one: Try<State, Result>,
  watched: Watched<State>,
): Promise<void> {
  const { setting, key } = one
  for (const [index, broken] of setting.run.broken(key).entries()) {
    const { before, left, dispatchId } = broken
    if (before === undefined && left === undefined) continue
    const at = `${key}-since-${index + 1}`
    const seen = await setting.run.step(at, async (): Promise<Left> => {
      if (left !== undefined) return left as Left
      return await leftSince(watched, before as Before)
    })
    await settle(one, watched, { key: `${at}-touched`, dispatchId, left: seen as unknown as Left })
  }
}

/** What the person has uncommitted in files that the plan names. */
export async function settleOwnChanges<State, Result>(
  one: Try<State, Result>,
  watched: Watched<State>,
): Promise<void> {
  if (writes(watched.ground)) await settleDirty(one, watched)
}

/** What a finished dispatch has left. */
export async function settleAfter<State, Result>(
  one: Try<State, Result>,
  watched: Watched<State>,
  reply: { dispatchId: string; left?: unknown },
): Promise<void> {
  if (reply.left === undefined) return
  const { dispatchId, left } = reply
  await settle(one, watched, { key: `${one.key}-touched`, dispatchId, left: left as Left })
}

async function settle<State, Result>(
  { setting, request }: Try<State, Result>,
  { watch, ground, log }: Watched<State>,
  what: { key: string; dispatchId: string; left: Left },
): Promise<void> {
  const { run, tools } = setting
  const { persona, title } = request
  const { beside } = what.left
  const { place } = watch.snapshots
  const sessionDir = join(tools.root, tools.place.sessionDir)
  const touched: TouchedSetting<State> = { run, log, place, sessionDir, now: tools.now }
  await settleTouched(touched, {
    ...what,
    persona,
    title,
    checks: isChecking(ground.contract),
    ...(beside ? { beside } : {}),
  })
}
