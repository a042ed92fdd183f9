import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { playbookFinder } from '../../../source/workflows/playbook/finder.js'
import { inTemporary } from '../../support/temporary.js'

const roadmap = (done: readonly boolean[]) =>
  `# Roadmap\n\n${done.map((isDone, index) => `- [${isDone ? 'x' : ' '}] **Phase ${index + 1}: Part**\n`).join('')}`

test.each([
  [[false, false, false], '3 phases'],
  [[true, false, false], '2 of 3 phases open'],
  [[true, true, true], '3 phases, all done'],
])('the list of what can be begun says how much of a roadmap is open: %j', async (done, size) => {
  await inTemporary('finder', async (root) => {
    await mkdir(join(root, '.planning'))
    await writeFile(join(root, '.planning', 'ROADMAP.md'), roadmap(done))
    const [found] = (await playbookFinder.candidates?.(root)) ?? []
    expect(found?.size).toBe(size)
  })
})
