import { quickCommand } from './quick.js'
import { registry } from './workflows/registry.js'

// The quick commands of the product as one script (scripts/build.js), which the start script asks first.

/** Runs `status` or `sessions`. The exit code, or undefined for every other command line. */
export function quick(argv: readonly string[]): Promise<number | undefined> {
  return quickCommand(registry, argv)
}
