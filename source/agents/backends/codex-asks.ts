import type { AgentEvent, AskOption, ToolKind } from '../agent.js'
import { type Fields, fieldsOf, listIn, textIn } from '../fields.js'
import { changedPaths, changesDiff, liesWithin, shellCommand, shortPath } from './codex-items.js'
import { isFields, textsOf } from './codex-values.js'

// Requests of codex app-server that a person answers (docs/agents.md, "Codex"), as asks, and the answers back.

export type AskEvent = Extract<AgentEvent, { type: 'ask' }>

export interface Answer {
  optionId: string
  text?: string
}

export interface ServerAnswer {
  result: unknown
  /** Codex ends the turn upon it. */
  stops: boolean
}

export interface ServerAsk {
  /** One for each thing that is asked; the request is answered when all of them are. */
  asks: AskEvent[]
  /** What a permission policy judges; absent where only a person can answer. */
  kind?: ToolKind
  accepted: unknown
  declined: unknown
  reply(answers: ReadonlyMap<string, Answer>): ServerAnswer
}

export interface AskPlace {
  /** Unique among the open asks. */
  askId: string
  cwd: string
  /** The item that a request speaks of. */
  item(id: string | undefined): Fields | undefined
}

/** Undefined for a request that autopilot does not know. */
export function readServerRequest(method: string, params: Fields, place: AskPlace): ServerAsk | undefined {
  switch (method) {
    case 'item/commandExecution/requestApproval':
      return commandApproval(params, place)
    case 'item/fileChange/requestApproval':
      return fileApproval(params, place)
    case 'item/permissions/requestApproval':
      return permissionsApproval(params, place)
    case 'item/tool/requestUserInput':
      return userInput(params, place)
    case 'mcpServer/elicitation/request':
      return elicitation(params, place)
    default:
      return undefined
  }
}

const allowOnce: AskOption = { id: 'accept', label: 'allow once', kind: 'allow-once' }
const deny: AskOption = { id: 'decline', label: 'deny', kind: 'deny' }
const endTurn: AskOption = { id: 'cancel', label: 'deny and end this turn', kind: 'other' }
const amendment = 'acceptWithExecpolicyAmendment'

function forSession(label: string): AskOption {
  return { id: 'acceptForSession', label, kind: 'allow-always' }
}

function commandApproval(params: Fields, place: AskPlace): ServerAsk {
  const raw =
    textIn(params, 'command') ?? textIn(fieldsOf(place.item(textIn(params, 'itemId'))), 'command') ?? ''
  const host = textIn(fieldsOf(params.networkApprovalContext), 'host')
  const command = shellCommand(raw)
  const firstLine = command.split('\n', 1)[0] ?? ''
  const title = host ? `reach ${host}` : `run ${firstLine || 'a command that codex does not name'}`
  const cwd = textIn(params, 'cwd')
  const detail = [
    command,
    ...(cwd === undefined || cwd === place.cwd ? [] : [`in ${cwd}`]),
    ...noteOf(params.reason),
  ]
  // `decline` and `acceptForSession` work although codex does not list them.
  const lasting = lastingRule(params)
  const options = [allowOnce, forSession('the same command runs unasked in this conversation')]
  if (lasting) options.push({ id: amendment, label: lasting.label, kind: 'other' })
  const ask = permission(place.askId, title, detail, [...options, deny, endTurn])
  return {
    ...decisions(ask, lasting && new Map([[amendment, lasting.decision]])),
    kind: host ? 'other' : 'exec',
  }
}

/** A rule that codex would keep beyond the run, if it offers one. */
function lastingRule(params: Fields): { decision: unknown; label: string } | undefined {
  for (const decision of listIn(params, 'availableDecisions')) {
    const words = textsOf(fieldsOf(fieldsOf(decision)[amendment]).execpolicy_amendment)
    if (words.length === 0) continue
    const start = words.length > 2 && /sh$/.test(words[0] ?? '') ? words.slice(2).join(' ') : words.join(' ')
    return { decision, label: `allow, and let codex remember it for good: ${start}` }
  }
  return undefined
}

function fileApproval(params: Fields, place: AskPlace): ServerAsk {
  const changes = place.item(textIn(params, 'itemId'))?.changes
  const root = textIn(params, 'grantRoot')
  const paths = changedPaths(changes).map((path) => shortPath(path, place.cwd))
  const title = root ? `write anywhere under ${root}` : `change ${paths.join(', ') || 'files'}`
  const diff = changesDiff(changes, place.cwd)
  const options = [allowOnce, forSession('these files change unasked in this conversation'), deny, endTurn]
  const ask = permission(place.askId, title, [...paths, ...noteOf(params.reason)], options)
  const isPlain = root === undefined && liesWithin(changes, place.cwd)
  return {
    ...decisions({ ...ask, ...(diff === '' ? {} : { diff }) }),
    kind: isPlain ? 'edit' : 'other',
  }
}

/** An approval whose answer is one decision. */
function decisions(ask: AskEvent, special?: ReadonlyMap<string, unknown>): ServerAsk {
  return {
    asks: [ask],
    accepted: { decision: 'accept' },
    declined: { decision: 'decline' },
    reply(answers) {
      const chosen = answers.get(ask.askId)?.optionId ?? ''
      const known = ask.options.some((option) => option.id === chosen)
      const decision = special?.get(chosen) ?? (known ? chosen : 'decline')
      return { result: { decision }, stops: decision === 'cancel' }
    },
  }
}

function permissionsApproval(params: Fields, place: AskPlace): ServerAsk {
  const wanted = Object.fromEntries(
    Object.entries(fieldsOf(params.permissions)).filter(([, value]) => isFields(value)),
  )
  const names = Object.keys(wanted).map((name) => (name === 'fileSystem' ? 'files' : name))
  const title = `have more rights: ${names.join(' and ') || 'not named'}`
  const detail = [JSON.stringify(wanted, undefined, 2), ...noteOf(params.reason)]
  const options = [allowOnce, forSession('these rights stay for this conversation'), deny]
  const ask = permission(place.askId, title, detail, options)
  const none = { permissions: {}, scope: 'turn' }
  return {
    asks: [ask],
    kind: 'other',
    accepted: { permissions: wanted, scope: 'turn' },
    declined: none,
    reply(answers) {
      const chosen = answers.get(ask.askId)?.optionId
      if (chosen === 'accept') return { result: { permissions: wanted, scope: 'turn' }, stops: false }
      if (chosen === 'acceptForSession') {
        return { result: { permissions: wanted, scope: 'session' }, stops: false }
      }
      return { result: none, stops: false }
    },
  }
}

function userInput(params: Fields, place: AskPlace): ServerAsk {
  const questions = listIn(params, 'questions').map(fieldsOf)
  const asks = questions.map((question, index): AskEvent => {
    const labels = listIn(question, 'options').map(fieldsOf)
    const options = labels.map((option, at): AskOption => {
      const description = textIn(option, 'description')
      const label = textIn(option, 'label') ?? `answer ${at + 1}`
      return { id: String(at), label: description ? `${label}: ${description}` : label, kind: 'other' }
    })
    return {
      type: 'ask',
      askId: `${place.askId}/${index}`,
      kind: 'question',
      title: textIn(question, 'header') ?? 'a question',
      detail: textIn(question, 'question') ?? '',
      options: [...options, { id: 'none', label: 'give no answer', kind: 'deny' }],
      defaultNo: false,
    }
  })
  const none = Object.fromEntries(questions.map((each) => [textIn(each, 'id') ?? '', { answers: [] }]))
  return {
    asks,
    accepted: { answers: none },
    declined: { answers: none },
    reply(answers) {
      const given = questions.map((question, index) => {
        const answer = answers.get(`${place.askId}/${index}`)
        const label = textIn(fieldsOf(listIn(question, 'options')[Number(answer?.optionId)]), 'label')
        const text = answer?.text?.trim()
        return [textIn(question, 'id') ?? '', { answers: text ? [text] : label ? [label] : [] }]
      })
      return { result: { answers: Object.fromEntries(given) }, stops: false }
    },
  }
}

function elicitation(params: Fields, place: AskPlace): ServerAsk {
  const server = textIn(params, 'serverName') ?? 'a tool server'
  const needsInput = textsOf(fieldsOf(params.requestedSchema).required).length > 0
  const url = textIn(params, 'url')
  const detail = [textIn(params, 'message') ?? '', ...(url === undefined ? [] : [url])]
  // A form cannot be filled in here, so that one with required fields can only be refused.
  const options = needsInput ? [deny] : [allowOnce, deny]
  const ask = permission(place.askId, `answer ${server}`, detail, options)
  const result = (action: string) => ({ action, content: action === 'accept' ? {} : null, _meta: null })
  return {
    asks: [ask],
    accepted: result('accept'),
    declined: result('decline'),
    reply(answers) {
      const chosen = answers.get(ask.askId)?.optionId
      if (chosen === 'accept' && !needsInput) return { result: result('accept'), stops: false }
      return { result: result('decline'), stops: false }
    },
  }
}

function permission(askId: string, title: string, detail: string[], options: AskOption[]): AskEvent {
  const text = detail.filter((line) => line !== '').join('\n')
  return { type: 'ask', askId, kind: 'permission', title, detail: text, options, defaultNo: true }
}

function noteOf(reason: unknown): string[] {
  return typeof reason === 'string' && reason !== '' ? [`reason: ${reason}`] : []
}
