import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { writeSampleProject } from '../write-sample.js'

// The project of the lifecycle demo: a little code that somebody has written, and nothing about it.

export const sampleSubject = '_docs'

const files = [
  {
    path: 'package.json',
    text: `{
  "name": "bill",
  "type": "module",
  "scripts": { "test": "node --test" }
}
`,
  },
  {
    path: 'source/bill.mjs',
    text: `/** The sum of a bill in cents, and what each of its guests pays. */
export function share(items, guests) {
  const sum = items.reduce((total, { cents, count = 1 }) => total + cents * count, 0)
  return { sum, each: Math.round(sum / guests) }
}
`,
  },
]

/** Writes it into an empty or absent folder; the folder of its documents is there and empty. */
export async function createSampleProject(dir: string): Promise<void> {
  await writeSampleProject(dir, [{ message: 'Share a bill', files }])
  await mkdir(join(dir, sampleSubject))
}
