import { access, copyFile, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { isObject, type JsonObject, parseJson } from '../../documents/json.js'
import { sameContent } from '../../documents/same-content.js'
import { readDigest } from '../../ledger/summary-file.js'
import { Problem } from '../../problem.js'
import { readRegularText } from '../../storage/read-file.js'
import type { Place } from '../place.js'
import { sessionFiles } from './artifacts/files.js'
import { harnessPlaces, placeOfSlug, stateFileName } from './places.js'
import { sessionSlug } from './slug.js'

// Which session directory belongs to a spec (docs/harness.md).

/** The session of a spec: one that names it, else the directory that its path gives. */
export async function locate(root: string, specPath: string): Promise<Place> {
  const places = await harnessPlaces(root)
  const known = await Promise.all(places.map(async (place) => ({ place, spec: await specOf(root, place) })))
  const named = known.find(({ spec }) => spec === specPath)
  if (named) return named.place
  const slug = sessionSlug(specPath)
  const taken = known.find(({ place, spec }) => place.slug === slug && spec !== '' && spec !== specPath)
  if (taken) throw collision(slug, specPath, taken.spec)
  await importFirstVersion(root, slug, specPath)
  return placeOfSlug(slug)
}

/** The session whose spec is not where it was, and whose kept text this file says. */
export async function moved(
  root: string,
  specPath: string,
): Promise<{ place: Place; from: string } | undefined> {
  const text = await readRegularText(specPath, { root }).catch(() => undefined)
  const places = await harnessPlaces(root)
  const known = await Promise.all(places.map(async (place) => ({ place, state: await stateOf(root, place) })))
  if (text === undefined || known.some(({ state }) => state?.specPath === specPath)) return undefined
  for (const { place, state } of known) {
    const { specPath: from, approvedSpec: hash, currentState } = state ?? {}
    if (typeof from !== 'string' || typeof hash !== 'string' || currentState === 'DONE') continue
    if (await isThere(join(root, from))) continue
    const copy = sessionFiles(place.sessionDir).frozen(hash)
    const kept = await readRegularText(copy, { root }).catch(() => undefined)
    if (kept !== undefined && sameContent(kept, text)) return { place, from }
  }
  return undefined
}

function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}

/** The spec that a session names: in its state, else in the first note of its journal; empty where nothing does. */
async function specOf(root: string, place: Place): Promise<string> {
  const stored = (await stateOf(root, place))?.specPath
  if (typeof stored === 'string') return stored
  const reading = await readDigest(join(root, place.sessionDir), undefined).catch(() => undefined)
  return reading?.digest.subject ?? ''
}

/** The state file as it stands, whatever is in it. */
async function stateOf(root: string, place: Place): Promise<JsonObject | undefined> {
  const text = await readRegularText(place.stateFile, { root }).catch(() => undefined)
  return text === undefined ? undefined : stateIn(text)
}

function stateIn(text: string): JsonObject | undefined {
  const parsed = parseJson(text)
  return 'value' in parsed && isObject(parsed.value) ? parsed.value : undefined
}

function collision(slug: string, specPath: string, other: string): Problem {
  return new Problem({
    code: 'usage',
    what: `The session directory ${slug} belongs to ${other}, and ${specPath} would use the same one.`,
    why: 'Two specs in one session would overwrite each other.',
    todo: `Archive that session (finish it, then choose "archive and start fresh"), or rename one of the two specs.`,
  })
}

/** Version 1 kept one file for the whole project; it is copied into the session and stays where it is. */
async function importFirstVersion(root: string, slug: string, specPath: string): Promise<void> {
  const from = join(root, '.harness', stateFileName)
  const text = await readRegularText(from, { root }).catch(() => undefined)
  const named = text === undefined ? undefined : stateIn(text)?.specPath
  if (typeof named !== 'string' || named.replace(/^\.\//, '') !== specPath) return
  const place = placeOfSlug(slug)
  await mkdir(join(root, place.sessionDir), { recursive: true, mode: 0o700 })
  await copyFile(from, join(root, place.stateFile))
}
