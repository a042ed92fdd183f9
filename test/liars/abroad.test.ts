import { abroad, abroadTwins } from './cases/abroad.js'
import { judged } from './judged.js'

judged('abroad', [...abroad, ...abroadTwins])
