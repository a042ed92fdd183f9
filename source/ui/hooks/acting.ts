import { useMemo, useRef } from 'react'
import type { RunControls } from '../../view/view.js'

/** What changes the run; everything else only looks at it. */
const acts = [
  'answer',
  'askLater',
  'toggleHold',
  'suspend',
  'say',
  'interrupt',
  'stop',
  'interlude',
] as const satisfies readonly (keyof RunControls)[]

/** The same controls, which tell `acted` of everything that is done to the run. */
export function useActing(controls: RunControls, acted: () => void): RunControls {
  const newest = useRef(acted)
  newest.current = acted
  return useMemo(() => {
    const telling = (name: (typeof acts)[number]) =>
      function told(...args: never[]) {
        newest.current()
        return (controls[name] as ((...args: never[]) => unknown) | undefined)?.(...args)
      }
    const known = acts.flatMap((name) => (controls[name] ? [[name, telling(name)] as const] : []))
    return { ...controls, ...Object.fromEntries(known) }
  }, [controls])
}
