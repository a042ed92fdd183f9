import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { counted } from '../../counted.js'
import { runTests } from '../node-tests.js'
import type { RehearsalStage } from '../rehearsal.js'
import { createVoice, paceOf, type Voice } from '../voice.js'
import { type Order, readOrder } from './order.js'
import { type ScriptFile, type StepScript, scriptOf, type TaskFolders } from './steps.js'

/** One run of a step by the scripted worker: it really writes what the step leaves, and really runs the tests. */
export async function rehearse({ env, cwd, prompt, write }: RehearsalStage): Promise<void> {
  const path = env.AUTOPILOT_DISPATCH
  if (path === undefined || path === '')
    throw new Error('AUTOPILOT_DISPATCH is not set.\nStart the rehearsal agent through `autopilot demo`.')
  const order = await readOrder(path, cwd)
  const voice = createVoice(write, paceOf(env.AUTOPILOT_REHEARSAL_PACE))
  voice.session(`rehearsal-${order.id}`)
  const promptChars = (await prompt).length
  const result = await playStep(order, scriptOf(order, await taskFolders(order)), voice)
  voice.usage(promptChars)
  voice.end(result, String(result.outcome ?? result.error ?? 'a decision is needed'))
}

async function taskFolders({ projectDir }: Order): Promise<TaskFolders> {
  const names = (folder: string) =>
    readdir(join(projectDir, '_docs/02_tasks', folder)).catch((): string[] => [])
  return { todo: await names('todo'), done: await names('done') }
}

async function playStep(order: Order, script: StepScript, voice: Voice): Promise<Record<string, unknown>> {
  await voice.say(script.says)
  const { subSteps } = script
  for (const [at, subStep] of subSteps.entries()) {
    voice.plan(
      subSteps.map(({ id, name }, index) => ({
        text: `${id} \u2014 ${name}`,
        status: index < at ? 'completed' : index === at ? 'in_progress' : 'pending',
      })),
    )
    await tellSubStep(order, subStep, voice)
  }
  for (const file of script.files) await writeStepFile(order, file, voice)
  for (const [from, to] of script.moves ?? []) await move(order, from, to)
  if (script.tests) {
    const run = await voice.tool({ name: 'bash', kind: 'exec', title: 'node --test' }, async () => {
      const tested = await runTests(order.projectDir, [])
      return { output: tested.output, ok: tested.ok, value: tested }
    })
    if (!run.ok)
      return { status: 'failed', error: 'a test fails: 1000 cents for three guests are not 334 each' }
  }
  if (script.gate) return { status: 'gate', gate: script.gate }
  return { status: 'complete', outcome: script.outcome }
}

/** The one line of the state file that a worker may change. */
async function tellSubStep(
  order: Order,
  { id, name }: { id: string; name: string },
  voice: Voice,
): Promise<void> {
  const path = join(order.projectDir, order.statePath)
  await voice.tool({ name: 'edit', kind: 'edit', title: `${order.statePath}: sub_step` }, async () => {
    const lines = (await readFile(path, 'utf8')).split('\n')
    const line = `sub_step: ${id} \u2014 ${name}`
    const known = lines.findIndex((text) => text.startsWith('sub_step:'))
    const status = lines.findIndex((text) => text.startsWith('status:'))
    if (known >= 0) lines[known] = line
    else lines.splice(status + 1, 0, line)
    await writeFile(path, lines.join('\n'))
    return { output: line, value: undefined }
  })
}

async function writeStepFile(order: Order, { path, text: given }: ScriptFile, voice: Voice): Promise<void> {
  await voice.tool({ name: 'write', kind: 'edit', title: path }, async () => {
    const file = join(order.projectDir, path)
    const text = typeof given === 'string' ? given : given(await readFile(file, 'utf8').catch(() => ''))
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, text)
    return { output: counted(text.split('\n').length - 1, 'line'), value: undefined }
  })
}

async function move(order: Order, from: string, to: string): Promise<void> {
  await mkdir(dirname(join(order.projectDir, to)), { recursive: true })
  // A run that was broken off has moved it already.
  await rename(join(order.projectDir, from), join(order.projectDir, to)).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error
    },
  )
}
