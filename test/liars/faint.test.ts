import { faint, faintTwins } from './cases/faint.js'
import { judged } from './judged.js'

judged('faint traces', [...faint, ...faintTwins])
