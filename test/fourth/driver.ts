import { openAgents } from '../../source/agents/pool.js'
import { loadConfig } from '../../source/project/config.js'
import { openSession } from '../../source/sessions/open-session.js'
import { runSession } from '../../source/sessions/run-session.js'
import type { Ui } from '../../source/ui/ui.js'
import { personas } from './machine.js'
import { gardenPlace, subject } from './places.js'
import { gardenWorkflow } from './workflow.js'

// A whole run of the garden without a screen: node driver.js <root> <agent>; exits with the code of the run.

const [root = '', agent = ''] = process.argv.slice(2)

/** A dispatch beside another one is broken off by the kills at the lines of both. */
const answers: Record<string, string> = {
  'Q-WATER': 'yes',
  'Q-BROKEN-STEP': 'again',
}

const ui: Ui = {
  choose: async () => ({ kind: 'quit' }),
  ask: async (question) => {
    if (question.gate === 'Q-DONE') return { value: 'close' }
    // A copy of a project lies elsewhere, so its journal has no seal there.
    if (question.gate === 'Q-SEAL') return { value: 'adopt' }
    throw new Error(`asked before the run: ${question.gate} ${question.body.join(' / ')}`)
  },
  watch(store, controls) {
    let answered = ''
    store.subscribe(() => {
      const { question } = store.getSnapshot()
      if (!question || question.id === answered) return
      const value = answers[question.gate]
      if (value === undefined) throw new Error(`asked: ${question.gate} ${question.body.join(' / ')}`)
      answered = question.id
      setImmediate(() => controls.answer(question.id, { value }))
    })
  },
  busy: () => undefined,
  done: async () => undefined,
  onQuit: () => () => undefined,
  interrupt: () => undefined,
  finish: async () => undefined,
}

const session = { root, workflow: gardenWorkflow, place: gardenPlace }
const opened = await openSession(session, (question, header) => ui.ask(question, header))
if (opened.kind === 'closed') {
  process.stderr.write(`${opened.lines.join('\n')}\n`)
  process.exit(opened.exitCode)
}
const config = await loadConfig(root)
const end = await runSession({
  ...session,
  subject,
  flags: {},
  config,
  ownPaths: ['.autopilot'],
  programs: [],
  agents: openAgents({ agentOption: agent, config, personas: Object.keys(personas) }),
  store: opened.store,
  trusted: true,
  goOn: `autopilot ${subject}`,
  notices: opened.notices,
  ui,
})
process.exitCode = end.exitCode
