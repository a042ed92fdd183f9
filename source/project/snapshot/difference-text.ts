import { lstatSync } from 'node:fs'
import { join } from 'node:path'
import { counted } from '../../counted.js'
import { unifiedDiff } from '../../documents/diff.js'
import { treeDifferences } from './compare.js'
import type { Difference } from './difference.js'
import { callGit, openPrivateRepository, type PrivateRepository } from './private-repository.js'
import { partOf } from './snapshot.js'
import type { SnapshotPlace } from './snapshot-types.js'
import { bytesOf } from './store.js'
import { isUnstored } from './work-tree.js'

const largestShown = 1024 * 1024

/**
 * What a difference is in full, for somebody who asks: a unified diff of texts, commits of a ref, values of a setting.
 * Always says something; what is not kept is named as such.
 */
export async function differenceText(place: SnapshotPlace, difference: Difference): Promise<string> {
  const { kind, name, before, after } = difference
  const repo = await openPrivateRepository(inPart(place, difference.part))
  if (kind === 'file' || kind === 'index') {
    const read = async (state?: string) => await blobOf(repo, state)
    return diffOf(name, await read(before), await read(after))
  }
  if (kind === 'protected' || kind === 'record') {
    const read = async (state?: string) => await keptOf(place.store, state)
    return diffOf(name, await read(before), await read(after))
  }
  if (kind === 'ref') return await refText(repo, difference)
  return [
    `- ${before ?? 'nothing'}`,
    `+ ${after ?? 'nothing'}`,
    ...(difference.detail ? [difference.detail] : []),
  ].join('\n')
}

/** A part may lie in a part: each directory on the way that is a repository is one. */
function inPart(place: SnapshotPlace, part = ''): SnapshotPlace {
  let found = place
  let from = 0
  for (let at = part.indexOf('/'); part !== ''; at = part.indexOf('/', at + 1)) {
    const path = part.slice(from, at === -1 ? undefined : at)
    if (at === -1) return partOf(found, path)
    if (!lstatSync(join(found.root, path, '.git'), { throwIfNoEntry: false })) continue
    found = partOf(found, path)
    from = at + 1
  }
  return found
}

type Read = Buffer | string | undefined

function diffOf(name: string, before: Read, after: Read): string {
  const words = [before, after].map((each) => (typeof each === 'string' ? each : undefined))
  if (words.some((each) => each !== undefined)) {
    const [was, is] = [before, after].map(
      (each, at) => words[at] ?? (each === undefined ? 'nothing' : 'a text'),
    )
    return `- ${was}\n+ ${is}`
  }
  const [was, is] = [before, after].map((each) => (each === undefined ? '' : each.toString()))
  return unifiedDiff(name, was ?? '', is ?? '') || 'The text is the same; only its mode or kind changed.'
}

function shownOf(bytes: Buffer): Read {
  if (bytes.length > largestShown) return `${counted(bytes.length, 'byte')}, too many to show`
  return bytes.includes(0) ? `${counted(bytes.length, 'byte that is', 'bytes that are')} no text` : bytes
}

async function blobOf(repo: PrivateRepository, state: string | undefined): Promise<Read> {
  const id = state?.split(/[ ;]/)[1]
  if (id === undefined || /^0+$/.test(id)) return undefined
  if (isUnstored(id)) return 'content that is not kept'
  const found = await callGit(repo, ['cat-file', 'blob', id])
  return found.code === 0 ? shownOf(found.stdout) : 'content that is gone'
}

async function keptOf(store: string, state: string | undefined): Promise<Read> {
  if (state === undefined) return undefined
  const [type = '', shape = ''] = state.split('|')
  const content = state.slice(type.length + shape.length + 2)
  const bytes = /^[0-9a-f]{64}$/.test(content) ? await bytesOf(store, content) : undefined
  return bytes === undefined ? `${type} ${shape} ${content}`.trim() : shownOf(bytes)
}

async function refText(repo: PrivateRepository, { name, before, after }: Difference): Promise<string> {
  const lines = [`${name}: ${before ?? 'nothing'} -> ${after ?? 'nothing'}`]
  const id = /^[0-9a-f]{40,64}$/
  if (before && after && id.test(before) && id.test(after)) {
    const log = async (range: string, mark: string) => {
      const found = await callGit(repo, ['log', '--format=%h %s', '--max-count=50', range, '--'])
      for (const line of found.stdout.toString('utf8').split('\n'))
        if (line !== '') lines.push(`${mark} ${line}`)
    }
    await log(`${after}..${before}`, '-')
    await log(`${before}..${after}`, '+')
    lines.push(
      `${counted((await treeDifferences(repo, before, after)).size, 'file differs', 'files differ')} between the two.`,
    )
  }
  return lines.join('\n')
}

/** Both texts of a file, empty where there is none; undefined where one of them is not kept or is no text. */
export async function textsOf(
  place: SnapshotPlace,
  difference: Difference,
): Promise<{ before: string; after: string } | undefined> {
  const { kind, before, after } = difference
  const repo = await openPrivateRepository(inPart(place, difference.part))
  const read = async (state?: string) =>
    kind === 'protected' || kind === 'record' ? await keptOf(place.store, state) : await blobOf(repo, state)
  const [was, is] = [await read(before), await read(after)]
  if (typeof was === 'string' || typeof is === 'string') return undefined
  return { before: was?.toString('utf8') ?? '', after: is?.toString('utf8') ?? '' }
}
