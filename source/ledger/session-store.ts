import { basename, dirname, join } from 'node:path'
import { Problem } from '../problem.js'
import { removeOwnTemps } from '../storage/beside-file.js'
import { ensureDir } from '../storage/contained-path.js'
import { acquireLock, type Lock, type LockOwner, networkWarning } from '../storage/lock.js'
import { keepReserve } from '../storage/reserve.js'
import { openStateStore } from '../storage/state-store.js'
import { continueJournal, type Journal } from './journal.js'
import type { Chain, Finding } from './journal-chain.js'
import { followJournal } from './journal-follow.js'
import { cutOut } from './journal-foreign.js'
import type { JournalScan } from './journal-scan.js'
import { openSeal, readSeal, type SealRead } from './seal.js'
import type { SessionOpening, SessionOptions } from './session.js'
import { lookBefore } from './session-before.js'
import { createSessionFold, type SessionFold } from './session-fold.js'
import { edited, goBack, type Settling, settle } from './session-opening.js'
import { createSessionWriter } from './session-writer.js'

// A session on disk: lock, journal with its seal, and state file as one (docs/durability.md).

export type { SessionOpening, SessionOptions, SessionStore } from './session.js'

/**
 * Takes a session: lock, journal, state file, in this order; before that, what a person has to say of a session that
 * is gone. Problems are thrown with the lock given back.
 */
export async function openSessionStore<T extends object>(
  options: SessionOptions<T>,
): Promise<SessionOpening<T>> {
  const ask = await lookBefore<T>(options)
  if (!ask) return openLocked(options)
  return { kind: 'ask', ask, notices: [], proceed: () => openLocked(options), close: async () => {} }
}

async function openLocked<T extends object>(options: SessionOptions<T>): Promise<SessionOpening<T>> {
  const { dir, root, version, takeover } = options
  await ensureDir(dir, root)
  const acquired = await acquireLock(dir, takeover === undefined ? { version } : { version, takeover })
  if (acquired.kind === 'open') return acquired
  const { lock } = acquired
  const tookOver = takeover === undefined ? undefined : acquired.tookOver
  return givingBack(lock, async () => openJournalOf({ ...options, tookOver }, lock))
}

/** What a session is opened with, and whose lock was taken for it. */
interface Opening<T> extends SessionOptions<T> {
  tookOver: LockOwner | undefined
}

async function givingBack<Result>(lock: Lock, action: () => Promise<Result>): Promise<Result> {
  try {
    return await action()
  } catch (error) {
    await lock.release().catch(() => undefined)
    throw error
  }
}

/** The journal as it was read, before anything of it is acted on. */
interface Read {
  lock: Lock
  path: string
  seal: SealRead
  chain: Chain
  scan: JournalScan
  fold: SessionFold
  /** What was decided about it and done, one sentence each. */
  settled: string[]
}

async function openJournalOf<T extends object>(options: Opening<T>, lock: Lock): Promise<SessionOpening<T>> {
  const path = join(options.dir, 'journal.jsonl')
  const seal = await readSeal(options.seal)
  const { scan, chain, fold } = await followJournal(path, { key: options.seal.key, seal }, createSessionFold)
  const read: Read = { lock, path, seal, chain, scan, fold, settled: [] }
  const finding = scan.missing ? undefined : chain.finding(scan.end)
  if (!finding) return goOn(options, read, undefined)
  return {
    kind: 'ask',
    ask: { kind: 'journal', path, sealPath: options.seal.path, finding },
    notices: scan.problems.map((problem) => `Journal: ${problem}.`),
    proceed: () => givingBack(lock, () => goOn(options, read, finding)),
    close: () => lock.release(),
  }
}

/** Does what was decided about the journal, and opens it for writing. */
async function goOn<T extends object>(
  options: Opening<T>,
  read: Read,
  finding: Finding | undefined,
): Promise<SessionOpening<T>> {
  const { lock, path, fold } = read
  const statePath = join(options.dir, options.stateFile)
  await removeOwnTemps(options.dir)
  // It may lie among files of the project, where what is left over would be committed with them.
  await removeOwnTemps(dirname(statePath), basename(statePath))
  const journal = await givenChain(options, read, finding)
  try {
    if (finding?.kind === 'unsealed') {
      const { size } = read.scan.end
      const hash = read.chain.wholeHash()
      fold.take(await journal.append({ type: 'sealed-from', hash, size }), true)
    }
    return await openWithJournal(options, { lock, journal, fold }, read.settled, finding?.kind === 'damaged')
  } catch (error) {
    await journal.close()
    throw error
  }

  async function givenChain(
    { seal: place }: Opening<T>,
    { scan, chain, seal, settled }: Read,
    found: Finding | undefined,
  ): Promise<Journal> {
    if (found?.kind === 'damaged' && !found.usable) throw unusable(path, found.what)
    if (found && found.kind !== 'unsealed') {
      const kept = await cutOut(path, scan, chain.foreign, found.kind === 'damaged')
      settled.push(`What did not belong to the journal was cut off; it is kept in ${kept}.`)
    }
    const from = found?.kind === 'unsealed' ? scan.end.size : chain.from
    const { size, lines, chain: last } = scan.end
    const open = await openSeal(place, seal, { size, lines, last, from })
    const { lockId, epoch, check: fence } = lock
    const writing = { lockId, epoch, fence, key: place.key, seal: open, from }
    return continueJournal(path, scan, writing).catch(async (error: unknown) => {
      await open.close()
      throw error
    })
  }
}

/** What was taken before the state file is looked at. */
interface Taken {
  lock: Lock
  journal: Journal
  fold: SessionFold
}

async function openWithJournal<T extends object>(
  options: Opening<T>,
  { lock, journal, fold }: Taken,
  settled: readonly string[],
  back: boolean,
): Promise<SessionOpening<T>> {
  const { dir, codec } = options
  const main = await openStateStore<T>({
    path: join(dir, options.stateFile),
    ...(options.backupFile === undefined ? {} : { backup: join(dir, options.backupFile) }),
    codec,
    root: options.root,
    // One that lies among files of the project is committed with them.
    ...(options.stateFile.startsWith('../') ? { readers: 'shared' as const } : {}),
    beforeRename: async () => {
      const [isOurs] = await Promise.all([main.statMatches(), lock.check()])
      if (!isOurs) throw edited(main.path)
    },
  })
  const notices = [...settled, ...journal.problems.map((problem) => `Journal: ${problem}.`)]
  const warnings = main.read.kind === 'ok' ? main.read.warnings : []
  notices.push(...warnings.map((text) => `The state file, when it was opened: ${text}`))
  const warning = await networkWarning(dir)
  if (warning) notices.push(warning)
  const parts: Settling<T> = {
    main,
    codec,
    fold,
    notices,
    lostLines: journal.lostLines,
    append: async (fact) => {
      const record = await journal.append(fact)
      fold.take(record, true)
      return record
    },
  }
  const close = async () => {
    await journal.close()
    await lock.release()
  }
  const ready = async (): Promise<SessionOpening<T>> => {
    await keepReserve(dir)
    return {
      kind: 'ready',
      store: createSessionWriter({ ...parts, options, lock, tookOver: options.tookOver, journal, close }),
    }
  }
  const proceed = async () => {
    if (await settle(parts)) throw undecided(main.path)
    return ready()
  }
  if (back) await goBack(parts)
  const ask = await settle(parts)
  if (ask) {
    const leave = async () => {
      await journal.leave()
      await lock.release()
    }
    return { kind: 'ask', ask, notices, proceed, close: leave }
  }
  return ready()
}

function undecided(path: string): Problem {
  return new Problem({
    code: 'foreign-edit',
    what: `${path} still does not agree with its journal.`,
    why: 'Going on needs a decision of a person first.',
    todo: 'Open the session again and decide.',
  })
}

function unusable(path: string, what: string): Problem {
  return new Problem({
    code: 'both-bad',
    what: `The journal ${path} is damaged. ${what}`,
    why: 'No part of it can be told from what somebody else wrote, so nothing of it is acted on.',
    todo: 'Put the journal back from a copy, or archive the session and begin anew.',
  })
}
