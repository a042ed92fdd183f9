import { type Answer, type Call, type ModelRequest, turn } from './turn.js'
import { deliver } from './vocabulary.js'

// What a persona does in one dispatch: tools one after another, then its result. Where it stands is read from the
// conversation.

/** A wish for one tool; undefined where the client offers none that could. */
export type Step = (request: ModelRequest) => Call | undefined

export interface Part {
  steps: Step[]
  result: unknown
  prose: string
}

/** The next turn of a part of which so many steps are done. */
export function playPart(request: ModelRequest, { steps, result, prose }: Part, step: number): Answer {
  const usable = steps.filter((one) => one(request) !== undefined)
  const call = usable[step]?.(request)
  if (!call) return deliver(request, result, prose)
  return turn({ thinking: `Step ${step + 1} of ${usable.length}.`, text: sayOf(call), calls: [call] })
}

function sayOf(call: Call): string {
  const what = JSON.stringify(call.input).replace(/\s+/g, ' ').slice(0, 60)
  return `I use ${call.name}: ${what}`
}

/** Index of the message with the last prompt of a persona: what came before belongs to another dispatch. */
export function promptIndex(request: ModelRequest, persona: RegExp): number {
  return request.messages.findLastIndex(
    (message) =>
      message.role === 'user' &&
      message.parts.some((part) => part.type === 'text' && persona.test(part.text)),
  )
}

/** The text of that prompt. */
export function promptOf(request: ModelRequest, persona: RegExp): string {
  const parts = request.messages[promptIndex(request, persona)]?.parts ?? []
  return parts.flatMap((part) => (part.type === 'text' ? part.text : [])).join('\n')
}

/** How many steps are behind us since the prompt. A step that failed is taken once more, then left. */
export function stepReached(request: ModelRequest, prompt: number): number {
  let step = 0
  let failed = 0
  // A result in the message of the prompt is one of the turn before.
  for (const message of request.messages.slice(prompt + 1))
    for (const part of message.parts) {
      if (part.type !== 'result') continue
      failed = part.failed ? failed + 1 : 0
      if (!part.failed || failed > 1) {
        step += 1
        failed = 0
      }
    }
  return step
}

export const shellQuote = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`

const identity = '-c user.name=Mock -c user.email=mock@example.invalid'

/** Commits one path unless that is done already, so that the step may be repeated. */
export function commitCommand(path: string, message: string): string {
  const added = `git add -- ${path} && (git diff --cached --quiet -- ${path} || `
  return `${added}git ${identity} commit -q -m ${shellQuote(message)} -- ${path})`
}
