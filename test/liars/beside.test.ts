import { beside, besideTwins } from './cases/beside.js'
import { judged } from './judged.js'

judged('beside', [...beside, ...besideTwins])
