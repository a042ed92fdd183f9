import type { AgentEvent, AskOption } from '../../agents/agent.js'
import type { QuestionDraft, QuestionOption } from '../../view/question.js'

type Ask = Extract<AgentEvent, { type: 'ask' }>

/** What an agent wants to do, as a gate: its own options, with a reason where it can take one, and a stop. */
export function qPermission(persona: string, ask: Ask): QuestionDraft {
  const detail = ask.diff ?? ask.detail
  const options = ask.options.map(
    (option): QuestionOption => ({
      value: option.id,
      label: labelOf(option),
      consequence: consequenceOf(option),
      ...(option.kind === 'deny' ? { safe: ask.defaultNo } : {}),
    }),
  )
  const deny = ask.options.find((option) => option.kind === 'deny')
  return {
    gate: ask.kind === 'permission' ? 'permission' : ask.kind,
    title: `${persona} asks: ${ask.title}`,
    body: detail.split('\n'),
    options: [
      ...safeFirst(options),
      ...(deny
        ? [
            {
              value: `${deny.id}:why`,
              label: 'deny and tell the agent why',
              consequence: 'it goes on without it',
              text: { label: 'What should it do instead?', required: true },
            },
          ]
        : []),
      {
        value: 'stop-run',
        label: 'stop',
        consequence: 'end the agent, save the state and exit',
        stops: true,
      },
    ],
  }
}

function labelOf(option: AskOption): string {
  switch (option.kind) {
    case 'allow-once':
      return 'allow once'
    case 'allow-always':
      return 'allow for this run'
    case 'deny':
      return 'deny'
    case 'other':
      return option.label
  }
}

function consequenceOf(option: AskOption): string {
  switch (option.kind) {
    case 'allow-once':
      return 'only this time'
    case 'allow-always':
      return option.label
    case 'deny':
      return 'it goes on without it'
    case 'other':
      return 'answer the agent'
  }
}

/** A question of the agent has no option to deny; its first answer is where the menu opens. */
function safeFirst(options: QuestionOption[]): QuestionOption[] {
  if (options.some((option) => option.safe)) return options
  return options.map((option, index) => (index === 0 ? { ...option, safe: true } : option))
}

/** The agent's option that an answer of the gate means. */
export function permissionAnswer(
  value: string,
  text: string | undefined,
): { optionId: string; text?: string } {
  const optionId = value.endsWith(':why') ? value.slice(0, -':why'.length) : value
  return { optionId, ...(text ? { text } : {}) }
}
