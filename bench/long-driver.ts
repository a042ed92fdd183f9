// Cases of bench/long.js, each in a process of its own with the collector of memory at hand:
// long-driver.mjs <directory> memory|search|transition|resume. Prints one line of JSON.
import { closeSync, fsyncSync, mkdirSync, mkdtempSync, openSync, renameSync, writeSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { diffJson } from '../source/ledger/json-patch.js'
import { openSessionStore, type SessionStore } from '../source/ledger/session-store.js'
import { jsonCodec } from '../source/ledger/state-codec.js'
import { createLiveStore } from '../source/run/live-store.js'
import { searchLog } from '../source/sessions/log-search.js'
import { hashOf } from '../source/storage/json-text.js'
import { paneRows } from '../source/ui/layout/panes.js'
import { createTheme } from '../source/ui/theme.js'
import type { RunSnapshot } from '../source/view/view.js'
import { dispatchTalker } from './talking-agent.js'

const [dir = '', kind = ''] = process.argv.slice(2)
const root = mkdtempSync(join(dir, `${kind}-`))
const MB = 1e6
const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

function heap(): number {
  globalThis.gc?.()
  return process.memoryUsage().heapUsed
}

/** An agent prints ten million lines of 50 bytes, and ten frames a second are drawn of them. */
async function memory(): Promise<object> {
  const wanted = 10_000_000
  const program = `
    const block = ${JSON.stringify(`${'the quick brown fox jumps over the lazy dog 12345'}\n`)}.repeat(1000)
    let left = ${wanted / 1000}
    const more = () => {
      while (left > 0) {
        left -= 1
        if (!process.stdout.write(block)) return void process.stdout.once('drain', more)
      }
      process.stdout.write('{"type":"end","result":{"ok":true}}\\n')
    }
    more()`
  const live = createLiveStore({ panes: [], paneRevision: 0, timeline: [] } as unknown as RunSnapshot)
  const pane = live.openPane({ id: 'd', persona: 'p', title: 't', attempt: 1, startedAt: 0 })
  const area = { width: 118, height: 30, theme: createTheme(true) }
  let first = 0
  const screen = setInterval(() => {
    paneRows(pane, undefined, area)
    if (first === 0 && pane.lines.total >= 100_000) first = heap()
  }, 100)
  await dispatchTalker(root, program, { live, pane })
  clearInterval(screen)
  return { grown: (heap() - first) / MB, lines: pane.lines.total }
}

/** The only hit is in the first line, and the search begins at the end. */
async function search(): Promise<object> {
  const lines = 1_000_000
  const file = await open(join(root, 'long.log'), 'w')
  await file.write('  the needle that is looked for\n')
  const block = '  the quick brown fox jumps over the lazy dog 1234\n'.repeat(10_000)
  for (let written = 1; written < lines; written += 10_000) await file.write(block)
  await file.close()
  const times: number[] = []
  const how = { shown: (line: string) => line, signal: new AbortController().signal }
  for (let round = 0; round < 7; round += 1) {
    const start = performance.now()
    const hit = await searchLog(root, 'long.log', { wanted: 'Needle', by: -1, from: undefined }, how)
    times.push(performance.now() - start)
    if (hit?.part !== 0) throw new Error('it was not found')
  }
  return { ms: median(times) }
}

const codec = jsonCodec(z.looseObject({ at: z.string() }))
type State = { at: string; [key: string]: unknown }

async function openStore(place: string): Promise<SessionStore<State>> {
  const seal = { path: `${place}.seal/seal.json`, key: Buffer.alloc(32, 7) }
  const options = { dir: place, root, stateFile: 'state.json', codec, version: 'bench', seal }
  const opening = await openSessionStore<State>(options)
  if (opening.kind !== 'ready') throw new Error(opening.kind)
  return opening.store
}

const visitOf = (visit: number) =>
  ({ type: 'visit', visit, state: 'WORK', workflow: 'bench', revision: 1, version: 'bench' }) as const

function firstState(): State {
  const notes = Array.from({ length: 1000 }, (_, id) => ({
    id,
    note: `what was decided of task ${id}`,
    done: false,
  }))
  return { at: 'STATE 0', text: 'x'.repeat(40_000), notes }
}

/** What a transition leaves of a state: one of its thousand notes is another one. */
function nextState(state: State, count: number): State {
  const notes = state.notes as { id: number }[]
  return {
    ...state,
    at: `STATE ${count}`,
    notes: notes.map((note) => (note.id === count ? { ...note, done: true } : note)),
  }
}

/** Write, sync, rename, sync of the directory: what a state of that size costs by itself. */
function putAlone(bytes: Buffer): void {
  const path = join(root, 'alone.json')
  const file = openSync(`${path}.new`, 'w')
  writeSync(file, bytes)
  fsyncSync(file)
  closeSync(file)
  renameSync(`${path}.new`, path)
  const folder = openSync(root, 'r')
  fsyncSync(folder)
  closeSync(folder)
}

/**
 * Of ours, `making` is what the program itself works on the next state: checked, written as text, hashed, compared with the one
 * before. A file alone is given its bytes.
 */
async function transition(): Promise<object> {
  const store = await openStore(join(root, 'session'))
  // Of a lock that was just taken nobody can tell whether it is written again, so it would be read at each step.
  await sleep(1100)
  const times: Record<'ours' | 'alone' | 'making', number[]> = { ours: [], alone: [], making: [] }
  await store.append(visitOf(1))
  await store.saveImage({ type: 'transition', visit: 1, from: 'WORK', to: 'WORK' }, firstState())
  let before = store.state
  for (let round = 2; round < 62; round += 1) {
    await store.append(visitOf(round))
    const state = nextState(before ?? firstState(), round)
    let start = performance.now()
    const { reading, bytes } = codec.prepare?.(state, before) ?? {}
    if (reading?.kind !== 'ok' || !bytes) throw new Error('the state cannot be written')
    hashOf(bytes)
    diffJson(before, reading.state)
    times.making.push(performance.now() - start)
    start = performance.now()
    putAlone(bytes)
    times.alone.push(performance.now() - start)
    start = performance.now()
    await store.saveImage({ type: 'transition', visit: round, from: 'WORK', to: 'WORK' }, state)
    times.ours.push(performance.now() - start)
    before = store.state
  }
  await store.close()
  return {
    ours: median(times.ours),
    alone: median(times.alone),
    making: median(times.making),
    kilobytes: JSON.stringify(firstState()).length / 1000,
  }
}

async function resume(): Promise<object> {
  const place = join(root, 'session')
  mkdirSync(place)
  let store = await openStore(place)
  const records = 100_000
  for (let index = 0; index < records; index += 1) {
    const visit = Math.floor(index / 500) + 1
    if (index % 500 === 0) await store.append(visitOf(visit))
    else if (index % 500 === 499)
      await store.saveImage({ type: 'transition', visit, from: 'WORK', to: 'WORK' }, { at: `STATE ${index}` })
    else
      await store.append({ type: 'step', visit, key: `step-${index}`, result: { text: 'a result', index } })
  }
  await store.close()
  const times: number[] = []
  for (let round = 0; round < 5; round += 1) {
    const start = performance.now()
    store = await openStore(place)
    times.push(performance.now() - start)
    await store.close()
  }
  return { ms: median(times) }
}

const cases: Record<string, () => Promise<object>> = { memory, search, transition, resume }
const found = cases[kind]
if (!found) throw new Error(`no such case: ${kind}`)
process.stdout.write(JSON.stringify(await found()))
