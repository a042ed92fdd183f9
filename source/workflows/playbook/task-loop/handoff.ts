import { readText } from '../../../project/text-files.js'
import type { HandoffFacts } from '../orders/fields.js'
import type { Pass } from '../pass.js'
import { rootOf } from '../work.js'

export const handoffPathOf = ({ facts }: Pass) => `${facts.dir}/HANDOFF.md`

/** What a full conversation has left to do. `remaining` where it wrote nothing of it. */
export function readHandoff(pass: Pass, key: string, remaining: readonly string[]): Promise<HandoffFacts> {
  const path = handoffPathOf(pass)
  return pass.run.step(`${pass.at}${key}`, async (): Promise<HandoffFacts> => {
    const text = (await readText(rootOf(pass), path)) ?? ''
    const done = section(text, /^#{1,6}\s*tasks completed|^tasks_completed/im)
    const open = section(text, /^#{1,6}\s*tasks remaining|^tasks_remaining/im)
    return { path, tasksCompleted: done, tasksRemaining: open.length > 0 ? open : [...remaining] }
  }) as Promise<HandoffFacts>
}

/** Ids of tasks below a heading, of a table or a list. */
function section(text: string, heading: RegExp): string[] {
  const found = heading.exec(text)
  if (!found) return []
  const rest = text.slice(found.index + found[0].length)
  const end = rest.search(/^#{1,6}\s|^\w+:\s/m)
  const body = end === -1 ? rest : rest.slice(0, end)
  return [...body.matchAll(/^\s*(?:\||[-*])\s*`?([A-Z0-9][\w.]*-[\w.-]+)`?/gim)].map(([, id]) => id ?? '')
}
