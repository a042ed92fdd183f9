import { terminal } from './cases/terminal.js'
import { judgedBy } from './judged.js'
import { judgeOnScreen } from './on-screen.js'

judgedBy('terminal', terminal, judgeOnScreen)
