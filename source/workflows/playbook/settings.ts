import { z } from 'zod'
import { readText } from '../../project/text-files.js'

// `.planning/config.json`: what a project says of how it is worked on. Other keys are other tools' and stay as they are.

export const settingsPath = '.planning/config.json'

const positive = (usual: number) => z.number().positive().default(usual).catch(usual)
const commandText = z.string().min(1).nullable().optional().catch(undefined)

const breakerLimits = z
  .looseObject({
    no_progress_threshold: positive(3),
    same_error_threshold: positive(5),
    output_degradation_pct: positive(70),
    max_debug_attempts_per_phase: z.int().nonnegative().default(3).catch(3),
    max_replan_attempts_per_phase: z.int().nonnegative().default(1).catch(1),
    max_total_retries_per_run: z.int().nonnegative().default(10).catch(10),
    cooldown_minutes: z.number().nonnegative().default(5).catch(5),
    cost_cap_tokens_per_phase: positive(500_000),
    cost_cap_tokens_total: positive(5_000_000),
    wall_clock_timeout_minutes_per_phase: positive(120),
    wall_clock_timeout_minutes_total: positive(1440),
  })
  .prefault({})

/** What a command of the project may take where nobody says otherwise. */
export const usualTimeoutSec = 600

const settings = z.looseObject({
  workflow: z.looseObject({ research: z.boolean().default(true).catch(true) }).prefault({}),
  commit_docs: z.boolean().default(true).catch(true),
  circuit_breaker: breakerLimits,
  /** A verification by a model that was quicker is doubted; 0 switches it off. */
  verification_min_seconds: z.number().nonnegative().default(120).catch(120),
  projectCommandTimeoutSec: positive(usualTimeoutSec),
  project: z
    .looseObject({
      type: z.string().optional().catch(undefined),
      manifest: z.string().nullable().optional().catch(undefined),
      commands: z
        .looseObject({ compile: commandText, lint: commandText, build: commandText, test: commandText })
        .prefault({}),
      commands_source: z.string().optional().catch(undefined),
      spec_paths: z.array(z.string()).default([]).catch([]),
      ui: z
        .looseObject({
          source_dir: z.string().optional().catch(undefined),
          file_extensions: z.array(z.string()).default([]).catch([]),
        })
        .prefault({}),
      visual_testing: z.looseObject({}).optional().catch(undefined),
    })
    .prefault({}),
})

export type PlaybookSettings = z.infer<typeof settings>
export type BreakerLimits = PlaybookSettings['circuit_breaker']

/** Settings of a text; what is missing or of the wrong kind is the usual. Undefined for what is no JSON object. */
export function settingsOf(text: string): PlaybookSettings | undefined {
  try {
    const read = settings.safeParse(JSON.parse(text))
    return read.success ? read.data : undefined
  } catch {
    return undefined
  }
}

/** The settings of a project; the usual ones where it has none that can be read. */
export async function readPlaybookSettings(root: string): Promise<PlaybookSettings> {
  const text = await readText({ root }, settingsPath)
  return (text === undefined ? undefined : settingsOf(text)) ?? settings.parse({})
}
