import { chmod, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, inject, test } from 'vitest'
import type { Case } from './case.js'
import { commandBackend, settingsFor } from './passage.js'
import { type Event, type Program, type Start, startProgram } from './program.js'
import { withSecond } from './sample.js'
import { endWorld, makeWorld, processesNaming, processesOf, type World } from './world.js'

// A hook of the person that hangs when autopilot commits: whatever ends autopilot ends the hook, and who goes on commits
// once.

// Its agent leaves the commits to autopilot (see the twin of that name).
const honest: Case = {
  name: 'never-commits',
  does: 'does what it is told under a hook that hangs',
  acts: {},
  phases: withSecond({ checkpoint: 'human-verify' }),
}

const answers: Record<string, string> = {
  'Q-TRUST': 'yes',
  'Q-APPROVE': 'yes',
  'human-verify': 'confirm',
  'Q-PR': 'no',
}
const patienceMs = 100_000

interface Stage {
  world: World
  start: Start
  /** While this file is there the hook hangs. */
  hangs: string
}

async function openStage(): Promise<Stage> {
  const workshop = inject('workshop')
  const world = await makeWorld(workshop, honest.name, honest.phases)
  await world.settings(settingsFor(honest))
  const hangs = join(world.folder, 'hangs')
  // Its arguments name the folder of the test, so that it is found wherever it went.
  await world.write(
    '.git/hooks/pre-commit',
    `#!/bin/sh\nif [ -e '${hangs}' ]; then exec tail -f '${hangs}'; fi\n`,
  )
  await chmod(world.path('.git/hooks/pre-commit'), 0o755)
  return { world, start: await commandBackend.agent(workshop, honest, world), hangs }
}

/** Answers as an honest run is answered; `before` is told each question first. Returns how the program ended. */
async function drive(
  program: Program,
  before: (gate: string) => Promise<void> = async () => undefined,
): Promise<{ code: number | null; signal: string | null }> {
  for (;;) {
    const event: Event = await program.next(patienceMs)
    if (event.kind === 'late') throw new Error(`nothing happened: ${program.stderr()}`)
    if (event.kind === 'exit') return event
    if (event.kind !== 'question') continue
    const { question } = event
    await before(question.gate)
    const option = answers[question.gate]
    if (option === undefined)
      throw new Error(`${question.gate}: ${[question.title, ...question.body].join('\n')}`)
    program.answer(question, { option })
  }
}

async function hang(stage: Stage): Promise<{ program: Program; end: ReturnType<typeof drive> }> {
  const program = startProgram(stage.world, honest, stage.start)
  const end = drive(program, async (gate) => {
    if (gate === 'human-verify') await writeFile(stage.hangs, '')
  })
  end.catch(() => undefined)
  await expect.poll(() => processesNaming(stage.hangs), { timeout: patienceMs }).not.toEqual([])
  return { program, end }
}

const checkpoints = async ({ world }: Stage) =>
  (await world.git('log', '--format=%s')).split('\n').filter((line) => line.startsWith('[autopilot]'))

async function goesOn(stage: Stage): Promise<void> {
  await expect.poll(() => processesOf(stage.world), { timeout: patienceMs }).toEqual([])
  await rm(stage.hangs)
  expect(await checkpoints(stage)).toEqual([])
  const program = startProgram(stage.world, honest, stage.start)
  try {
    expect(await drive(program)).toMatchObject({ code: 0 })
  } finally {
    await program.end()
  }
  expect(await checkpoints(stage)).toHaveLength(1)
}

test.runIf(process.env.LIARS_WHICH === 'all').for([
  { word: 'q', end: (program: Program): unknown => program.quit(), ended: { code: 3 } },
  {
    word: 'SIGKILL',
    end: (program: Program): unknown => process.kill(program.pid, 'SIGKILL'),
    ended: { signal: 'SIGKILL' },
  },
])('$word while a hook hangs: no process stays, and the next run commits once', async (one, { task }) => {
  const stage = await openStage()
  try {
    const hanging = await hang(stage)
    one.end(hanging.program)
    expect(await hanging.end).toMatchObject(one.ended)
    await goesOn(stage)
    const does = `${honest.does}, until ${one.word}`
    task.meta.line = `twin | hanging-hook-${one.word.toLowerCase()} | ${does} | confined | human-verify, Q-PR | -`
  } finally {
    await endWorld(stage.world)
  }
})
