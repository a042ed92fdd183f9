import { join } from 'node:path'
import { expect } from 'vitest'
import type { ModelProjectOptions } from '../e2e/model-project.js'
import { expectedGates, threePhaseRun } from '../e2e/three-phase-run.js'
import { type Program, programFolder } from './programs.js'
import { surround } from './surroundings.js'

/** A real program as the agent of a whole run, found on PATH as a person has it. */
export function realAgent(program: Program): Pick<ModelProjectOptions, 'agent' | 'environment'> {
  return {
    agent: program.name,
    async environment(project, base) {
      const folder = await programFolder([program], join(project.root, 'bin'))
      const own = await surround(program.name, project.home, base)
      return { ...own, PATH: `${folder}:${project.env.PATH}` }
    },
  }
}

/** The built program drives a real agent from the first key to DONE; the gates are those of the embedded agent. */
export async function wholeRun(program: Program): Promise<void> {
  expect(await threePhaseRun(realAgent(program), 900_000)).toEqual(expectedGates)
}
