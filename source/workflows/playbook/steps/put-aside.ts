import { randomUUID } from 'node:crypto'
import type { Git } from '../../../project/git.js'
import type { GivenBack } from '../../../project/git-give-back.js'
import type { PlaybookState } from '../state/schema.js'
import type { PlaybookWork } from '../work.js'

// Changes that make way: kept under a ref of their own, never silently, and given back at the end of the run where a
// person asked for that (docs/playbook.md, "What is uncommitted").

export interface PutAside {
  ref: string
  paths: string[]
}

/** Kept in `_meta.put_aside`. */
export function putAsideOf(state: PlaybookState): PutAside[] {
  const { put_aside: kept } = state._meta
  return Array.isArray(kept) ? (kept as PutAside[]) : []
}

export function withPutAside(state: PlaybookState, more: PutAside): PlaybookState {
  return { ...state, _meta: { ...state._meta, put_aside: [...putAsideOf(state), more] } }
}

/** Puts these paths aside once, whatever happens in between. Null where nothing of them is changed any more. */
export async function putAsideOnce(
  { run }: Pick<PlaybookWork, 'run'>,
  git: Git,
  key: string,
  paths: readonly string[],
): Promise<PutAside | null> {
  const { ref } = (await run.effect<{ prefix: string }, { ref: string | null }>(key, {
    // A name that no other run has: what it holds after a crash is of this effect.
    prepare: async () => ({ prefix: `refs/autopilot/aside/${randomUUID()}` }),
    apply: async ({ prefix }) => ({ ref: await git.putAside(paths, prefix) }),
    recover: async ({ prefix }) => {
      const dirty = new Set((await git.dirty()).map(({ path }) => path))
      if (paths.some((path) => dirty.has(path))) return undefined
      const first = `${prefix}/1`
      return (await git.resolveRevision(first)) === null ? undefined : { ref: first }
    },
  })) as { ref: string | null }
  return ref === null ? null : { ref, paths: [...paths] }
}

/** In `_meta` of a run that a person has ended: nothing of it is left to be given back. */
export const givenBack = 'given_back'

/** Gives back what was put aside when the run began; what somebody has changed since stays under its ref, and is told. */
export async function giveBack(work: PlaybookWork, key: string): Promise<void> {
  const { run } = work
  const kept = await run.step(`${key}-kept`, () => putAsideOf(run.state))
  await giveBackRefs(
    work,
    key,
    kept.map(({ ref }) => ref),
  )
}

/** The same, of refs that are known. */
export async function giveBackRefs(
  { run, tools }: PlaybookWork,
  key: string,
  refs: readonly string[],
): Promise<void> {
  for (const [index, ref] of refs.entries()) {
    const came = (await run.step(`${key}-${index + 1}`, () => tools.git.giveBack(ref))) as GivenBack
    if (came.left.length === 0) {
      await run.note(`${key}-says-${index + 1}`, `Given back: ${came.given.join(', ')}.`)
      continue
    }
    const left = `Not given back, since they were changed by the run: ${came.left.join(', ')}. Yours are in ${ref}.`
    await run.note(`${key}-says-${index + 1}`, left, 'warning')
  }
}
