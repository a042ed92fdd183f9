import { realpath } from 'node:fs/promises'
import { cannotWrite, Problem, problemLines } from '../problem.js'
import { findProjectRoot } from '../project/paths.js'
import { exitCodeOfSignal, Interrupted } from '../sessions/interruption.js'
import { sanitizeLine } from '../terminal/sanitize.js'
import type { WorkflowEntry } from '../workflows/workflow.js'
import { type Chosen, checkFlags, checkFlagsEarly, chooseInput, isTaken } from './choose-input.js'
import { watchCrashes } from './crash.js'
import { exitCodeOf } from './exit-code.js'
import { forStream } from './for-stream.js'
import { type OpenScreen, openScreen, turn } from './open-screen.js'
import { checkingFlags } from './refused-flags.js'
import type { End, RunOptions } from './run-options.js'
import { type ChosenOnScreen, chooseOnScreen, offersOf } from './start-screen.js'
import { tooManyArguments } from './usage-problems.js'

/** A project, and the workflows that can work in it. */
interface Project {
  root: string
  entries: readonly WorkflowEntry[]
}

/** `autopilot [input]`: choose, ask for trust, open the session, run it. Returns the exit code. */
export async function start(options: RunOptions): Promise<number> {
  await checkingFlags(options, () => checkFlagsEarly(options.registry, options.flags))
  const project = await projectOf(options)
  const named = await namedOf(options, project)
  if (named) await checkingFlags(options, () => checkFlags(named.entry, options.registry, options.flags))
  if (named) {
    const told = await answerOfSelectors(named, project.root, options)
    if (told !== undefined) return told
  }
  // What is wrong in the settings is told before anything opens, unless the screen of the choice is open already.
  const isBehind = options.screen !== undefined && named === undefined
  const ready = isBehind ? undefined : await readyFor(options, project, named)
  const open = options.screen ?? (await openScreen(options.plain))
  const { ui, interruption } = open
  const unwatch = watchCrashes((lines) => ui.finish(lines.map(sanitizeLine)))
  let end: End
  try {
    end = await onScreen(options, { ...open, project, named, ready })
  } catch (error) {
    end =
      error instanceof Interrupted
        ? { exitCode: 3, lines: [`Ended by ${error.by}.`] }
        : { exitCode: exitCodeOf(error), lines: problemLines(error) }
  }
  await ui.finish(end.lines.map(sanitizeLine))
  unwatch()
  const signal = interruption.received()
  const unwritable = interruption.unwritable()
  interruption.settle()
  if (unwritable) throw cannotWrite(unwritable)
  if (signal !== undefined) return exitCodeOfSignal(signal)
  if (end.demo && options.startDemo) return await options.startDemo()
  return end.exitCode
}

function namedOf({ input, cwd }: RunOptions, { root, entries }: Project): Promise<Chosen | undefined> {
  return input === undefined ? Promise.resolve(undefined) : chooseInput(entries, root, { typed: input, cwd })
}

/** What runs a session, with the settings that it runs by. */
type Ready = (chosen: ChosenOnScreen, screen: OpenScreen) => Promise<End>

/** Loads what runs sessions, and the settings. Throws a Problem for settings or names that cannot be used. */
async function readyFor(
  options: RunOptions,
  { root, entries }: Project,
  named: Chosen | undefined,
): Promise<Ready> {
  const { settingsOf, runChosen } = await import('./run.js')
  const config = await settingsOf(options, root, named ? [named.entry] : entries)
  return (chosen, screen) => runChosen(options, { root, config, chosen, ...screen })
}

interface Surroundings extends OpenScreen {
  project: Project
  named: Chosen | undefined
  /** Absent while it is still to be loaded, behind the start screen. */
  ready: Ready | undefined
}

async function onScreen(options: RunOptions, around: Surroundings): Promise<End> {
  const { project, named, ui, interruption } = around
  let onShown = () => {}
  const shown = new Promise<void>((resolve) => {
    onShown = resolve
  })
  // Loading takes longer than a key may wait for its frame: that of the choice is painted first.
  const ready =
    around.ready ??
    shown
      .then(turn)
      .then(turn)
      .then(() => readyFor(options, project, named))
  const chosen =
    named ??
    (await Promise.race([
      chooseOnScreen(project, { cwd: options.cwd, ui, onShown }),
      Promise.resolve(ready).then(() => new Promise<never>(() => undefined)),
      interruption.cut,
    ]))
  if (chosen === undefined) return { exitCode: 3, lines: ['Nothing was started.'] }
  if (chosen === 'demo') return { exitCode: 3, lines: [], demo: true }
  if (!named) checkFlags(chosen.entry, options.registry, options.flags)
  return (await ready)(chosen, { ui, interruption })
}

/**
 * The project that the current directory is in, and the workflows that can work in it: without a repository those that
 * begin one where they are.
 */
async function projectOf({ registry, cwd, input }: RunOptions): Promise<Project> {
  const found = await findProjectRoot(cwd)
  if (found !== undefined) return { root: found, entries: registry }
  const root = await realpath(cwd)
  const entries = registry.filter((entry) => entry.beginsRepositories === true)
  const mayBegin =
    input === undefined
      ? (await offersOf(root, entries)).candidates.length > 0
      : await isTaken(entries, root, input, cwd)
  if (!mayBegin) throw noRepository(cwd)
  return { root, entries }
}

/** Selectors that name nothing are told before anything opens; some of them are answered without a run. */
async function answerOfSelectors(
  { entry }: Chosen,
  root: string,
  { selectors = [], flags, screen }: RunOptions,
): Promise<number | undefined> {
  if (entry.selectors === undefined) {
    if (selectors.length > 0) throw tooManyArguments(selectors)
    return undefined
  }
  const lines = await entry.selectors.answer(root, selectors)
  if (lines === undefined) {
    await entry.selectors.check(root, selectors, flags)
    return undefined
  }
  const told = lines.map(sanitizeLine)
  if (screen) await screen.ui.finish(told)
  else process.stdout.write(`${forStream(told.join('\n'), process.stdout)}\n`)
  return 0
}

function noRepository(cwd: string): Problem {
  return new Problem({
    code: 'repository',
    what: `${cwd} is not inside a git repository.`,
    why: 'Progress is committed and reviewed as commits, so there is nothing to work with.',
    todo: 'Change into the project, or run `git init` and make a first commit. `autopilot demo` shows what a run is like, with a project of its own.',
  })
}
