import { startMockModel } from '../mock-model/server.js'
import { type ModelRequest, turn } from '../mock-model/turn.js'
import { bashCall, deliver, exampleOf, reportTool } from '../mock-model/vocabulary.js'
import type { Backend } from './passage.js'

// The same liars behind the embedded agent: a model that runs the scripted agent as its one command and hands its result on.

/** The result that the scripted agent printed in this conversation; undefined before it ran. */
function printed(request: ModelRequest): unknown {
  const texts = request.messages.flatMap((message) =>
    message.parts.flatMap((part) => (part.type === 'result' ? part.text.split('\n') : [])),
  )
  const end = texts.findLast((line) => line.startsWith('{"type":"end"'))
  return end === undefined ? undefined : (JSON.parse(end) as { result: unknown }).result
}

export function embeddedBackend(): Backend {
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
        if (!call) return deliver(request, exampleOf(reportTool(request)?.schema), 'I have looked.')
        return turn({ text: 'I start.', calls: [call] })
      })
      const env = { ANTHROPIC_BASE_URL: base, ANTHROPIC_API_KEY: 'dummy' }
      await world.settings({ permissions: 'all', environment: Object.keys(env) })
      return { program: workshop.program, agent: 'embedded', env }
    },
    close: async () => close?.(),
  }
}
