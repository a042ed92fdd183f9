import { traps } from './cases/traps.js'
import { judged } from './judged.js'

judged('traps', traps)
