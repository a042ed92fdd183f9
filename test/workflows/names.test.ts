import { readdir, readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { registry } from '../../source/workflows/registry.js'

// A workflow is named in its own room only: whatever else knew it by name would have to change for the next one.

const source = fileURLToPath(new URL('../../source', import.meta.url))

/** The two registries, by which workflows and demos are found. */
const registries = ['workflows/registry.ts', 'rehearsal/registry.ts']
const citation = /docs\/[\w-]+\.md/g

/** Lines outside of its rooms that name a workflow, but for comments that cite its page. */
async function namings(name: string): Promise<string[]> {
  const files = await readdir(source, { recursive: true, withFileTypes: true })
  const found: string[] = []
  for (const file of files) {
    const path = relative(source, join(file.parentPath, file.name)).replaceAll('\\', '/')
    if (!file.isFile() || registries.includes(path)) continue
    // The reader of a workflow's own kind of file.
    if (path.startsWith(`documents/${name}-`)) continue
    if (path.startsWith(`workflows/${name}/`) || path.startsWith(`rehearsal/${name}/`)) continue
    const lines = (await readFile(join(source, path), 'utf8')).split('\n')
    for (const [index, line] of lines.entries()) {
      if (line.replace(citation, '').toLowerCase().includes(name)) found.push(`${path}:${index + 1}: ${line}`)
    }
  }
  return found
}

test.each(registry.map(({ name }) => name))(
  '%s is named in its rooms and the registries only',
  async (name) => {
    expect(await namings(name)).toEqual([])
  },
)

test('the search finds a word that is there', async () => {
  expect((await namings('journal')).length).toBeGreaterThan(50)
})
