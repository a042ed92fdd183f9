import { uncategorised } from '../taxonomy.js'
import type { IntegrityCheck } from './facts.js'

/** A failure was told without a word of the taxonomy. */
export const failureCategories: IntegrityCheck = {
  number: '12',
  name: 'failure categories',
  act: 'warn',
  check({ failures, categories }) {
    const bare = uncategorised(failures, categories)
    return bare.length === 0 ? undefined : { reason: `No category: ${bare.join('; ')}` }
  },
}
