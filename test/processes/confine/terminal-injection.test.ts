import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { mayInjectInput } from '../../../source/processes/confine/terminal-injection.js'
import { inTemporary } from '../../support/temporary.js'

test.skipIf(process.platform !== 'linux')('only root, and only where the kernel allows it', async () => {
  await inTemporary('tiocsti', async (root) => {
    const setting = join(root, 'legacy_tiocsti')
    expect(await mayInjectInput(setting, 0)).toBe(true)
    await writeFile(setting, '1\n')
    expect(await mayInjectInput(setting, 0)).toBe(true)
    expect(await mayInjectInput(setting, 1000)).toBe(false)
    await writeFile(setting, '0\n')
    expect(await mayInjectInput(setting, 0)).toBe(false)
  })
})
