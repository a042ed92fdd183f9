import { findOnPath } from '../../processes/find-program.js'
import type { Config } from '../../project/config.js'
import type { Check } from '../workflow.js'

/** What this workflow runs beside its agents: the project's checks, and the program that opens pull requests. */
export async function checks(config: Config | undefined): Promise<Check[]> {
  return [await validateCheck(config), await ghCheck()]
}

async function validateCheck(config: Config | undefined): Promise<Check> {
  if (config?.validate) return { name: 'validate', ok: true, text: config.validate.join(' ') }
  const harness = await findOnPath('harness')
  return {
    name: 'validate',
    ok: harness !== undefined,
    text: harness ?? 'no validate command; the question Q-VALIDATE is asked where one is needed',
  }
}

async function ghCheck(): Promise<Check> {
  const gh = await findOnPath('gh')
  return {
    name: 'gh',
    ok: gh !== undefined,
    text: gh ?? 'not found; pull request texts are written to a file',
  }
}
