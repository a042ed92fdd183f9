import { git } from './cases/git.js'
import { judged } from './judged.js'

judged('git', git)
