import { createHash, randomBytes } from 'node:crypto'
import { lstatSync } from 'node:fs'
import { mkdir, open, readFile, rename, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { Problem } from '../../problem.js'

// What snapshots keep, each under the sha256 of its bytes (docs/evidence.md, "Snapshots").

export function digestOf(bytes: string | Buffer): string {
  return createHash('sha256').update(bytes).digest('hex')
}

function placeOf(store: string, digest: string): string {
  if (!/^[0-9a-f]{64}$/.test(digest)) throw lost(store, digest)
  return join(store, 'bytes', digest.slice(0, 2), digest.slice(2))
}

/** Keeps bytes, once, and gives their digest. */
export async function keepBytes(store: string, bytes: Buffer): Promise<string> {
  const digest = digestOf(bytes)
  const place = placeOf(store, digest)
  if (isKept(store, digest)) return digest
  await mkdir(join(store, 'bytes', digest.slice(0, 2)), { recursive: true, mode: 0o700 })
  await writeWhole(place, bytes)
  return digest
}

export function isKept(store: string, digest: string): boolean {
  return lstatSync(placeOf(store, digest), { throwIfNoEntry: false }) !== undefined
}

/** The bytes of a digest; undefined where they are gone or are not those any more. */
export async function bytesOf(store: string, digest: string): Promise<Buffer | undefined> {
  const bytes = await readFile(placeOf(store, digest)).catch(() => undefined)
  return bytes !== undefined && digestOf(bytes) === digest ? bytes : undefined
}

/** When these bytes were kept first, in epoch milliseconds; 0 where they are gone. */
export function keptAt(store: string, digest: string): number {
  return lstatSync(placeOf(store, digest), { throwIfNoEntry: false })?.mtimeMs ?? 0
}

/** Keeps plain data; the same data has the same digest. */
export async function keepData(store: string, data: unknown): Promise<string> {
  return await keepBytes(store, Buffer.from(JSON.stringify(data), 'utf8'))
}

/** Plain data that `keepData` kept. Throws a Problem ('unreadable') where it is lost. */
export async function dataOf<Data>(store: string, digest: string): Promise<Data> {
  const bytes = await bytesOf(store, digest)
  if (bytes === undefined) throw lost(store, digest)
  return JSON.parse(bytes.toString('utf8')) as Data
}

/** Replaces a file so that it is whole at each moment. Not synced: what a power cut takes is made again. */
export async function writeWhole(path: string, bytes: string | Buffer): Promise<void> {
  const temporary = `${path}.${process.pid}-${randomBytes(4).toString('hex')}.tmp`
  const file = await open(temporary, 'wx', 0o600)
  try {
    await file.writeFile(bytes)
  } finally {
    await file.close()
  }
  await rename(temporary, path).catch(async (error: unknown) => {
    await unlink(temporary).catch(() => undefined)
    throw error
  })
}

/** Does something with many items, some at a time, in no order. */
export async function forEachOf<Item>(
  items: readonly Item[],
  action: (item: Item) => Promise<void>,
  atOnce = 16,
): Promise<void> {
  let next = 0
  const worker = async () => {
    for (let item = items[next++]; item !== undefined; item = items[next++]) await action(item)
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, worker))
}

function lost(store: string, digest: string): Problem {
  return new Problem({
    code: 'unreadable',
    what: `What a snapshot kept as ${digest.slice(0, 12)} in ${store} is gone or was changed.`,
    why: 'Without it nobody can tell what the last dispatch changed.',
    todo: 'Look at the changes with git yourself; the next dispatch gets a new snapshot.',
  })
}
