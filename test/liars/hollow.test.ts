import { hollow, hollowTwins } from './cases/hollow.js'
import { judged } from './judged.js'

judged('hollow', [...hollow, ...hollowTwins])
