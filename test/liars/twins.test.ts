import { twins } from './cases/twins.js'
import { judged } from './judged.js'

judged('twins', twins)
