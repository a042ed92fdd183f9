import { createHash } from 'node:crypto'
import type { Category } from '../taxonomy.js'

// By what two errors count as the same one.

const longest = 300

/** An error without what differs from one time to the next: case, colours, paths, ids, times, numbers. */
export function normalMessage(message: string): string {
  return message
    .replace(/\u001b\[[0-9;?]*[ -/]*[@-~]/g, '')
    .slice(0, 8 * longest)
    .toLowerCase()
    .replace(/\d{4}-\d{2}-\d{2}[t ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:z|[+-]\d{2}:?\d{2})?/g, '<time>')
    .replace(/\b\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?\b/g, '<time>')
    .replace(/(?:\b[a-z]:)?[\w.@\\/-]+/g, (run) => (/[\w.@-][\\/]/.test(run) ? '<path>' : run))
    .replace(/\b(?:0x)?(?=[0-9a-f]*\d)[0-9a-f]{7,64}\b/g, '<hex>')
    .replace(/\d+(?:\.\d+)?/g, '<n>')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, longest)
}

/** The step and a hash of step, category and message: the step says whose success makes it forgotten. */
export function errorSignature(step: string, category: Category, message: string): string {
  const hash = createHash('sha256')
    .update(`${step}\n${category}\n${normalMessage(message)}`)
    .digest('hex')
  return `${step}:${hash.slice(0, 16)}`
}

/** The step of a signature. */
export function stepOf(signature: string): string {
  return signature.slice(0, signature.lastIndexOf(':'))
}
