import { records } from './cases/records.js'
import { judged } from './judged.js'

judged('records', records)
