import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Confinement } from '../../../source/processes/confine/confinement.js'
import { detectConfinement } from '../../../source/processes/confine/detect.js'
import { type ConfinementFacts, planConfinement } from '../../../source/processes/confine/policy.js'

/** What there is to confine with here; tests of the real thing are skipped, with the reason, where there is nothing. */
export const here = await detectConfinement()
if (!here.works) console.warn(`Confinement is not tested: ${here.reason}.`)

export interface Place {
  folder: string
  root: string
  home: string
  confine(facts?: Partial<ConfinementFacts>): Confinement
  remove(): Promise<void>
}

/** A project and a home below the temporary directory, which is private inside. */
export async function makePlace(): Promise<Place> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'autopilot-test-')))
  const root = join(folder, 'project')
  const home = join(folder, 'home')
  for (const path of [root, home]) await mkdir(path)
  return {
    folder,
    root,
    home,
    confine(facts = {}) {
      if (!here.works) throw new Error(here.reason)
      return planConfinement({
        tool: here.tool,
        root,
        home,
        env: { PATH: '/usr/bin:/bin', HOME: home },
        ownPaths: [],
        autopilotPaths: [],
        allowed: [],
        readOnly: [],
        binds: [],
        ...facts,
      })
    },
    remove: async () => await rm(folder, { recursive: true, force: true }),
  }
}
