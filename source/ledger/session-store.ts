import { join } from 'node:path'
import { Problem } from '../problem.js'
import { ensureDir } from '../storage/contained-path.js'
import { removeOwnTemps } from '../storage/durable-file.js'
import { acquireLock, type Lock, networkWarning } from '../storage/lock.js'
import { keepReserve } from '../storage/reserve.js'
import { openStateStore } from '../storage/state-store.js'
import { type Journal, openJournal } from './journal.js'
import type { SessionOpening, SessionOptions } from './session.js'
import { createSessionFold, type SessionFold } from './session-fold.js'
import { edited, type Settling, settle } from './session-opening.js'
import { createSessionWriter } from './session-writer.js'

// A session on disk: lock, journal and state file as one (docs/durability.md).

export type { SessionOpening, SessionOptions, SessionStore } from './session.js'

/** Takes a session: lock, journal, state file, in this order. Problems are thrown with the lock given back. */
export async function openSessionStore<T extends object>(
  options: SessionOptions<T>,
): Promise<SessionOpening<T>> {
  const { dir, root, version, takeover } = options
  await ensureDir(dir, root)
  const acquired = await acquireLock(dir, takeover === undefined ? { version } : { version, takeover })
  if (acquired.kind === 'open') return acquired
  const { lock } = acquired
  try {
    await removeOwnTemps(dir)
    const fold = createSessionFold()
    const journal = await openJournal(join(dir, 'journal.jsonl'), {
      lockId: lock.lockId,
      epoch: lock.epoch,
      fence: lock.check,
      each: (record) => fold.take(record),
    })
    try {
      return await openWithJournal(options, { lock, journal, fold })
    } catch (error) {
      await journal.close()
      throw error
    }
  } catch (error) {
    await lock.release().catch(() => undefined)
    throw error
  }
}

/** What was taken before the state file is looked at. */
interface Taken {
  lock: Lock
  journal: Journal
  fold: SessionFold
}

async function openWithJournal<T extends object>(
  options: SessionOptions<T>,
  { lock, journal, fold }: Taken,
): Promise<SessionOpening<T>> {
  const { dir, codec } = options
  const main = await openStateStore<T>({
    path: join(dir, options.stateFile),
    codec,
    root: options.root,
    beforeRename: async () => {
      await lock.check()
      if (!(await main.statMatches())) throw edited(main.path)
    },
  })
  const notices = journal.problems.map((problem) => `Journal: ${problem}.`)
  const warnings = main.read.kind === 'ok' ? main.read.warnings : []
  notices.push(...warnings)
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
  const proceed = async () => {
    if (await settle(parts)) throw undecided(main.path)
    await keepReserve(dir)
    return createSessionWriter({ ...parts, options, lock, journal, close })
  }
  const ask = await settle(parts)
  if (ask) return { kind: 'ask', ask, notices, proceed, close }
  return { kind: 'ready', store: await proceed() }
}

function undecided(path: string): Problem {
  return new Problem({
    code: 'foreign-edit',
    what: `${path} still does not agree with its journal.`,
    why: 'Going on needs a decision of a person first.',
    todo: 'Open the session again and decide.',
  })
}
