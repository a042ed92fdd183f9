import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Finder } from '../../source/workflows/workflow.js'
import { titleOf } from './machine.js'
import { subject } from './places.js'

export const gardenFinder: Finder = {
  recognise: async ({ path, kind, text = '' }) =>
    kind === 'file' && text.startsWith('# Garden:')
      ? { subject: path, certainty: 'sure', meaning: 'dig and water the beds of this garden' }
      : undefined,
  async candidates(root) {
    const text = await readFile(join(root, subject), 'utf8').catch(() => undefined)
    if (text === undefined) return []
    return [{ workflow: 'garden', subject, title: titleOf(text), size: '2 beds', detail: 'to be dug' }]
  },
}
