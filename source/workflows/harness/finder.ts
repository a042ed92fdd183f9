import { readSpec } from '../../documents/spec.js'
import type { Finder, Input, Recognition } from '../workflow.js'
import { candidates } from './candidates.js'

/** Specs: it takes every text file, if need be by asking. */
export const harnessFinder: Finder = {
  recognise: async (input) => recognise(input),
  candidates,
}

function recognise({ path, kind, text }: Input): Recognition | undefined {
  if (kind !== 'file') return undefined
  const { reading } = readSpec(text ?? '')
  const meaning = 'work through the phases of this spec'
  if (!path.toLowerCase().endsWith('.md') || reading === 'none')
    return { subject: path, certainty: 'possible', meaning }
  return { subject: path, certainty: reading === 'literal' ? 'sure' : 'likely', meaning }
}
