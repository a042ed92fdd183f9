import { useEffect, useState } from 'react'
import { rank, useKeys } from './keys.js'

/**
 * What is told where keys are hinted at, and how to tell it: the next key, which may tell something itself, has it go, and so has
 * a change of what is asked.
 */
export function useNotice(asked?: string): [notice: string, tell: (text: string) => void] {
  const [notice, tell] = useState('')
  useKeys(() => {
    tell('')
    return false
  }, rank.first)
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the question changes
  useEffect(() => tell(''), [asked])
  return [notice, tell]
}
