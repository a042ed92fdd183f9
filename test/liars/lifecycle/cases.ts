import { beside, besideTwins } from './beside.js'
import { books, bookTwins } from './books.js'
import type { LifeLiar, LifeTwin } from './case.js'
import { documents, documentTwins } from './documents.js'
import { works, workTwins } from './works.js'

/** Every worker of the lifecycle that lies, and every honest one, by name. */
export const lifeCases: (LifeLiar | LifeTwin)[] = [
  ...documents,
  ...books,
  ...works,
  ...beside,
  ...documentTwins,
  ...bookTwins,
  ...workTwins,
  ...besideTwins,
]
