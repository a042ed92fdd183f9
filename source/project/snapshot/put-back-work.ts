import { lstat, readdir } from 'node:fs/promises'
import type { Difference } from './difference.js'
import {
  copyAway,
  isInState,
  moveAway,
  placeContent,
  Refusal,
  removeEmptyParents,
  stateAt,
} from './file-states.js'
import { fileAt } from './path-bytes.js'
import { callGit, type PrivateRepository } from './private-repository.js'
import { keepFor, type PuttingBack } from './putting-back.js'
import { isUnstored } from './work-tree.js'

/** Gives a path of the work tree its bytes of before, or takes away what was not there. */
export async function putBackFile(setting: PuttingBack, difference: Difference): Promise<void> {
  const { repo } = setting
  const { name, before, after, traits } = difference
  const file = fileAt(repo.place.root, name)
  if (traits.includes('nested')) return await putBackNested(setting, difference)
  const now = await stateAt(repo, name)
  if (now === before || (await isInState(repo, name, before))) return
  const started = (await readdir(keepFor(setting, difference)).catch(() => [])).length > 0
  // A crash between the two leaves nothing in its place, and what was there is kept.
  if (!(await isInState(repo, name, after)) && !(started && now === undefined))
    throw new Refusal('it was changed again since')
  if (before === undefined) {
    setting.kept(difference, await moveAway(file, keepFor(setting, difference)))
    await removeEmptyParents(repo.place.root, name)
    return
  }
  const content = await contentOf(repo, before)
  if (now !== undefined) setting.kept(difference, await copyAway(file, keepFor(setting, difference)))
  await placeContent(repo.place.root, file, content)
}

/** Bytes and mode of a state. Throws a Refusal where they are not kept. */
export async function contentOf(
  repo: PrivateRepository,
  state: string,
): Promise<{ bytes: Buffer; mode: string }> {
  const [mode = '', id = ''] = state.split(' ')
  if (isUnstored(id)) throw new Refusal('its content is not kept: it is too large, or too much was there')
  const found = await callGit(repo, ['cat-file', 'blob', id])
  if (found.code !== 0) throw new Refusal('its content is gone from the repository')
  return { bytes: found.stdout, mode }
}

async function putBackNested(setting: PuttingBack, difference: Difference): Promise<void> {
  const file = fileAt(setting.repo.place.root, difference.name)
  const there = await lstat(file).catch(() => undefined)
  if (difference.change !== 'added') throw new Refusal('the content of a repository of its own is not kept')
  if (there) setting.kept(difference, await moveAway(file, keepFor(setting, difference)))
}

/** Takes away what an edited rule hid. */
export async function putBackHidden(setting: PuttingBack, difference: Difference): Promise<void> {
  const file = fileAt(setting.repo.place.root, difference.name)
  if (!(await lstat(file).catch(() => undefined))) return
  setting.kept(difference, await moveAway(file, keepFor(setting, difference)))
  await removeEmptyParents(setting.repo.place.root, difference.name)
}
