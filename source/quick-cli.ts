import * as z from 'zod/mini'
import { quickCommand } from './quick.js'
import { registry } from './workflows/registry.js'

// The quick commands of the product as one script (scripts/build.js), which the start script asks first.

// Code that is made for a schema pays when much is read by it; here each is used once or twice.
z.config({ jitless: true })

/** Runs `status` or `sessions`. The exit code, or undefined for every other command line. */
export function quick(argv: readonly string[]): Promise<number | undefined> {
  return quickCommand(registry, argv)
}
