import { createDigest, type DigestFold } from './digest.js'
import { createImageChain, type ImageChain } from './image-chain.js'
import type { JournalRecord } from './journal-record.js'
import { beginVisit, type GrowingVisit, keptAnswers, type Visit } from './visit.js'

/** A journal followed record by record: its digest, its newest state, and the records of the open visit alone. */
export interface SessionFold {
  readonly digest: DigestFold
  readonly images: ImageChain
  readonly visit: Visit
  /** `own`: just written by this process. */
  take(record: JournalRecord, own?: boolean): void
}

export function createSessionFold(): SessionFold {
  const digest = createDigest()
  const images = createImageChain()
  let visit: GrowingVisit = beginVisit({ number: 0, state: '' })
  /** Keys of the questions of this visit, in their order. */
  let asked = new Set<string>()

  return {
    digest,
    images,
    get visit() {
      return visit
    },
    take(record, own = false) {
      digest.take(record)
      images.take(record)
      switch (record.type) {
        case 'visit': {
          const { visit: number, state, interlude = false, workflow, revision = 0, again } = record
          const begun = {
            startState: images.state,
            damaged: images.last !== undefined && images.state === undefined,
            kept: again === visit.number ? keptAnswers(visit, [...asked]) : [],
          }
          visit = beginVisit({ number, state, interlude, workflow, revision, ...begun })
          asked = new Set()
          return
        }
        case 'transition':
        case 'adopted':
          visit = beginVisit({ number: visit.number, state: '' })
          asked = new Set()
          return
        default:
          if (record.type === 'asked') asked.add(record.key)
          visit.add(record, own, images.state)
      }
    },
  }
}
