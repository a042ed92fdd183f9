import { planted } from './cases/planted.js'
import { judged } from './judged.js'

judged('planted', planted)
