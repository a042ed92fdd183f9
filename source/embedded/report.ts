import { z } from 'zod'
import { lastJsonBlock, validationErrors } from '../agents/result.js'
import type { Failure } from './protocol.js'

export const reportName = 'report_result'

export type Checked = { ok: true; result: unknown } | { ok: false; errors: string[] }

/** The tool by which the model hands its result over. */
export interface Report {
  tool: { name: string; description: string; input_schema: { type: 'object'; [key: string]: unknown } }
  check(value: unknown): Checked
  /** The result that a text holds as a fenced block, if it holds one. */
  inText(text: string): Checked | undefined
}

/** Undefined where no result is expected; a failure for a schema that is none or is not of an object. */
export function createReport(schema: unknown): Report | Failure | undefined {
  if (schema === undefined) return undefined
  if (!isObjectSchema(schema)) return wrongSchema('it does not describe an object')
  let reader: z.ZodType
  try {
    reader = z.fromJSONSchema(schema)
  } catch (error) {
    return wrongSchema(error instanceof Error ? error.message : String(error))
  }

  function check(value: unknown): Checked {
    const read = reader.safeParse(value)
    // The value itself counts, not a copy with defaults filled in: whoever expects it validates it again.
    return read.success ? { ok: true, result: value } : { ok: false, errors: validationErrors(read.error) }
  }

  return {
    tool: {
      name: reportName,
      description:
        'Hands over the result of the whole work and ends it. Call it once, when everything is done.',
      input_schema: schema,
    },
    check,
    inText(text) {
      const found = lastJsonBlock(text)
      return found === undefined ? undefined : check(found)
    },
  }
}

function isObjectSchema(schema: unknown): schema is { type: 'object' } {
  return typeof schema === 'object' && schema !== null && 'type' in schema && schema.type === 'object'
}

function wrongSchema(why: string): Failure {
  return { error: 'input', message: `The schema of the result cannot be used: ${why}.`, retry: 'never' }
}
