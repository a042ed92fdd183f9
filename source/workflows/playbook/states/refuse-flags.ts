import { Problem } from '../../../problem.js'
import type { PlaybookFlags } from '../flags.js'

/** Flags that mean something this version cannot do are refused before anything is begun. Throws a Problem ('usage'). */
export function refuseUnsupported({ discuss, map }: Pick<PlaybookFlags, 'discuss' | 'map'>): void {
  const flag = discuss ? '--discuss' : map ? '--map' : undefined
  if (flag === undefined) return
  throw new Problem({
    code: 'usage',
    what: `${flag} is not there yet.`,
    why: 'The run would go on without what you asked for. Nothing was started.',
    todo: `Start again without ${flag}.`,
  })
}
