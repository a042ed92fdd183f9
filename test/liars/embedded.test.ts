import { allLiars } from './cases/all.js'
import { twins } from './cases/twins.js'
import { judged } from './judged.js'
import { modelBackend } from './model-backend.js'

judged(
  'embedded',
  [...allLiars, ...twins].filter((one) => one.embedded),
  () => modelBackend(),
)
