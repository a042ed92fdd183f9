import { processes } from './cases/processes.js'
import { judged } from './judged.js'

judged('processes', processes)
