import { useEffect, useState } from 'react'
import type { LogPart, RunControls } from '../../view/view.js'
import type { RunState } from './run-state.js'

export interface ShownLog extends LogPart {
  /** It has been read. */
  isRead: boolean
  /** Shows another part; undefined stands for the end. */
  go(part: number | undefined): void
}

interface Wanted {
  path: string | undefined
  part: number | undefined
}

const reading = { lines: ['Reading'], part: 0, parts: 1 }

/** The part of a log that is looked at, its end first; it is read when it is shown. `kept` outlives the view. */
export function useLogPart(
  path: string | undefined,
  read: RunControls['readLog'],
  kept: RunState['logParts'],
): ShownLog {
  const partOf = (of: string | undefined) => (of === undefined ? undefined : kept.get(of))
  const [wanted, setWanted] = useState<Wanted>({ path, part: partOf(path) })
  const [found, setFound] = useState<{ of: Wanted; log: LogPart }>()
  const current: Wanted = wanted.path === path ? wanted : { path, part: partOf(path) }
  const { part } = current

  useEffect(() => {
    if (path === undefined || !read) return
    let isWanted = true
    void read(path, part)
      .catch((error: unknown) => {
        const why = error instanceof Error ? error.message : String(error)
        return { lines: [`${path} could not be read: ${why}`], part: 0, parts: 1 }
      })
      .then((log) => {
        if (isWanted) setFound({ of: { path, part }, log })
      })
    return () => {
      isWanted = false
    }
  }, [path, part, read])

  function go(next: number | undefined): void {
    if (path !== undefined) kept.set(path, next)
    setWanted({ path, part: next })
  }

  const isThere = found !== undefined && found.of.path === path && found.of.part === part
  return { ...(isThere ? found.log : reading), isRead: isThere, go }
}
