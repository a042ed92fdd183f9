import type { Git } from '../project/git.js'
import { sanitizeLine } from '../terminal/sanitize.js'
import type { AskFirst } from './open-session.js'
import { asked } from './session-questions.js'

/**
 * Changed submodules and large files whose program is missing are a person's to decide about, before anything is written
 * (docs/durability.md, "Start checks"). False where nothing is to be started.
 */
export async function settleStartDoubts(git: Pick<Git, 'startDoubts'>, ask: AskFirst): Promise<boolean> {
  const doubts = await git.startDoubts()
  if (doubts.length === 0) return true
  const answer = await ask(
    asked({
      gate: 'Q-START',
      title: 'Start in this repository as it is?',
      body: doubts.flatMap(({ what, why, todo }, index) => [
        ...(index > 0 ? [''] : []),
        ...[what, why, todo].map(sanitizeLine),
      ]),
      options: [
        { value: 'go', label: 'go on', consequence: 'these stay as they are, and out of commits' },
        { value: 'close', label: 'close', consequence: 'start nothing' },
      ],
    }),
    'Start',
  )
  return answer !== 'quit' && answer.value === 'go'
}
