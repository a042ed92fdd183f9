import { claims } from './cases/claims.js'
import { judged } from './judged.js'

judged('claims', claims)
