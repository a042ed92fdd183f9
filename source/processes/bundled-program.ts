import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Problem } from '../problem.js'

/** Why each of them is needed. */
const purposes = {
  guard: 'Without it, agents would run on unseen if autopilot were killed.',
  rehearsal: 'It is the scripted agent.',
  embedded: 'It is the agent that works over the API of a model server.',
} as const

/**
 * Path of a program that is bundled beside this one and started as a process of its own. Run from the sources, it is
 * looked for in the built dist/. Throws a Problem ('agent') where it is missing.
 */
export function bundledProgram(name: keyof typeof purposes): string {
  const places = [`./${name}.js`, `../../dist/${name}.js`].map((place) =>
    fileURLToPath(new URL(place, import.meta.url)),
  )
  const found = places.find((place) => existsSync(place))
  if (found !== undefined) return found
  throw new Problem({
    code: 'agent',
    what: `A part of autopilot is missing: ${name}.js`,
    why: purposes[name],
    todo: 'Build or install autopilot again (npm ci).',
  })
}
