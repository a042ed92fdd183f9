import type { Around } from '../../run/run.js'
import type { Left } from './around-dispatch.js'

// Dispatches that work in one tree at the same time. Only those that all check may: nobody could tell whose change is
// whose. They are compared once, when the last of them has ended (docs/evidence.md, "What an agent has changed").

interface Group {
  writes: boolean
  titles: string[]
  atWork: number
  before: Promise<unknown>
}

/** By session, so that what a dead one left in this process binds nobody. */
const sessions = new WeakMap<object, Map<string, Group>>()

export interface TreeUse {
  /** Stands for the session. */
  session: object
  /** Absolute path of the work tree. */
  tree: string
  title: string
  writes: boolean
  around: Around
}

/** The looks of a dispatch, shared with those beside it. */
export function shareTree({ session, tree, title, writes, around }: TreeUse): Around {
  const groups = sessions.get(session) ?? new Map<string, Group>()
  sessions.set(session, groups)
  return {
    async before() {
      const there = groups.get(tree)
      if (there && (there.writes || writes)) {
        throw new Error(`${title} would work in one tree with ${there.titles.join(', ')}`)
      }
      if (there) {
        there.titles.push(title)
        there.atWork += 1
        return await there.before
      }
      const group: Group = { writes, titles: [title], atWork: 1, before: around.before() }
      groups.set(tree, group)
      // Without a look nothing begins.
      group.before.catch(() => leave(groups, tree, group))
      return await group.before
    },
    async after(before) {
      const group = groups.get(tree)
      if (!group) return await around.after(before)
      const last = leave(groups, tree, group)
      if (!last) return { noted: [], asked: [] } satisfies Left
      const left = (await around.after(before)) as Left
      const beside = group.titles.filter((other) => other !== title)
      return beside.length === 0 ? left : { ...left, beside }
    },
  }
}

/** True for the last one. */
function leave(groups: Map<string, Group>, tree: string, group: Group): boolean {
  group.atWork -= 1
  if (group.atWork > 0) return false
  if (groups.get(tree) === group) groups.delete(tree)
  return true
}
