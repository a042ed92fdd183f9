import { execFileSync } from 'node:child_process'
import { openAgents } from '../../source/agents/pool.js'
import { chooseInput } from '../../source/commands/choose-input.js'
import { loadConfig } from '../../source/project/config.js'
import { openSession } from '../../source/sessions/open-session.js'
import { runSession } from '../../source/sessions/run-session.js'
import { ownPathsOf, programsOf } from '../../source/sessions/session.js'
import { waitForLetGo } from '../../source/sessions/take-over.js'
import type { Ui } from '../../source/ui/ui.js'
import type { Answer, Question } from '../../source/view/question.js'
import { registry } from '../../source/workflows/registry.js'

// A whole run without a screen: the same session and run as `autopilot <input>`, with gates answered by a policy.
// node driver.mjs <root> <spec> <agent> [answers]; exits with the code of the run. `answers` is a JSON list of rules
// that go before those below.

/** How a gate is answered; with `showing` only where its title or body holds that text. The first that fits holds. */
export interface AnswerRule {
  gate: string
  showing?: string
  answer: Answer
  /** What the person does first, with a shell in the project. Done once more when the gate is asked again. */
  before?: string
}

const [root = '', specPath = '', agent = '', given = '[]'] = process.argv.slice(2)

const rules: AnswerRule[] = [
  ...(JSON.parse(given) as AnswerRule[]),
  { gate: 'Q-APPROVE', answer: { value: 'yes' } },
  { gate: 'human-verify', answer: { value: 'confirm' } },
  { gate: 'Q-REVIEW', answer: { value: 'fix' } },
  { gate: 'Q-NEXT', answer: { value: 'yes' } },
  { gate: 'Q-PR', answer: { value: 'yes' } },
  // A copy of a project lies elsewhere, so its journal has no seal there; one of an older version has none at all.
  { gate: 'Q-SEAL', answer: { value: 'adopt' } },
  // Killed after the very last line: nothing is left to do.
  { gate: 'Q-DONE', answer: { value: 'close' } },
]

function answerTo(question: Question): Answer {
  if (question.gate === 'decision') return { value: question.options[1]?.value ?? '' }
  const shown = [question.title, ...question.body].join('\n')
  const rule = rules.find((one) => one.gate === question.gate && shown.includes(one.showing ?? ''))
  const isOffered = question.options.some(({ value }) => value === rule?.answer.value)
  if (!rule || !isOffered) throw new Error(`nobody knows an answer to ${question.gate}: ${shown}`)
  if (rule.before) execFileSync('/bin/sh', ['-c', rule.before], { cwd: root, stdio: 'ignore' })
  return rule.answer
}

const ui: Ui = {
  choose: async () => ({ kind: 'quit' }),
  ask: async (question) => withLock(question, answerTo(question)),
  watch(store, controls) {
    let answered = ''
    store.subscribe(() => {
      const { question } = store.getSnapshot()
      if (!question || question.id === answered) return
      answered = question.id
      setImmediate(() => controls.answer(question.id, answerTo(question)))
    })
  },
  busy: () => undefined,
  done: async () => undefined,
  onQuit: () => () => undefined,
  interrupt: () => undefined,
  finish: async () => undefined,
}

/** Who is asked for the id of a lock reads it off the question. */
function withLock(question: Question, answer: Answer): Answer {
  const id = /^Lock: (\S+)$/m.exec(question.body.join('\n'))?.[1]
  return question.gate === 'Q-LOCK' && id !== undefined ? { ...answer, text: id } : answer
}

const { entry, subject } = await chooseInput(registry, root, { typed: specPath, cwd: root })
const workflow = await entry.load()
const session = { root, workflow, place: await workflow.locate(root, subject) }
const opened = await openSession(session, (question, header) => ui.ask(question, header))
if (opened.kind === 'closed') {
  process.stderr.write(`${opened.lines.join('\n')}\n`)
  process.exit(opened.exitCode)
}
const { tookOver } = opened.store
if (tookOver) await waitForLetGo(root, tookOver, opened.store.digest.runIds)
const config = await loadConfig(root)
const end = await runSession({
  ...session,
  subject,
  flags: {},
  config,
  ownPaths: ownPathsOf(registry),
  programs: programsOf(registry),
  agents: openAgents({ agentOption: agent, config, personas: Object.keys(workflow.personas) }),
  store: opened.store,
  trusted: true,
  goOn: `autopilot ${specPath}`,
  notices: opened.notices,
  ui,
})
if (end.exitCode !== 0) process.stderr.write(`${end.lines.join('\n')}\n`)
process.exitCode = end.exitCode
