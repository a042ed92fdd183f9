import { createDigest, type DigestFold } from './digest.js'
import { createImageChain, type ImageChain } from './image-chain.js'
import type { JournalRecord } from './journal-record.js'
import { beginVisit, type GrowingVisit, keptAnswers, type Visit, type VisitBegin } from './visit.js'

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
  /** Records of the open visit that nobody has asked for yet: most visits end before anybody does. */
  let later: { record: JournalRecord; state: unknown }[] = []
  /** Keys of the questions of this visit, in their order. */
  let asked = new Set<string>()

  function wholeVisit(): GrowingVisit {
    for (const { record, state } of later) visit.add(record, false, state)
    later = []
    return visit
  }

  function begin(next: VisitBegin): void {
    visit = beginVisit(next)
    later = []
    asked = new Set()
  }

  return {
    digest,
    images,
    get visit() {
      return wholeVisit()
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
            kept: again === visit.number ? keptAnswers(wholeVisit(), [...asked]) : [],
          }
          return begin({ number, state, interlude, workflow, revision, ...begun })
        }
        case 'transition':
        case 'adopted':
          return begin({ number: visit.number, state: '' })
        default:
          if (record.type === 'asked') asked.add(record.key)
          if (own) wholeVisit().add(record, own, images.state)
          else later.push({ record, state: images.state })
      }
    },
  }
}
