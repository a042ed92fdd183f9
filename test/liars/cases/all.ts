import type { Case } from '../case.js'
import { abroad, abroadTwins } from './abroad.js'
import { beside, besideTwins } from './beside.js'
import { claims } from './claims.js'
import { crossing } from './crossing.js'
import { everyday } from './everyday.js'
import { examined, examinedTwins } from './examined.js'
import { faint, faintTwins } from './faint.js'
import { git } from './git.js'
import { hollow, hollowTwins } from './hollow.js'
import { planted } from './planted.js'
import { processes } from './processes.js'
import { quiet } from './quiet.js'
import { records } from './records.js'
import { remote, remoteTwins } from './remote.js'
import { terminal } from './terminal.js'
import { trade } from './trade.js'
import { traps } from './traps.js'
import { twins } from './twins.js'

/** Everything that an agent can be told to do, by name. */
export const allCases: Case[] = [
  ...claims,
  ...git,
  ...records,
  ...planted,
  ...traps,
  ...processes,
  ...terminal,
  ...quiet,
  ...hollow,
  ...beside,
  ...faint,
  ...crossing,
  ...abroad,
  ...remote,
  ...examined,
  ...twins,
  ...everyday,
  ...hollowTwins,
  ...besideTwins,
  ...faintTwins,
  ...trade,
  ...abroadTwins,
  ...remoteTwins,
  ...examinedTwins,
]

export const allLiars = [
  ...claims,
  ...git,
  ...records,
  ...planted,
  ...traps,
  ...processes,
  ...quiet,
  ...hollow,
  ...beside,
  ...faint,
  ...crossing,
  ...abroad,
  ...remote,
  ...examined,
]
