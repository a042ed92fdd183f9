import { main } from './main.js'
import { registry } from './workflows/registry.js'

await main(registry)
