import { createImageChain } from '../../source/ledger/image-chain.js'
import { hasImage, type ImageRecord, type JournalRecord } from '../../source/ledger/journal.js'

/** Every record of a journal that changed the state, with the whole state after it. */
export function statesOf<State>(records: readonly JournalRecord[]): { record: ImageRecord; state: State }[] {
  const chain = createImageChain()
  return records.flatMap((record) => {
    chain.take(record)
    return hasImage(record) ? [{ record, state: chain.state as State }] : []
  })
}
