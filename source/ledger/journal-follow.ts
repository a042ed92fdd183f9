import type { SealKey } from '../secrets/hmac.js'
import { type Chain, createChain, createQuickChain } from './journal-chain.js'
import type { JournalRecord } from './journal-record.js'
import { type JournalScan, scanJournal } from './journal-scan.js'
import type { SealRead } from './seal.js'

// A whole journal with its chain, from its beginning: what opening a session and a list without a summary do
// (docs/durability.md, "The seal").

export interface Followed<Fold> {
  scan: JournalScan
  chain: Chain
  /** What took the records. */
  fold: Fold
}

/** `begin` makes what takes the records; what an earlier one took is void when it is called again. Problems: as `scanJournal`. */
export async function followJournal<Fold extends { take(record: JournalRecord): void }>(
  path: string,
  { key, seal }: { key: SealKey; seal: SealRead | undefined },
  begin: () => Fold,
): Promise<Followed<Fold>> {
  const follow = async (chain: Chain): Promise<Followed<Fold>> => {
    const fold = begin()
    const scan = await scanJournal(path, (record) => fold.take(record), undefined, chain)
    return { scan, chain, fold }
  }
  const mark = seal?.kind === 'ok' ? seal.mark : undefined
  if (mark) {
    // What it stumbles over, a closer look names; nothing of it has been acted on.
    const quick = await follow(createQuickChain(key, mark)).catch(() => undefined)
    if (quick && !quick.chain.doubtful && quick.chain.finding(quick.scan.end) === undefined) return quick
  }
  return follow(createChain(key, mark, seal?.kind === 'unreadable' ? seal.reason : undefined))
}
