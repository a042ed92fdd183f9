import { twins } from './cases/twins.js'
import { judged } from './judged.js'

// Every other one, so that two workers share them.
judged(
  'twins',
  twins.filter((_, at) => at % 2 === 1),
)
