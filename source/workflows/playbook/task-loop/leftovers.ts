import { leftChanges } from '../decisions/leftovers.js'
import type { Pass } from '../pass.js'
import { tell } from '../progress.js'
import { qLeftChanges } from '../questions/leftover.js'
import { isOwnFile } from '../states/settle-tree.js'
import { keptChanges } from '../steps/own-changes.js'
import { putAsideOnce } from '../steps/put-aside.js'

/**
 * What an executor that was broken off had changed by then: a person says whether its task goes on with that
 * (docs/playbook.md, "What is uncommitted"). `key` is that of its dispatch.
 */
export async function settleLeftChanges(pass: Pass, key: string, task: string): Promise<void> {
  const { run, at, git } = pass
  for (const [index] of run.broken(`${at}${key}`).entries()) {
    const name = `${key}-left-${index + 1}`
    const paths = await run.step(`${at}${name}`, async () =>
      leftChanges(await git.dirty(), keptChanges(run.state)).filter((path) => !isOwnFile(path)),
    )
    if (paths.length === 0) continue
    const { value } = await run.ask(`${at}${name}-ask`, qLeftChanges(task, paths))
    if (value !== 'aside') continue
    const aside = await putAsideOnce(pass, git, `${at}${name}-aside`, paths)
    if (aside !== null)
      await tell(pass, `${name}-says`, `Put aside under ${aside.ref}: ${paths.join(', ')}.`, 'warning')
  }
}
