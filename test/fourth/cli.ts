import { main } from '../../source/main.js'
import { registry } from '../../source/workflows/registry.js'
import { gardenEntry } from './entry.js'

await main([...registry, gardenEntry])
