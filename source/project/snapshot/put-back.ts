import { mkdir } from 'node:fs/promises'
import type { Difference, PutBackResult } from './difference.js'
import { Refusal } from './file-states.js'
import { openPrivateRepository } from './private-repository.js'
import { loadProtected } from './protected.js'
import { putBackConfig, putBackProtected } from './put-back-protected.js'
import { putBackBits, putBackIndex, putBackRef, putBackStash } from './put-back-refs.js'
import { putBackFile, putBackHidden } from './put-back-work.js'
import type { PuttingBack } from './putting-back.js'
import { inTurn, partOf } from './snapshot.js'
import type { PutBackRequest, SnapshotLists } from './snapshot-types.js'
import { dataOf } from './store.js'

/** What others stand on comes first: rules before files, what is in the way before what comes there, HEAD at last. */
const order = ['config', 'protected', 'record', 'hidden', 'file', 'ignored', 'stash', 'bits', 'index', 'ref']

/**
 * Puts back exactly these differences (docs/evidence.md, "Put back"). What is replaced is kept first. Where something is
 * neither as the differences say nor as it was before, somebody has worked on it since, and it is refused. May be called
 * again after a crash in the middle: what is done is found done.
 */
export async function putBack(request: PutBackRequest): Promise<PutBackResult> {
  const { place } = request
  return await inTurn(place.store, async () => {
    const result: PutBackResult = { done: [], refused: [], kept: [] }
    await mkdir(request.keep, { recursive: true, mode: 0o700 })
    const parts = new Map<string, Difference[]>()
    for (const each of request.differences) {
      const part = each.part ?? ''
      parts.set(part, [...(parts.get(part) ?? []), each])
    }
    for (const [part, differences] of parts) {
      const setting = await settingOf(request, part, result)
      for (const each of sorted(differences)) await one(setting, each, result)
    }
    return result
  })
}

function sorted(differences: readonly Difference[]): Difference[] {
  const rank = ({ kind, change, name }: Difference) =>
    order.indexOf(kind) * 10 + (change === 'added' ? 0 : 1) + (kind === 'ref' && name === 'HEAD' ? -1 : 0)
  return [...differences].sort((a, b) => rank(a) - rank(b))
}

async function settingOf(request: PutBackRequest, part: string, result: PutBackResult): Promise<PuttingBack> {
  let place = request.place
  let before = request.before
  let rest = part
  while (rest !== '') {
    const path = Object.keys(before.parts).find((each) => rest === each || rest.startsWith(`${each}/`))
    const inner = path === undefined ? undefined : before.parts[path]
    if (path === undefined || inner === undefined) break
    place = partOf(place, path)
    before = inner
    rest = rest.slice(path.length + 1)
  }
  const digest = part === '' ? request.protectedBefore : undefined
  return {
    repo: await openPrivateRepository(place),
    before,
    lists: await dataOf<SnapshotLists>(place.store, before.lists),
    reading: digest === undefined ? undefined : await loadProtected(place.store, digest),
    keep: request.keep,
    kept: ({ id }, where) => {
      if (!result.kept.some((each) => each.id === id && each.place === where))
        result.kept.push({ id, place: where })
    },
  }
}

async function one(setting: PuttingBack, difference: Difference, result: PutBackResult): Promise<void> {
  try {
    await byKind(setting, difference)
    result.done.push(difference.id)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    result.refused.push({ difference, reason })
  }
}

async function byKind(setting: PuttingBack, difference: Difference): Promise<void> {
  switch (difference.kind) {
    case 'file':
      return await putBackFile(setting, difference)
    case 'hidden':
      return await putBackHidden(setting, difference)
    case 'index':
      return await putBackIndex(setting, difference)
    case 'bits':
      return await putBackBits(setting, difference)
    case 'ref':
      return await putBackRef(setting, difference)
    case 'stash':
      return await putBackStash(setting, difference)
    case 'config':
      return await putBackConfig(setting, difference)
    case 'protected':
    case 'record':
      return await putBackProtected(setting, difference)
    case 'ignored':
      throw new Refusal('the content of ignored files is not kept')
  }
}
