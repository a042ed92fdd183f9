import { everyday } from './cases/everyday.js'
import { judged } from './judged.js'

judged('everyday', everyday)
