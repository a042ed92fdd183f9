import { startMockModel } from '../mock-model/server.js'
import { type ModelRequest, turn } from '../mock-model/turn.js'
import { bashCall, deliver, exampleOf, reportTool } from '../mock-model/vocabulary.js'
import type { Backend } from './passage.js'
import type { World } from './world.js'

// The same liars behind an agent that talks to a model: one that runs the scripted agent as its one command and hands its result on.

/** The result that the scripted agent printed in this conversation; undefined before it ran. */
function printed(request: ModelRequest): unknown {
  const texts = request.messages.flatMap((message) =>
    message.parts.flatMap((part) => (part.type === 'result' ? part.text.split('\n') : [])),
  )
  const end = texts.findLast((line) => line.startsWith('{"type":"end"'))
  return end === undefined ? undefined : (JSON.parse(end) as { result: unknown }).result
}

/** What who checks says of honest work, as its result has to look. */
function satisfied(request: ModelRequest): object {
  const said = exampleOf(reportTool(request)?.schema ?? request.answerSchema) as object
  // Where a client takes no choice of words, any word would fit.
  return 'assessment' in said ? { ...said, assessment: 'approve' } : said
}

/** The agent program of the person, and how it is led to the mock model at `base`. */
export interface ModelAgent {
  name: string
  environment(world: World, base: string): Promise<Record<string, string>>
  /** Whose commands cannot write, though the program has a tool for them. */
  onlyReads?(request: ModelRequest): boolean
  /** Variables of the program itself, which its agents do not need. */
  own?(world: World): Promise<Record<string, string>>
}

export const embeddedAgent: ModelAgent = {
  name: 'embedded',
  environment: async (_world, base) => ({ ANTHROPIC_BASE_URL: base, ANTHROPIC_API_KEY: 'dummy' }),
}

export function modelBackend(agent: ModelAgent = embeddedAgent): Backend {
  let close: (() => Promise<void>) | undefined
  return {
    async agent(workshop, one, world) {
      const mock = await startMockModel()
      close = () => mock.close()
      const base = mock.play((request) => {
        const result = printed(request)
        if (result !== undefined) return deliver(request, result, 'This is what came of it.')
        const call = bashCall(
          request,
          `'${process.execPath}' '${workshop.agent}' ${one.name} '${world.folder}'`,
        )
        // Who may only read is honest: there is nothing that the scripted agent could do for it.
        if (!call || agent.onlyReads?.(request)) return deliver(request, satisfied(request), 'I have looked.')
        return turn({ text: 'I start.', calls: [call] })
      })
      const env = await agent.environment(world, base)
      await world.settings({ permissions: 'all', environment: Object.keys(env) })
      return { program: workshop.program, agent: agent.name, env: { ...env, ...(await agent.own?.(world)) } }
    },
    close: async () => close?.(),
  }
}
