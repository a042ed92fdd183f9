import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** Whether a program is there for tests that need it. */
export const onPath = (program: string): boolean =>
  (process.env.PATH ?? '').split(':').some((entry) => existsSync(join(entry, program)))
