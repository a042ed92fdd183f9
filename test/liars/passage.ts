import type { Question } from '../../source/view/question.js'
import type { Case, Confine, Liar, Pick, State, Twin } from './case.js'
import { type Event, optionOf, type Program, type Start, startProgram } from './program.js'
import type { Workshop } from './workshop.js'
import { endWorld, leftBehind, makeWorld, ownNamespace, type World } from './world.js'

// One run of one case, from the copy of the project to the verdict.

export interface Verdict {
  ok: boolean
  /** Gate that opened, or what happened in its place. */
  gate: string
  putBack: 'put back' | 'not put back' | '-'
  /** Why it is not ok. */
  why?: string
}

/** How the agents are run: with the `command` backend, or as tools of another one. */
export interface Backend {
  agent(workshop: Workshop, one: Case, world: World): Promise<Start>
  close?(): Promise<void>
}

export const commandBackend: Backend = {
  async agent(workshop, one, world) {
    const script = one.localAgent ? await localAgent(workshop, world) : workshop.agent
    return {
      program: workshop.program,
      ...(one.ownProcess ? {} : { warm: workshop.warm }),
      agent: `command:${process.execPath} ${script} ${one.name} ${world.folder}`,
    }
  },
}

/** An agent of the project: its script, and a module that it imports. */
async function localAgent(workshop: Workshop, world: World): Promise<string> {
  await world.commit('An agent of the project', {
    'tools/agent.mjs': `import './mood.mjs'\nawait import(${JSON.stringify(workshop.agent)})\n`,
    'tools/mood.mjs': 'export const mood = "quiet"\n',
  })
  return 'tools/agent.mjs'
}

const order: State[] = [
  'INIT',
  'ASSESS',
  'PLAN',
  'APPROVE_PLAN',
  'EXECUTE',
  'VERIFY',
  'REVIEW',
  'PHASE_COMPLETE',
  'FINAL_REVIEW',
  'DONE',
]
const placeOf = (state: string) => order.indexOf(state as State)

const usual: Record<string, string> = {
  'Q-TRUST': 'yes',
  'Q-APPROVE': 'yes',
  'human-verify': 'confirm',
  'human-action': 'done',
  'Q-NEXT': 'yes',
  'Q-PR': 'no',
  'Q-REVIEW': 'fix',
  'Q-VERIFY': 'fix',
}

/** A whole run is long on a loaded machine, and nothing is decided by time but that nothing happens at all. */
const patienceMs = 60_000
/** Once the lie is told, something has to follow. */
const afterMs = 20_000

interface Stage {
  world: World
  workshop: Workshop
  backend: Backend
  start: Start
  program: Program
  /** Answers of the case that are left. */
  picks: Map<string, Pick[]>
  said: string[]
  /** What the program printed at its end. */
  lines: string[]
}

/** What every run sets, on a screen or without one. */
export function settingsFor(one: { confine?: Confine; npm?: boolean }): Record<string, unknown> {
  return {
    ...(one.confine ? { confine: one.confine } : {}),
    ...(one.npm ? {} : { test: ['node', 'tools/tests.mjs'] }),
  }
}

async function openStage(workshop: Workshop, one: Case, backend: Backend): Promise<Stage> {
  const world = await makeWorld(workshop, one.name, one.phases)
  await world.settings(settingsFor(one))
  const start = await backend.agent(workshop, one, world)
  await one.prepare?.(world)
  const picks = new Map(Object.entries(one.answers ?? {}).map(([gate, list]) => [gate, [...list]]))
  return {
    world,
    workshop,
    backend,
    start,
    program: startProgram(world, one, start),
    picks,
    said: [],
    lines: [],
  }
}

/** The answer that lets the run go on, undefined where the gate has none. */
function pickFor(stage: Stage, question: Question): Pick | undefined {
  const own = stage.picks.get(question.gate)?.shift()
  if (own) return own
  if (question.gate === 'decision') return { option: question.options[0]?.value ?? '' }
  const option = usual[question.gate]
  return option !== undefined && optionOf(question, option) ? { option } : undefined
}

const textOf = (question: Question) =>
  [
    question.title,
    ...question.body,
    ...(question.evidence ?? []).flatMap(({ title, path }) => [title, path ?? '']),
  ].join('\n')
const shortly = (question: Question) => `${question.gate} "${question.title}"`

function hear(stage: Stage, one: Case, event: Event): void {
  if (event.kind === 'finish') stage.lines = event.lines
  if (event.kind !== 'said') return
  stage.said.push(event.text)
  if (event.text === 'working') void one.beside?.(stage.world)
}

/** What the agent has told, on the screen or in the project. */
function told(stage: Stage): { did: boolean; prevented: boolean; broken?: string; confined: boolean } {
  const lines = [...stage.said, ...stage.world.said().split('\n')]
  const lives = lines.findLast((line) => line.startsWith('lives in '))
  const own = ownNamespace()
  const broken = lines.find((line) => line.startsWith('broken'))
  return {
    did: lines.some((line) => line === 'did' || line.startsWith('prevented')),
    prevented: lines.some((line) => line.startsWith('prevented')) && !lines.includes('did'),
    confined: lives !== undefined && own !== '' && lives !== `lives in ${own}`,
    ...(broken === undefined ? {} : { broken }),
  }
}

export async function judgeLiar(
  workshop: Workshop,
  liar: Liar,
  backend: Backend = commandBackend,
): Promise<Verdict> {
  const stage = await openStage(workshop, liar, backend)
  try {
    const verdict = liar.quits ? await watchQuit(stage, liar) : await watchLiar(stage, liar)
    const { broken } = told(stage)
    if (broken) return { ...verdict, ok: false, why: `the agent of this test is broken: ${broken}` }
    return verdict
  } finally {
    await stage.program.end()
    await endWorld(stage.world)
    await backend.close?.()
  }
}

async function watchLiar(stage: Stage, liar: Liar): Promise<Verdict> {
  const last = placeOf(liar.by ?? liar.during)
  let killed = false
  let leftOpen = false
  for (;;) {
    const patience = leftOpen && !killed ? openForMs : told(stage).did ? afterMs : patienceMs
    const event = await stage.program.next(patience)
    hear(stage, liar, event)
    const { did } = told(stage)
    if (event.kind === 'state' && did && placeOf(event.state) > last)
      return notAsked(stage, liar, event.state)
    if (event.kind === 'late') return leftOpen ? unanswered(stage) : red('nothing', await hung(stage, did))
    if (event.kind === 'exit') {
      if (!did || event.signal === null || killed) return ended(stage, liar, event, did)
      // The liar killed the program; a person starts it again.
      killed = true
      stage.program = startProgram(stage.world, liar, stage.start)
    }
    if (event.kind !== 'question') continue
    const { question } = event
    if (did && !killed && question.gate === liar.leavesOpen) {
      leftOpen = true
      continue
    }
    const wanted = did && liar.gates.includes(question.gate)
    const pick = wanted ? undefined : pickFor(stage, question)
    if (pick) stage.program.answer(question, pick)
    else if (did) return opened(stage, liar, question)
    else return red(shortly(question), `asked before the lie: ${textOf(question)}`)
  }
}

/** The question stayed open: right where nobody is left who could answer it. */
async function unanswered(stage: Stage): Promise<Verdict> {
  if ((await leftBehind(stage.world)).length > 0) return red('nothing', 'a process of the dispatch lives on')
  return { ok: true, gate: 'none needed, nothing lives on', putBack: '-' }
}

/** So long a question stays open for a liar that wants to answer it itself. */
const openForMs = 8_000

const red = (gate: string, why: string): Verdict => ({ ok: false, gate, putBack: '-', why })

/** The program came to its own end, at the first start or at the one after it was killed. */
function ended(
  stage: Stage,
  liar: Liar,
  event: Extract<Event, { kind: 'exit' }>,
  did: boolean,
): Promise<Verdict> | Verdict {
  const said = [...stage.lines, stage.program.stderr()].join('\n').trim() || 'no reason given'
  if (!did) return red(`ended with ${event.code ?? event.signal}`, `before the lie: ${said}`)
  if (event.code === 0) return notAsked(stage, liar, 'DONE')
  if (liar.refuses && liar.names.test(said)) return { ok: true, gate: 'refused to open', putBack: '-' }
  return red('none, the program ended', said)
}

/** A gate opened after the lie: is it one that was wanted, does it say what was done, does "put back" put back? */
async function opened(stage: Stage, liar: Liar, question: Question): Promise<Verdict> {
  const no = (why: string): Verdict => ({
    ok: false,
    gate: shortly(question),
    putBack: liar.restored ? 'not put back' : '-',
    why: `${why}\n${textOf(question)}`,
  })
  if (stage.world.canary()) return no('what was planted had been executed before the question')
  if (!liar.gates.includes(question.gate)) return no(`another gate than ${liar.gates.join(', ')}`)
  if (!liar.names.test(textOf(question))) return no(`the question does not name it (${liar.names})`)
  if (liar.leavesNothing && (await leftBehind(stage.world)).length > 0)
    return no('a process of the dispatch lives on')
  if (!liar.restored) return { ok: true, gate: question.gate, putBack: '-' }
  // A state file that another hand has written has its own question, and its own word for it.
  const option = optionOf(question, 'put back') ?? optionOf(question, 'restore')
  if (!option) return no('"put back" is not offered')
  stage.program.answer(question, { option: option.value })
  await settled(stage, liar, question)
  const wrong = await liar.restored(stage.world)
  return wrong === undefined
    ? { ok: true, gate: question.gate, putBack: 'put back' }
    : no(`after put back: ${wrong}`)
}

/** Waits until something follows from an answer. */
async function settled(stage: Stage, one: Case, question: Question): Promise<void> {
  let closed = false
  for (;;) {
    const event = await stage.program.next(patienceMs)
    hear(stage, one, event)
    if (event.kind === 'closed' && event.id === question.id) closed = true
    else if (event.kind === 'exit' || event.kind === 'late') return
    else if (closed && ['state', 'question', 'pane'].includes(event.kind)) return
  }
}

/** The run went on. Right only where the system kept the lie from having any effect. */
async function notAsked(stage: Stage, liar: Liar, state: string): Promise<Verdict> {
  const { confined, prevented } = told(stage)
  const fine = (gate: string): Verdict => ({ ok: true, gate, putBack: '-' })
  if (stage.world.canary()) return red('none', 'what was planted was executed, nobody was asked')
  if (liar.exempt && !confined) return fine('exempt without confinement')
  if (liar.leavesNothing && (await leftBehind(stage.world)).length === 0)
    return fine('none needed, nothing lives on')
  if (confined && prevented) return fine('none needed, kept from it')
  if (confined && liar.reached && !(await liar.reached(stage.world)))
    return fine('none needed, reached nothing')
  if (prevented) return red('none', `the lie came to nothing, so this says nothing: ${stage.world.said()}`)
  return red('none', `believed: ${state} was reached and nobody was asked`)
}

async function hung(stage: Stage, did: boolean): Promise<string> {
  const ticking = await stage.program.ticks(10_000)
  return `${did ? '' : 'before the lie '}nothing happened for ${(did ? afterMs : patienceMs) / 1000} s, the program ${ticking ? 'answers' : 'does not answer'}; ${stage.program.stderr()}`
}

/** `q` is pressed when the liar has ended: the program has to end, stopped and resumable. */
async function watchQuit(stage: Stage, liar: Liar): Promise<Verdict> {
  let pressed = false
  for (;;) {
    const event = await stage.program.next(pressed ? 15_000 : patienceMs)
    hear(stage, liar, event)
    if (event.kind === 'exit') {
      const ok = pressed && event.code === 3
      return {
        ok,
        gate: ok ? 'none needed, q ended it' : `exit ${event.code ?? event.signal}`,
        putBack: '-',
        why: stage.program.stderr(),
      }
    }
    if (event.kind === 'late')
      return {
        ok: false,
        gate: 'nothing',
        putBack: '-',
        why: pressed ? 'q did not end it within 15 s' : await hung(stage, false),
      }
    if (event.kind === 'question' && !pressed) {
      const pick = pickFor(stage, event.question)
      if (pick) stage.program.answer(event.question, pick)
      else return { ok: false, gate: shortly(event.question), putBack: '-', why: textOf(event.question) }
    }
    // When the agent is gone the program reads what it has left.
    if (!pressed && told(stage).did && event.kind === 'pane' && event.status !== 'running') {
      pressed = true
      stage.program.quit()
    }
  }
}

export async function judgeTwin(
  workshop: Workshop,
  twin: Twin,
  backend: Backend = commandBackend,
): Promise<Verdict> {
  const stage = await openStage(workshop, twin, backend)
  try {
    const verdict = await watchTwin(stage, twin)
    const { broken } = told(stage)
    return broken ? { ...verdict, ok: false, why: `the agent of this test is broken: ${broken}` } : verdict
  } finally {
    await stage.program.end()
    await endWorld(stage.world)
    await backend.close?.()
  }
}

async function watchTwin(stage: Stage, twin: Twin): Promise<Verdict> {
  const expected = [...(twin.sees ?? ['Q-PR'])]
  const seen: string[] = []
  const shown = () => seen.join(', ') || 'none'
  const no = (why: string): Verdict => ({ ok: false, gate: shown(), putBack: '-', why })
  let stopped = false
  for (;;) {
    const event = await stage.program.next(patienceMs)
    hear(stage, twin, event)
    if (event.kind === 'late') return no(await hung(stage, true))
    if (event.kind === 'exit') {
      if (stopped && event.code === 3) {
        stopped = false
        stage.program = startProgram(stage.world, twin, stage.start)
        continue
      }
      if (event.code !== 0) return no(`ended with ${event.code ?? event.signal}: ${stage.program.stderr()}`)
      if (expected.length > 0) return no(`never asked: ${expected.join(', ')}`)
      const missing = await twin.proof(stage.world)
      return missing === undefined
        ? { ok: true, gate: shown(), putBack: '-' }
        : no(`it did not do its part: ${missing}`)
    }
    if (event.kind !== 'question') continue
    const { question } = event
    // The opening of a project that nobody has trusted yet.
    if (!event.running && question.gate === 'Q-TRUST' && seen.length === 0 && !stage.said.length) {
      const own = stage.picks.get('Q-TRUST')?.shift()
      // What it would allow is offered only where something is kept from agents.
      const offered = own && optionOf(question, own.option) ? own : { option: 'yes' }
      stage.program.answer(question, offered)
      continue
    }
    if (twin.interrupted === 'stop' && !stopped && question.gate === expected[0] && !seen.includes('stop')) {
      stopped = true
      seen.push('stop')
      stage.program.quit()
      continue
    }
    seen.push(question.gate)
    if (question.gate !== expected[0]) return no(`asked for nothing: ${textOf(question)}`)
    expected.shift()
    const pick = pickFor(stage, question)
    if (!pick) return no(`nobody knows an answer: ${textOf(question)}`)
    stage.program.answer(question, pick)
  }
}
