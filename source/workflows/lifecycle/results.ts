import { z } from 'zod'
import { cappedText } from '../../agents/border.js'
import { readChooseBox } from '../../documents/choose-box.js'

const text = z.string()
/** Kept in the journal, the state file and the next orders: never all of an endless output. */
const words = text.transform((said) => cappedText(said))
const id = z.union([z.string(), z.number()]).transform(String)

/** What a worker hands back (docs/lifecycle.md, "The worker"). Unknown keys are left out. */
export const stepResult = z
  .object({
    status: z.enum(['complete', 'failed', 'gate']),
    /** One line of what came of the step. */
    outcome: words.optional(),
    subStep: z.object({ id, name: text.default('') }).optional(),
    /** Why it failed. */
    error: words.optional(),
    /** A decision that only a person can take. Without options it is answered in words. */
    gate: z
      .object({
        id,
        question: text.min(1).transform((said) => cappedText(said)),
        options: z.array(text.min(1)).max(6).default([]),
        recommendation: text.optional(),
      })
      .optional(),
  })
  .refine((result) => result.status !== 'gate' || result.gate !== undefined, {
    message: 'a result of status "gate" needs the gate',
    path: ['gate'],
  })

/** A gate whose question is printed as a box has the options of the box. */
export function plainGate(gate: WorkerGate): WorkerGate {
  const box = gate.options.length === 0 ? readChooseBox(gate.question) : undefined
  if (!box) return gate
  const { question, options, recommendation = gate.recommendation } = box
  return {
    id: gate.id,
    question: question === '' ? 'Which one?' : question,
    options,
    ...(recommendation === undefined ? {} : { recommendation }),
  }
}

export type StepResult = z.infer<typeof stepResult>
export type WorkerGate = NonNullable<StepResult['gate']>
