import type { Access, AgentEvent, AskOption, PermissionPolicy } from '../agent.js'
import { type Fields, fieldsOf, listIn, textIn } from '../fields.js'
import { judgePermission, type Verdict } from '../permission-policy.js'
import { describeTool } from './claude-tools.js'

type Ask = Extract<AgentEvent, { type: 'ask' }>

/** The id of a request of the program: a text, but a number is answered as a number. */
export type RequestId = string | number

/** An ask of the run for a request of the program. */
function askIdOf(id: RequestId): string {
  return typeof id === 'number' ? `#${id}` : id
}

/** A `can_use_tool` request. */
export interface ToolRequest {
  /** As the program gave it, and as it goes back; `askId` is made of it. */
  id: RequestId
  tool: string
  input: Fields
  /** What the model wrote; the request of some tools leaves it out. */
  written: Fields
  description?: string | undefined
  reason?: string | undefined
  /** Rules that would make the question needless from now on, as Claude Code words them. */
  suggestions: readonly Fields[]
  cwd: string
}

/** What is answered to a request, in the words of the protocol. */
export type ToolReply =
  | { behavior: 'allow'; updatedInput: unknown; updatedPermissions?: unknown[] }
  | { behavior: 'deny'; message: string; interrupt: boolean }

export interface AskAnswer {
  optionId: string
  text?: string | undefined
  input?: unknown
}

/** A question to the person that takes one or more answers before the agent gets its own. */
export interface Dialogue {
  first: Ask
  /** The next question, or the reply. Undefined for an answer to another question than the open one. */
  answer(askId: string, answer: AskAnswer): { next: Ask } | { reply: ToolReply } | undefined
}

const defaultRefusal = 'The person refused this. Go on without it, or end and say what you would have needed.'

/** Questions of the agent itself, which only a person can answer. */
export function isQuestion(request: ToolRequest): boolean {
  return request.tool === 'AskUserQuestion' || request.tool === 'ExitPlanMode'
}

/**
 * What happens to a request before anybody is asked. A role without write permission may run commands (tests, builds)
 * when the person allows each; what Claude Code allows by itself, such as reading the project, never comes here.
 */
export function judgeRequest(
  request: ToolRequest,
  access: Access,
  policy: PermissionPolicy | undefined,
): Verdict {
  if (isQuestion(request)) return { verdict: 'ask' }
  const { kind } = describeTool(request.tool, request.input, request.cwd)
  // Reading inside the project is allowed by Claude Code itself; what is asked here reaches further.
  return judgePermission(access, policy, kind === 'read' ? 'other' : kind)
}

export function allow(request: ToolRequest, input?: unknown): ToolReply {
  return { behavior: 'allow', updatedInput: input ?? request.input }
}

export function deny(message: string, interrupt = false): ToolReply {
  return { behavior: 'deny', message, interrupt }
}

export function openDialogue(request: ToolRequest, access: Access): Dialogue {
  if (request.tool === 'AskUserQuestion') {
    const questions = listIn(request.input, 'questions').map(fieldsOf)
    if (questions.length > 0) return questionDialogue(request, questions)
  }
  if (request.tool === 'ExitPlanMode') return planDialogue(request)
  return permissionDialogue(request, access)
}

function permissionDialogue(request: ToolRequest, access: Access): Dialogue {
  const { kind, title, diff } = describeTool(request.tool, request.input, request.cwd)
  const lasting = lastingRules(request.suggestions, access)
  const always: AskOption[] = lasting
    ? [{ id: 'allow-run', label: `Allow for this run: ${lasting.label}`, kind: 'allow-always' }]
    : []
  const body =
    kind === 'other' ? JSON.stringify(request.input, undefined, 2) : (wholeCommand(request) ?? title)
  const first: Ask = {
    type: 'ask',
    askId: askIdOf(request.id),
    kind: 'permission',
    title: title === request.tool ? request.tool : `${request.tool}: ${title}`,
    detail: [body, request.reason].filter((text) => text !== undefined && text !== '').join('\n'),
    ...(diff === undefined ? {} : { diff }),
    options: [{ id: 'allow', label: 'Allow once', kind: 'allow-once' }, ...always, refusal('Deny')],
    defaultNo: true,
  }
  return single(first, (answer) => {
    if (answer.optionId === 'allow') return allow(request, answer.input)
    if (answer.optionId !== 'allow-run' || !lasting) return refuse(answer)
    return {
      behavior: 'allow',
      updatedInput: answer.input ?? request.input,
      updatedPermissions: lasting.rules,
    }
  })
}

function planDialogue(request: ToolRequest): Dialogue {
  const plan = textIn(request.input, 'plan') ?? textIn(request.written, 'plan')
  const first: Ask = {
    type: 'ask',
    askId: askIdOf(request.id),
    kind: 'plan',
    title: 'The agent has a plan and wants to begin',
    detail: plan ?? '',
    options: [{ id: 'allow', label: 'Begin', kind: 'allow-once' }, refusal('Keep planning')],
    defaultNo: true,
  }
  return single(first, (answer) =>
    answer.optionId === 'allow' ? allow(request, answer.input) : refuse(answer),
  )
}

function single(first: Ask, reply: (answer: AskAnswer) => ToolReply): Dialogue {
  return { first, answer: (askId, answer) => (askId === first.askId ? { reply: reply(answer) } : undefined) }
}

/** One question after the other; the answers go back together. */
function questionDialogue(request: ToolRequest, questions: readonly Fields[]): Dialogue {
  const answers: Record<string, string> = {}
  const asks = questions.map((question, index) => questionAsk(askIdOf(request.id), question, index))
  let at = 0
  return {
    first: asks[0] as Ask,
    answer(askId, answer) {
      const ask = asks[at]
      const question = questions[at]
      if (!ask || !question || askId !== ask.askId) return undefined
      const option = ask.options.find((each) => each.id === answer.optionId)
      const typed = answer.text?.trim() ?? ''
      if (option?.kind === 'deny' || (option === undefined && typed === '')) return { reply: refuse(answer) }
      answers[textIn(question, 'question') ?? ''] = typed === '' ? (option?.label ?? '') : typed
      at += 1
      const next = asks[at]
      if (next) return { next }
      return { reply: allow(request, { questions: request.input.questions, answers }) }
    },
  }
}

function questionAsk(id: string, question: Fields, index: number): Ask {
  const choices = listIn(question, 'options').map(fieldsOf)
  const labels = choices.map((choice) => textIn(choice, 'label') ?? '')
  const explained = choices.map((choice, each) => `${labels[each]}: ${textIn(choice, 'description') ?? ''}`)
  const several = question.multiSelect === true ? ['More than one may be named, in your own words.'] : []
  return {
    type: 'ask',
    askId: `${id}#${index + 1}`,
    kind: 'question',
    title: textIn(question, 'question') ?? 'The agent has a question',
    detail: [...explained, ...several].join('\n'),
    options: [
      ...labels.map((label, each): AskOption => ({ id: `choice-${each + 1}`, label, kind: 'other' })),
      refusal('Do not answer'),
    ],
    defaultNo: false,
  }
}

function refusal(label: string): AskOption {
  return { id: 'deny', label, kind: 'deny' }
}

/** `stop` also ends the turn; anything else that is not known is a plain no. */
function refuse(answer: AskAnswer): ToolReply {
  const said = answer.text?.trim() ?? ''
  return deny(said === '' ? defaultRefusal : said, answer.optionId === 'stop')
}

function wholeCommand(request: ToolRequest): string | undefined {
  const command = textIn(request.input, 'command')
  if (command === undefined) return undefined
  const why = request.description
  return why === undefined || why === command ? command : `${command}\n(${why})`
}

interface LastingRules {
  label: string
  rules: Fields[]
}

/** The suggestions, kept for this session only: other destinations would be written into the project. */
function lastingRules(suggestions: readonly Fields[], access: Access): LastingRules | undefined {
  const rules = suggestions.filter((rule) => isGrantable(rule, access)).map(forSession)
  if (rules.length === 0) return undefined
  return { label: rules.map(ruleLabel).join(', '), rules }
}

function isGrantable(rule: Fields, access: Access): boolean {
  switch (textIn(rule, 'type')) {
    case 'addRules':
      return textIn(rule, 'behavior') === 'allow' && listIn(rule, 'rules').length > 0
    case 'setMode':
      return textIn(rule, 'mode') === 'acceptEdits' && access !== 'read'
    case 'addDirectories':
      return listIn(rule, 'directories').length > 0
    default:
      return false
  }
}

function forSession(rule: Fields): Fields {
  return { ...rule, destination: 'session' }
}

function ruleLabel(rule: Fields): string {
  if (textIn(rule, 'type') === 'setMode') return 'every change of files'
  if (textIn(rule, 'type') === 'addDirectories') {
    const directories = listIn(rule, 'directories').filter((each) => typeof each === 'string')
    return `the directories ${directories.join(', ')}`
  }
  const names = listIn(rule, 'rules').map(fieldsOf)
  return names
    .map((name) => {
      const content = textIn(name, 'ruleContent')
      return `${textIn(name, 'toolName') ?? 'tool'}${content === undefined ? '' : `(${content})`}`
    })
    .join(', ')
}
