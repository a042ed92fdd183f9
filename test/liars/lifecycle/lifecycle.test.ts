import { judgedBy } from '../judged.js'
import { lifeCases } from './cases.js'
import { judgeLife } from './passage.js'

judgedBy('lifecycle', lifeCases, judgeLife)
