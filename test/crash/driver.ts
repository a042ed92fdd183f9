import { openAgents } from '../../source/agents/pool.js'
import { loadConfig } from '../../source/project/config.js'
import { sessionSlug } from '../../source/project/paths.js'
import { openSession } from '../../source/sessions/open-session.js'
import { personas, runSession } from '../../source/sessions/run-session.js'
import type { Ui } from '../../source/ui/ui.js'
import type { Answer, Question } from '../../source/view/question.js'

// A whole run without a screen: the same session and run as `autopilot <spec>`, with gates answered by a policy.
// node driver.mjs <root> <spec> <agent>; exits with the code of the run.

const [root = '', specPath = '', agent = ''] = process.argv.slice(2)

const answers: Record<string, Answer> = {
  'Q-APPROVE': { value: 'yes' },
  'human-verify': { value: 'confirm' },
  'Q-REVIEW': { value: 'fix' },
  'Q-NEXT': { value: 'yes' },
  'Q-PR': { value: 'yes' },
}

function answerTo(question: Question): Answer {
  if (question.gate === 'decision') return { value: question.options[1]?.value ?? '' }
  const answer = answers[question.gate]
  if (!answer) throw new Error(`nobody knows an answer to ${question.gate}: ${question.body.join(' / ')}`)
  return answer
}

const ui: Ui = {
  choose: async () => ({ kind: 'quit' }),
  ask: async (question) => {
    // Killed after the very last line: nothing is left to do.
    if (question.gate === 'Q-DONE') return { value: 'close' }
    throw new Error(`asked before the run: ${question.gate}, ${question.title}`)
  },
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
  finish: async () => undefined,
}

const slug = sessionSlug(specPath)
const opened = await openSession({ root, slug }, (question, header) => ui.ask(question, header))
if (opened.kind === 'closed') {
  process.stderr.write(`${opened.lines.join('\n')}\n`)
  process.exit(opened.exitCode)
}
const config = await loadConfig(root)
const end = await runSession({
  root,
  slug,
  specPath,
  flags: { fast: false, thorough: false, reviewPlans: false },
  config,
  agents: openAgents({ personas, agentOption: agent, config }),
  store: opened.store,
  trusted: true,
  goOn: `autopilot ${specPath}`,
  notices: opened.notices,
  ui,
})
process.exitCode = end.exitCode
