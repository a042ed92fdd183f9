import { examined, examinedTwins } from './cases/examined.js'
import { judged } from './judged.js'

judged('examined', [...examined, ...examinedTwins])
