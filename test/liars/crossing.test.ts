import { crossing } from './cases/crossing.js'
import { judged } from './judged.js'

judged('crossing', crossing)
