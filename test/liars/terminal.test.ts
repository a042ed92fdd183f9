import { describe } from 'vitest'
import { terminal } from './cases/terminal.js'
import { judgedBy } from './judged.js'
import { judgeOnScreen } from './on-screen.js'

// One after the other: what a terminal leaves is cleaned up by hooks, which know no test among several at once.
judgedBy('terminal', terminal, judgeOnScreen, describe)
