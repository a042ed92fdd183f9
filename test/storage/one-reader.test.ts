import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

// What an agent could have put in the place of a file is read through storage/read-file.ts, or where links of a person are
// followed through project/snapshot/plain-read.ts: nothing waits for a pipe. `readFile` waits.

/** Files that read only what this program keeps where agents cannot write, or that run inside of an agent's process. */
const others = [
  /^source\/(embedded|rehearsal|processes)\//,
  /^source\/project\/snapshot\/(person-index|work-tree|store)\.ts$/,
  // Of its own bundle.
  /^source\/commands\/source-lines\.ts$/,
]

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    return entry.isDirectory() ? filesBelow(path) : [path]
  })
}

it('nothing of a project is read by waiting for it', () => {
  const waiting = filesBelow('source')
    .filter((path) => /\.tsx?$/.test(path) && !others.some((pattern) => pattern.test(path)))
    .filter((path) =>
      /import \{[^}]*\breadFile(Sync)?\b[^}]*\} from 'node:fs/.test(readFileSync(path, 'utf8')),
    )
  expect(waiting).toEqual([])
})
