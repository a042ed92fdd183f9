import { allLiars } from './cases/all.js'
import { twins } from './cases/twins.js'
import { embeddedBackend } from './embedded.js'
import { judged } from './judged.js'

judged(
  'embedded',
  [...allLiars, ...twins].filter((one) => one.embedded),
  embeddedBackend,
)
