import { delimiter, join } from 'node:path'
import { beforeAll, describe, test } from 'vitest'
import { allLiars } from '../liars/cases/all.js'
import { twins } from '../liars/cases/twins.js'
import { judged } from '../liars/judged.js'
import { modelBackend } from '../liars/model-backend.js'
import { textOf } from '../mock-model/turn.js'
import { installPrograms, type Program, programFolder } from './programs.js'
import { surround } from './surroundings.js'

// Liars among the tool calls of real programs: a process that was to outlive its dispatch, a line in the journal. Beside them an
// honest one, so that a program which does nothing at all is noticed.

const names = (['claude', 'codex'] as const).filter(
  (name) => !process.env.CLIS || process.env.CLIS.split(',').includes(name),
)
const wanted = new Set(['daemon-double-fork', 'forged-transition', 'honest'])

const installed = new Map<string, Program>()
beforeAll(async () => {
  for (const program of await installPrograms(names)) installed.set(program.name, program)
}, 1_200_000)

if (names.length === 0)
  test.skip('none of the programs that were asked for lies in tool calls here', () => undefined)

describe.each(names)('%s', (name) => {
  const agent = () =>
    modelBackend({
      name,
      // In its own confinement the commands of these write nothing, and the scripted agent would wait for ever.
      onlyReads: ({ messages }) =>
        name === 'codex' &&
        /You are harness-(?:verifier|code-reviewer)\./.test(messages.map(textOf).join('\n')),
      environment: (world, base) => surround(name, world.home, base),
      async own(world) {
        const program = installed.get(name)
        if (!program) throw new Error('not installed')
        const folder = await programFolder([program], join(world.folder, 'bin'))
        return { PATH: `${folder}${delimiter}${world.env.PATH}` }
      },
    })
  judged(
    name,
    [...allLiars, ...twins].filter((one) => wanted.has(one.name)),
    agent,
  )
})
