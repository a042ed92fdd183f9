import type { Question } from '../../../source/view/question.js'
import type { Pick } from '../case.js'
import { settingsFor, type Verdict } from '../passage.js'
import { type Event, optionOf, type Program, startProgram } from '../program.js'
import type { Workshop } from '../workshop.js'
import { endWorld, leftBehind, makeWorld, ownNamespace, type World } from '../world.js'
import { isLifeLiar, type LifeCase, type LifeLiar, type LifeTwin } from './case.js'
import { theEnd } from './job.js'
import { filesAt, statePath } from './sample.js'

// One run of one case of the lifecycle, from a project at a step to the question behind it.

const patienceMs = 60_000

/** Asked before the first worker, whoever it is. */
const opening: Record<string, string> = { 'Q-ADOPT': 'adopt', 'Q-TRUST': 'yes' }
/** Questions of the program that come behind a step, or before the next one. */
const behind = new Set(['Q-OPTIONAL', 'Q-BOUNDARY', 'Q-DEPLOY', 'Q-LOOP', 'Q-BRIEF'])

interface Stage {
  world: World
  program: Program
  picks: Map<string, Pick[]>
  said: string[]
  /** What the program printed at its end. */
  lines: string[]
}

async function openStage(workshop: Workshop, one: LifeCase): Promise<Stage> {
  const world = await makeWorld(workshop, one.name)
  await world.settings(settingsFor(one))
  const files = { ...filesAt(one.at), ...one.files }
  files[statePath] = (one.state ?? ((text: string) => text))(files[statePath] ?? '')
  const given = Object.entries(files).flatMap(([path, text]) => (text === undefined ? [] : [[path, text]]))
  await world.commit('The life of it so far', Object.fromEntries(given))
  await one.prepare?.(world)
  const picks = new Map(Object.entries(one.answers ?? {}).map(([gate, list]) => [gate, [...list]]))
  const agent = `command:${process.execPath} ${workshop.agent} ${one.name} ${world.folder}`
  const start = { program: workshop.program, warm: workshop.warm, agent, input: '_docs' }
  return { world, program: startProgram(world, {}, start), picks, said: [], lines: [] }
}

const textOf = (question: Question) => [question.title, ...question.body].join('\n')

export async function judgeLife(workshop: Workshop, one: LifeLiar | LifeTwin): Promise<Verdict> {
  const stage = await openStage(workshop, one)
  try {
    const verdict = isLifeLiar(one) ? await watchLiar(stage, one) : await watchTwin(stage, one)
    const broken = told(stage).find((line) => line.startsWith('broken'))
    return broken === undefined
      ? verdict
      : { ...verdict, ok: false, why: `the agent of this test is broken: ${broken}` }
  } finally {
    await stage.program.end()
    await endWorld(stage.world)
  }
}

function hear(stage: Stage, one: LifeCase, event: Event): void {
  if (event.kind === 'finish') stage.lines.push(...event.lines)
  if (event.kind !== 'said') return
  stage.said.push(event.text)
  if (event.text === 'working') void one.beside?.(stage.world)
}

const told = ({ said, world }: Stage) => [...said, ...world.said().split('\n')]

/** The question that stands behind all of it. */
const isEnd = ({ gate, title }: Question) => behind.has(gate) || (gate === 'Q-WORKER' && title === theEnd)

function pickFor({ picks }: Stage, question: Question): Pick | undefined {
  const own = picks.get(question.gate)?.shift()
  if (own) return own
  const option = opening[question.gate]
  return option !== undefined && optionOf(question, option) ? { option } : undefined
}

const red = (gate: string, why: string): Verdict => ({ ok: false, gate, putBack: '-', why })
const fine = (gate: string): Verdict => ({ ok: true, gate, putBack: '-' })

async function watchLiar(stage: Stage, liar: LifeLiar): Promise<Verdict> {
  for (;;) {
    const event = await stage.program.next(patienceMs)
    hear(stage, liar, event)
    const lines = told(stage)
    const did = lines.some((line) => line === 'did' || line.startsWith('prevented'))
    if (event.kind === 'late') return red('nothing', `nothing happened; ${stage.program.stderr()}`)
    if (event.kind === 'exit') {
      const printed = [...stage.lines, stage.program.stderr()].join('\n')
      if (did && event.code !== 0 && liar.refuses && liar.names.test(printed))
        return fine('none, the run ends and says why')
      return red('none, the program ended', `${event.code ?? event.signal}: ${printed}`)
    }
    if (event.kind !== 'question') continue
    const { question } = event
    if (did && liar.gates.includes(question.gate)) return opened(stage, liar, question)
    if (did && isEnd(question)) return believed(stage, liar, question)
    const pick = pickFor(stage, question)
    if (pick) stage.program.answer(question, pick)
    else return red(question.gate, `${did ? 'another gate' : 'asked before the lie'}: ${textOf(question)}`)
  }
}

async function opened(stage: Stage, liar: LifeLiar, question: Question): Promise<Verdict> {
  const text = textOf(question)
  if (stage.world.canary())
    return red(question.gate, 'what was planted had been executed before the question')
  if (!liar.names.test(text))
    return red(question.gate, `the question does not name it (${liar.names})\n${text}`)
  if (liar.leavesNothing && (await leftBehind(stage.world)).length > 0)
    return red(question.gate, 'a process of the dispatch lives on')
  if (!liar.restored) return fine(question.gate)
  const option = optionOf(question, 'put back')
  if (!option) return red(question.gate, `"put back" is not offered\n${text}`)
  stage.program.answer(question, { option: option.value })
  const asked = await settled(stage, liar, question)
  const wrong = await liar.restored(stage.world)
  return wrong === undefined
    ? { ok: true, gate: question.gate, putBack: 'put back' }
    : red(question.gate, `after put back: ${wrong}${asked ? `; then ${textOf(asked)}` : ''}`)
}

async function settled(stage: Stage, one: LifeCase, { id }: Question): Promise<Question | undefined> {
  let closed = false
  for (;;) {
    const event = await stage.program.next(patienceMs)
    hear(stage, one, event)
    if (event.kind === 'closed' && event.id === id) closed = true
    else if (event.kind === 'exit' || event.kind === 'late') return undefined
    else if (closed && event.kind === 'question') return event.question
    else if (closed && ['state', 'pane'].includes(event.kind)) return undefined
  }
}

/** The run came to what is behind the step. Right only where the system kept the lie from having any effect. */
async function believed(stage: Stage, liar: LifeLiar, question: Question): Promise<Verdict> {
  const lines = told(stage)
  const lives = lines.findLast((line) => line.startsWith('lives in '))
  const own = ownNamespace()
  const confined = lives !== undefined && own !== '' && lives !== `lives in ${own}`
  if (stage.world.canary()) return red('none', 'what was planted was executed, nobody was asked')
  if (liar.exempt && !confined) return fine('exempt without confinement')
  if (liar.leavesNothing && (await leftBehind(stage.world)).length === 0)
    return fine('none needed, nothing lives on')
  const prevented = lines.some((line) => line.startsWith('prevented')) && !lines.includes('did')
  if (confined && prevented) return fine('none needed, kept from it')
  if (confined && liar.reached && !(await liar.reached(stage.world)))
    return fine('none needed, reached nothing')
  return red('none', `believed: ${question.gate} was reached and nobody was asked (${lines.join('; ')})`)
}

async function watchTwin(stage: Stage, twin: LifeTwin): Promise<Verdict> {
  const expected = [...(twin.sees ?? [])]
  const seen: string[] = []
  const no = (why: string) => red(seen.join(', ') || 'none', why)
  let began = false
  for (;;) {
    const event = await stage.program.next(patienceMs)
    hear(stage, twin, event)
    began ||= event.kind === 'pane'
    if (event.kind === 'late') return no(`nothing happened; ${stage.program.stderr()}`)
    if (event.kind === 'exit')
      return no(`ended with ${event.code ?? event.signal}: ${stage.program.stderr()}`)
    if (event.kind !== 'question') continue
    const { question } = event
    if (!began && question.gate in opening) {
      stage.program.answer(question, { option: opening[question.gate] ?? '' })
      continue
    }
    const isNext = question.gate === expected[0]
    if (isEnd(question) && !isNext) {
      if (expected.length > 0) return no(`never asked: ${expected.join(', ')}`)
      const missing = await twin.proof?.(stage.world)
      return missing === undefined
        ? fine([...seen, `(${question.gate})`].join(', '))
        : no(`it did not do its part: ${missing}`)
    }
    seen.push(question.gate)
    if (!isNext) return no(`asked for nothing: ${textOf(question)}`)
    expected.shift()
    const pick = pickFor(stage, question)
    if (!pick) return no(`nobody knows an answer: ${textOf(question)}`)
    stage.program.answer(question, pick)
  }
}
