import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Problem } from '../problem.js'

/**
 * Path of a program that is bundled beside this one and started as a process of its own. Run from the sources, it is
 * looked for in the built dist/. Throws a Problem ('agent') where it is missing.
 */
export function bundledProgram(name: 'guard' | 'rehearsal'): string {
  const places = [`./${name}.js`, `../../dist/${name}.js`].map((place) =>
    fileURLToPath(new URL(place, import.meta.url)),
  )
  const found = places.find((place) => existsSync(place))
  if (found !== undefined) return found
  throw new Problem({
    code: 'agent',
    what: `A part of autopilot is missing: ${name}.js`,
    why:
      name === 'guard'
        ? 'Without it, agents would run on unseen if autopilot were killed.'
        : 'It is the scripted agent.',
    todo: 'Build or install autopilot again (npm ci).',
  })
}
