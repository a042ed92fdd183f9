import { trade } from './cases/trade.js'
import { judged } from './judged.js'

judged('trade', trade)
