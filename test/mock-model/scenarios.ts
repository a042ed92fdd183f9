import { parsed } from './json.js'
import { type Answer, type Call, type ModelRequest, type Scenario, turn } from './turn.js'
import { askCall, bashCall, deliver, exampleOf, readCall, reportTool, writeCall } from './vocabulary.js'

// Scenarios that a URL can name. The prompt may say more: FILE=<path>, RUN=<command to the end of the line>,
// RESULT=<JSON to the end of the line>.

const hour = 3_600_000

/** What a `write` scenario leaves in its file. */
export const writtenText = 'hello from the mock model\n'

const firstPrompt = (request: ModelRequest): string =>
  request.messages
    .flatMap((message) => (message.role === 'user' ? message.parts : []))
    .map((part) => (part.type === 'text' ? part.text : ''))
    .join('\n')

function directive(request: ModelRequest, name: string): string | undefined {
  const found = [...firstPrompt(request).matchAll(new RegExp(`^.*?\\b${name}=(.+)$`, 'gm'))]
  return found[found.length - 1]?.[1]?.trim()
}

/** What the scenario hands back: as the prompt says, else what fits the schema that was given. */
function resultFor(request: ModelRequest): unknown {
  const told = directive(request, 'RESULT')
  if (told !== undefined) return parsed(told)
  const schema = reportTool(request)?.schema ?? request.answerSchema
  if (schema !== undefined) return exampleOf(schema)
  return { status: 'success', summary: 'wrote the file ✓ — ünïcödé' }
}

const done = (request: ModelRequest, prose = 'Done.') => deliver(request, resultFor(request), prose)

/** A tool was asked for since the last prompt, so that this request brings what became of it. */
const afterTool = (request: ModelRequest): boolean => request.toolResults.length > 0

/** Asks for one tool, then reports. A client without such a tool gets the report at once. */
function oneTool(call: (request: ModelRequest) => Call | undefined, before: string): Scenario {
  return (request) => {
    if (afterTool(request)) return done(request, 'Done. I did what was asked.')
    const asked = call(request)
    return asked ? turn({ thinking: 'One tool will do.', text: before, calls: [asked] }) : done(request)
  }
}

const failing =
  (answer: () => Answer): Scenario =>
  () =>
    answer()

function loops(request: ModelRequest): Answer {
  const call = bashCall(request, 'true') ?? readCall(request, 'package.json')
  return call ? turn({ text: 'Once more.', calls: [call] }) : done(request)
}

function huge(request: ModelRequest): Answer {
  const call = bashCall(request, 'head -c 3000000 /dev/zero | tr "\\0" "x" | fold -w 200')
  if (call && !afterTool(request)) return turn({ text: 'A lot is coming.', calls: [call] })
  const answer = done(request, longText(8_000))
  return answer.kind === 'turn' ? { ...answer, pieceSize: 2_000 } : answer
}

const words = 'plan write read test build check mend keep take give tell find hold move turn line'.split(' ')

/** Lines without a pattern: programs end a model that seems to repeat itself. */
function longText(lines: number): string {
  let seed = 1
  const next = () => {
    seed = (seed * 48_271) % 2_147_483_647
    return words[seed % words.length] ?? ''
  }
  return Array.from({ length: lines }, (_, at) => `${at}: ${Array.from({ length: 9 }, next).join(' ')}`).join(
    '\n',
  )
}

function badSchema(request: ModelRequest): Answer {
  const wrong = { unexpected: true }
  const tried = JSON.stringify(request.messages.filter((message) => message.role === 'assistant'))
  return tried.includes('unexpected') ? done(request, 'Mended.') : deliver(request, wrong, 'Here it is.')
}

export const scenarios: Record<string, Scenario> = {
  ok: (request) => done(request, 'All is well.'),
  write: oneTool(
    (request) => writeCall(request, directive(request, 'FILE') ?? 'hello.txt', writtenText),
    'I will write the file now.',
  ),
  bash: oneTool(
    (request) => bashCall(request, directive(request, 'RUN') ?? 'printf ran > ran.txt'),
    'I will run it.',
  ),
  ask: oneTool(askCall, 'I have a question.'),
  401: failing(() => ({ kind: 'error', status: 401, reason: 'auth' })),
  429: failing(() => ({ kind: 'error', status: 429, reason: 'rate', retryAfter: 1 })),
  '429-reset': failing(() => ({
    kind: 'error',
    status: 429,
    reason: 'usage-limit',
    resetsAt: Date.now() + 3 * hour,
  })),
  500: failing(() => ({ kind: 'error', status: 500, reason: 'server' })),
  529: failing(() => ({ kind: 'error', status: 529, reason: 'overloaded' })),
  'endless-retry': failing(() => ({ kind: 'error', status: 503, reason: 'overloaded', retryAfter: 1 })),
  slow: (request) => {
    const answer = done(request, 'This takes its time, piece by piece. '.repeat(60))
    return answer.kind === 'turn' ? { ...answer, paceMs: 500 } : answer
  },
  hang: () => ({ kind: 'hang' }),
  cut: () => turn({ text: 'This sentence will never come to its end. '.repeat(10), cutAfter: 4 }),
  huge,
  loop: loops,
  'bad-schema': badSchema,
}
