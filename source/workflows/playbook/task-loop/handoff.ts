import { readText } from '../../../project/text-files.js'
import type { HandoffFacts } from '../orders/fields.js'
import type { Pass } from '../pass.js'
import { readHandoff } from '../records/handoff.js'
import { rootOf } from '../work.js'

export const handoffPathOf = ({ facts }: Pass) => `${facts.dir}/HANDOFF.md`

/** What a full conversation has left to do. `remaining` where it wrote nothing of it. */
export function handoffOf(pass: Pass, key: string, remaining: readonly string[]): Promise<HandoffFacts> {
  const path = handoffPathOf(pass)
  return pass.run.step(`${pass.at}${key}`, async (): Promise<HandoffFacts> => {
    const text = (await readText(rootOf(pass), path)) ?? ''
    const said = readHandoff(text)
    return {
      path,
      tasksCompleted: said.completed,
      tasksRemaining: said.remaining.length > 0 ? said.remaining : [...remaining],
    }
  }) as Promise<HandoffFacts>
}
