import { chmod } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { parseGitConfig } from '../git-config.js'
import type { Difference } from './difference.js'
import { copyAway, moveAway, placeContent, Refusal } from './file-states.js'
import { readPlainText } from './plain-read.js'
import { mustGit, shownPath } from './private-repository.js'
import { lookAt, type ProtectedEntry, stateOf } from './protected.js'
import { keepFor, type PuttingBack } from './putting-back.js'
import { bytesOf, writeWhole } from './store.js'

/** Gives a protected file or a record its bytes, link and permissions of before, or takes away a new one. */
export async function putBackProtected(setting: PuttingBack, difference: Difference): Promise<void> {
  const { repo, reading } = setting
  const { root, store } = repo.place
  const kind = difference.kind === 'record' ? 'record' : 'file'
  const was = reading?.entries[`${kind} ${difference.name}`]
  if (difference.before !== undefined && was === undefined)
    throw new Refusal('what was protected before is not known any more')
  if (was?.type === 'text') throw new Refusal('it is a part of a file: put back the file')
  const path = was?.path ?? (difference.name.startsWith('/') ? difference.name : join(root, difference.name))
  const is = await lookAt({ store, root }, path)
  const now = is && stateOf(is)
  if (now === difference.before) return
  const keep = keepFor(setting, difference)
  if (is !== undefined && !sameContent(is, difference.after) && !sameContent(is, difference.before))
    throw new Refusal('it was changed again since')
  if (was === undefined) {
    if (is) setting.kept(difference, await moveAway(path, keep))
    return
  }
  if (is?.content !== was.content || is.type !== was.type) {
    const content = await contentBefore(store, was)
    if (is) setting.kept(difference, await copyAway(path, keep))
    await placeContent(root, path, content)
  } else if (was.type !== 'link') await chmod(path, Number.parseInt(modeOf(was), 8))
}

/** Links and owner may differ in the middle of it. */
function sameContent(entry: ProtectedEntry, state: string | undefined): boolean {
  if (state === undefined) return false
  return state.startsWith(`${entry.type}|`) && state.endsWith(`|${entry.content}`)
}

function modeOf({ shape }: ProtectedEntry): string {
  return /^mode ([0-7]+)/.exec(shape)?.[1] ?? '600'
}

async function contentBefore(store: string, was: ProtectedEntry): Promise<{ bytes: Buffer; mode: string }> {
  if (was.type === 'link') {
    const [target] = JSON.parse(was.content) as [string]
    return { bytes: Buffer.from(target, 'utf8'), mode: '120000' }
  }
  const bytes = was.type === 'file' && was.kept ? await bytesOf(store, was.content) : undefined
  if (bytes === undefined) throw new Refusal('its content is not kept')
  return { bytes, mode: modeOf(was) }
}

/** Gives one key of the repository's settings its values of before. */
export async function putBackConfig(setting: PuttingBack, difference: Difference): Promise<void> {
  const { repo } = setting
  const inWorktree = difference.name.startsWith('config.worktree ')
  // Of a submodule the file stands before the key.
  const at = difference.name.lastIndexOf('/config ')
  const inPart = at < 0 ? undefined : resolve(repo.place.root, difference.name.slice(0, at), 'config')
  const key = inWorktree
    ? difference.name.slice('config.worktree '.length)
    : difference.name.slice(inPart === undefined ? 0 : at + '/config '.length)
  if (key === '?') throw new Refusal('the line makes no sense to git, so it cannot be named to it')
  const path =
    inPart ?? join(inWorktree ? repo.gitDir : repo.commonDir, inWorktree ? 'config.worktree' : 'config')
  const valuesNow = parseGitConfig(await readPlainText(path)).flatMap((each) =>
    each.key === key ? [each.value] : [],
  )
  const [was, is] = [difference.before, difference.after].map(valuesOf)
  const now = JSON.stringify(valuesNow)
  if (now === JSON.stringify(was ?? [])) return
  const keep = keepFor(setting, difference)
  const note = join(keep, 'settings.json')
  const started = (await readPlainText(note)) !== ''
  if (now !== JSON.stringify(is ?? []) && !started) throw new Refusal('it was changed again since')
  if (!started) {
    setting.kept(difference, await copyAway(path, keep))
    await writeWhole(note, JSON.stringify({ file: shownPath(repo.place.root, path), key, values: valuesNow }))
  }
  const git = async (...args: string[]) => await mustGit(repo, ['config', '--file', path, ...args])
  if (valuesNow.length > 0) await git('--unset-all', key)
  for (const value of was ?? []) await git('--add', key, value)
}

function valuesOf(state: string | undefined): string[] | undefined {
  if (state === undefined) return undefined
  return JSON.parse(state.slice(state.indexOf('|', state.indexOf('|') + 1) + 1)) as string[]
}
