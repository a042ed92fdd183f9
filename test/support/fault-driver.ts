import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { Problem } from '../../source/problem.js'
import { openScript, runScript, runStateFirst, stateFile } from './session-script.js'

// Runs inside `node --import fault-injector.mjs`. `matrix <root> <mode> <start>` tries a fault at every operation of
// the script and reopens twice; `once <dir>` runs the script in a process that the injector kills.
// It prints one JSON line.

interface Faults {
  watch(dir: string): void
  arm(at: number, mode: string): Promise<void>
  live<Done>(run: () => Promise<Done>): Promise<Done>
  disarm(): Promise<string[]>
}
const faults = (globalThis as unknown as { faults: Faults }).faults

/**
 * What a mode can tell from its neighbours. Freezing before a read, a sync or a close leaves the same files as freezing
 * before the next change, and half an operation differs from none only where bytes are written.
 */
const telling: Record<string, RegExp> = {
  freeze: /^(open-new|write|writeFile|appendFile|truncate|rename|link|unlink|mkdir) /,
  'half-freeze': /^(write|writeFile|appendFile) /,
}

export type Start =
  | 'fresh'
  | 'clean'
  | 'ahead'
  | 'torn-tail'
  | 'main-torn'
  | 'main-empty'
  | 'main-missing'
  | 'bak-torn'

/** A session directory in the given condition, and the last transition that was acknowledged in it. */
async function prepare(dir: string, start: Start): Promise<number> {
  mkdirSync(dir, { recursive: true })
  if (start === 'fresh') return 0
  let acknowledged = 0
  let earlier = ''
  await runScript(dir, 2, (rev) => {
    acknowledged = rev
    if (rev === 1) earlier = readFileSync(join(dir, stateFile), 'utf8')
  })
  const main = join(dir, stateFile)
  const half = (path: string) => truncateSync(path, Math.floor(readFileSync(path).length / 2))
  if (start === 'ahead') {
    writeFileSync(main, earlier)
    return acknowledged - 1
  }
  if (start === 'torn-tail') appendFileSync(join(dir, 'journal.jsonl'), '{"v":1,"id":"torn","rev":9,"ep')
  if (start === 'main-torn') half(main)
  if (start === 'main-empty') truncateSync(main, 0)
  if (start === 'main-missing') rmSync(main)
  if (start === 'bak-torn') half(`${main}.bak`)
  return acknowledged
}

/** The lock of a process that is gone: in this process the frozen program's lock would look alive. */
function buryLock(dir: string): void {
  for (const name of readdirSync(dir).filter((entry) => entry.startsWith('lock.json'))) {
    const path = join(dir, name)
    const owner = JSON.parse(readFileSync(path, 'utf8'))
    writeFileSync(path, JSON.stringify({ ...owner, pid: 999_999_999 }))
  }
}

/** Reopens twice. Returns what is wrong, if anything. */
async function verdict(dir: string, acknowledged: number): Promise<string | undefined> {
  for (const round of ['first', 'second']) {
    const opening = await openScript(dir)
    if (opening.kind === 'ask') {
      await opening.close()
      return `${round} open asks: ${opening.ask.kind}`
    }
    if (opening.kind !== 'ready') return `${round} open: ${opening.kind}`
    const { store } = opening
    const rev = store.state?.rev ?? 0
    const notices = [...store.notices]
    const temps = readdirSync(dir).filter((name) => name.endsWith('.tmp'))
    await store.close()
    if (rev < acknowledged || rev > acknowledged + 1)
      return `${round} open: rev ${rev}, acknowledged ${acknowledged}`
    if (temps.length > 0) return `${round} open leaves ${temps.join(' ')}`
    if (round === 'second' && notices.length > 0) return `second open is not clean: ${notices.join(' | ')}`
    if (rev > 0 && JSON.parse(readFileSync(join(dir, stateFile), 'utf8')).rev !== rev)
      return 'main is not the state'
  }
  return undefined
}

async function matrix(root: string, mode: string, start: Start, order: string) {
  const script = order === 'state-first' ? runStateFirst : runScript
  const template = join(root, 'template')
  const base = await prepare(template, start)
  const failures: string[] = []
  let points = 0
  // Two transitions where nothing has to be mended first, one elsewhere: later ones would repeat the same operations.
  const steps = start === 'fresh' || start === 'clean' ? 2 : 1
  const dir = join(root, 'session')
  const undisturbed = await dryRun(template, dir, (path) => script(path, steps, () => undefined))
  for (let at = 1; ; at++) {
    if (at <= undisturbed.length && telling[mode]?.test(undisturbed[at - 1] ?? '') === false) continue
    cpSync(template, dir, { recursive: true })
    faults.watch(dir)
    let acknowledged = base
    let thrown: unknown
    const frozen = faults.arm(at, mode)
    const acknowledge = (rev: number) => {
      acknowledged = rev
    }
    const ended = faults
      .live(() => script(dir, steps, acknowledge))
      .catch((error: unknown) => {
        thrown = error
      })
    await Promise.race([ended, frozen])
    const seen = await faults.disarm()
    if (seen.length < at) break
    points++
    buryLock(dir)
    const where = `${start} ${mode} at ${at} (${seen[at - 1]})`
    if (thrown !== undefined && !(thrown instanceof Problem))
      failures.push(`${where}: threw ${String(thrown)}`)
    const wrong = await verdict(dir, acknowledged).catch((error: unknown) => `open threw ${String(error)}`)
    if (wrong !== undefined) failures.push(`${where}: ${wrong}`)
    rmSync(dir, { recursive: true })
  }
  return { points, failures }
}

/** The operations of a run without a fault. */
async function dryRun(template: string, dir: string, run: (dir: string) => Promise<void>): Promise<string[]> {
  cpSync(template, dir, { recursive: true })
  faults.watch(dir)
  void faults.arm(Number.POSITIVE_INFINITY, 'none')
  await run(dir)
  const seen = await faults.disarm()
  rmSync(dir, { recursive: true })
  return seen
}

const [command, path = '', mode = '', start = 'clean', order = 'journal-first'] = process.argv.slice(2)
if (command === 'matrix') {
  console.log(JSON.stringify(await matrix(path, mode, start as Start, order)))
} else if (command === 'prepare') {
  console.log(JSON.stringify(await prepare(path, mode as Start)))
} else if (command === 'once') {
  await runScript(path, 1, (rev) => writeFileSync(`${path}.acknowledged`, String(rev)))
} else if (command === 'verdict') {
  const file = `${path}.acknowledged`
  const acknowledged = existsSync(file) ? Number(readFileSync(file, 'utf8')) : Number(mode)
  console.log(JSON.stringify({ wrong: (await verdict(path, acknowledged)) ?? null }))
}
