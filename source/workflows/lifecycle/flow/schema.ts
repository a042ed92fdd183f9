import { z } from 'zod'
import { isStatePath } from '../places.js'
import { patternProblem } from './patterns.js'

// The format of a flow file (docs/lifecycle.md, "Flow files").

/** What shows in `_docs/` that a step is done. Paths are below `_docs/`. */
export type Detector =
  | { exists: string }
  /** A file that is not empty, or a folder that holds one. */
  | { filled: string }
  | { empty: string }
  | { contains: { file: string; pattern: string } }
  /** The newest file of one glob is as new as the newest of another. */
  | { newer: { file: string; than: string } }
  /** The dependencies table or the task folders hold a task of this kind. */
  | { task: 'test' | 'product' }
  /** Nothing in the project shows it: only a row of the state file does. */
  | { row: true }
  | { all: Detector[] }
  | { any: Detector[] }
  | { not: Detector }

const glob = z
  .string()
  .min(1)
  .max(200)
  .refine(
    (value) => !value.startsWith('/') && !value.split('/').includes('..'),
    'a path inside of _docs/ is needed',
  )
  .refine((value) => !/^_docs(?:\/|$)/i.test(value), 'paths begin below _docs/, without its name')
  .refine((value) => !value.includes('\\'), 'folders are parted by /')

const pattern = z.string().superRefine((value, context) => {
  const problem = patternProblem(value)
  if (problem !== undefined)
    context.addIssue({ code: 'custom', message: `this pattern is not taken: ${problem}` })
})

const detector: z.ZodType<Detector> = z.lazy(() =>
  z.union([
    z.strictObject({ exists: glob }),
    z.strictObject({ filled: glob }),
    z.strictObject({ empty: glob }),
    z.strictObject({ contains: z.strictObject({ file: glob, pattern }) }),
    z.strictObject({ newer: z.strictObject({ file: glob, than: glob }) }),
    z.strictObject({ task: z.enum(['test', 'product']) }),
    z.strictObject({ row: z.literal(true) }),
    z.strictObject({ all: z.array(detector).min(1) }),
    z.strictObject({ any: z.array(detector).min(1) }),
    z.strictObject({ not: detector }),
  ]),
)

/** What the state file holds in one line, where blanks around it are lost. */
const inOneLine = (longest: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(longest)
    .refine((value) => !/[\r\n]/.test(value), 'one line is needed')

const id = z
  .union([z.number(), inOneLine(20)])
  .transform(String)
  .refine((value) => value.toLowerCase() !== 'done', '"done" is no step')

const step = z.strictObject({
  id,
  name: inOneLine(100),
  skill: z.string().max(100).optional(),
  optional: z.boolean().optional(),
  repeat: z.boolean().optional(),
  boundaryAfter: z.boolean().optional(),
  resumable: z.boolean().optional(),
  subSteps: z.array(z.strictObject({ id, name: z.string() })).optional(),
  gates: z
    .array(
      z
        .strictObject({
          id: z.string(),
          question: z.string(),
          options: z.array(z.string()),
          recommend: z.string().optional(),
        })
        .refine(
          ({ options, recommend }) =>
            recommend === undefined || options.length === 0 || options.includes(recommend),
          { path: ['recommend'], message: 'it is none of the options' },
        ),
    )
    .optional(),
  done: detector,
  partial: detector.optional(),
})

const flow = z
  .strictObject({
    discriminators: z.array(glob).optional(),
    afterDone: z.strictObject({ flow: z.string(), step: id }).optional(),
    steps: z.array(step).min(1).max(100),
  })
  .superRefine(({ steps }, context) => {
    const seen = new Set<string>()
    for (const [index, one] of steps.entries()) {
      if (seen.has(one.id))
        context.addIssue({
          code: 'custom',
          path: ['steps', index, 'id'],
          message: `the id ${one.id} is there twice`,
        })
      seen.add(one.id)
    }
  })

/** Fields that say how the flows are worked through. */
export const flowFileSchema = z
  .strictObject({
    version: z.literal(1),
    statePath: z.string().refine(isStatePath, 'a Markdown file inside of the project is needed').optional(),
    maxAutoRetries: z.number().int().min(0).max(3).optional(),
    planDoneMarker: z.enum(['strict', 'loose']).optional(),
    batch: z
      .strictObject({ maxTasks: z.number().int().min(1).optional(), maxPoints: z.number().min(1).optional() })
      .optional(),
    flows: z.record(z.string().min(1), flow),
  })
  .superRefine(({ flows }, context) => {
    for (const [name, { afterDone }] of Object.entries(flows)) {
      // A flow of another file may be meant, which is not known here.
      const next = afterDone && Object.hasOwn(flows, afterDone.flow) ? flows[afterDone.flow] : undefined
      if (next && !next.steps.some((one) => one.id === afterDone?.step))
        context.addIssue({
          code: 'custom',
          path: ['flows', name, 'afterDone', 'step'],
          message: `the flow ${afterDone?.flow} has no step ${afterDone?.step}`,
        })
    }
  })

export type FlowFile = z.infer<typeof flowFileSchema>
export type FlowStep = z.infer<typeof step>
export type Flow = z.infer<typeof flow>
