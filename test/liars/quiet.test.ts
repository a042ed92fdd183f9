import { quiet } from './cases/quiet.js'
import { judged } from './judged.js'

judged('quiet', quiet)
