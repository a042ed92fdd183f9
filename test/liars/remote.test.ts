import { remote, remoteTwins } from './cases/remote.js'
import { judged } from './judged.js'

judged('remotes and refs', [...remote, ...remoteTwins])
