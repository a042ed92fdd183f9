import { fenced } from '../../../agents/quote.js'
import type { WorkerOrder } from '../orders/order.js'

// What the worker is told (docs/lifecycle.md, "The worker"). Paths, never the contents of files.

/** Prompt for one run of a step. */
export function workerPrompt(order: WorkerOrder, begin: { interrupted: boolean; note?: string }): string {
  const { step, flow } = order
  return `${[
    `You are lifecycle-worker. You carry out one step of the life of a project, alone and without a person at the other end: step ${step.number} of ${step.total} of the flow ${flow}, ${step.name}.`,
    skill(order),
    where(order),
    work(order),
    begin.interrupted
      ? `## You are not the first\n\nThis run was begun before and was broken off. Look at what lies in \`${order.docsDir}\` and at \`git status\` before you begin; keep what is good and do not repeat what is finished.`
      : undefined,
    before(order),
    answer(order),
    begin.note === undefined
      ? undefined
      : `## A note from the person in charge\n\n${fenced(begin.note, 'text')}\n\nIt takes precedence.`,
    stateFile(order),
    rules(),
    result(),
  ]
    .filter((section) => section !== undefined)
    .join('\n\n')}\n`
}

function skill({ skill: name, step }: WorkerOrder): string | undefined {
  if (name === undefined) return undefined
  return `If a skill or agent definition named \`${name}\` is available to you, follow its method for ${step.name}. Where it differs from this page, this page holds. Its own questions to a person become gates, as told below.`
}

function where({ docsDir, statePath, projectDir, freshContext, attempt }: WorkerOrder): string {
  return `## Where you are

- Project root: ${projectDir}
- Documents of the project: \`${docsDir}/\`
- State file: \`${statePath}\`
- Run of this step: ${attempt}
- Conversation: ${freshContext ? 'a new one; read what you need from the files' : 'the one in which the steps before were done'}

Paths are relative to the project root. Read a large file in parts, and only what this step needs.`
}

function work(order: WorkerOrder): string {
  const subSteps = order.subSteps ?? []
  return [
    '## The work',
    ...(order.brief === undefined
      ? []
      : ['', 'What is to be built, in the words of the person:', '', fenced(order.brief, 'text')]),
    ...(subSteps.length === 0
      ? []
      : ['', 'Sub-steps, in this order:', '', ...subSteps.map(({ id, name }) => `- ${id} \u2014 ${name}`)]),
    ...(order.subStep ? ['', `It was in sub-step ${order.subStep.id} when it was left. Go on there.`] : []),
    '',
    order.done.length === 0
      ? 'Nothing in the folders shows that this step is done. A person decides by what you report.'
      : 'The step is done when these are there and say what they should, not before:',
    ...(order.done.length === 0 ? [] : ['', ...order.done.map((path) => `- ${path}`)]),
    ...(order.gates.length === 0
      ? []
      : [
          '',
          'These decisions are left to a person. When you come to one, end with a gate of its id:',
          '',
          ...order.gates.map(gateLine),
        ]),
    ...(order.prepareOnly
      ? [
          '',
          'Prepare only: write procedures and scripts, and release nothing. Nothing may leave this machine.',
        ]
      : []),
  ].join('\n')
}

function gateLine({ id, question, options, recommend }: WorkerOrder['gates'][number]): string {
  const choices = options.length === 0 ? '' : ` Options: ${options.join(' / ')}.`
  return `- \`${id}\`: ${question}${choices}${recommend === undefined ? '' : ` Recommend: ${recommend}.`}`
}

function before({ retry, earlier }: WorkerOrder): string | undefined {
  const parts = [
    ...(retry.attempt === 0
      ? []
      : [
          `This is retry ${retry.attempt} of 3. What went wrong before:`,
          '',
          fenced(retry.errors.join('\n\n'), 'text'),
        ]),
    ...(earlier.length === 0
      ? []
      : [
          '',
          'What was returned earlier in this conversation:',
          '',
          fenced(JSON.stringify(earlier, null, 1), 'json'),
        ]),
  ]
  return parts.length === 0 ? undefined : `## What came before\n\n${parts.join('\n').trim()}`
}

function answer({ gateAnswer }: WorkerOrder): string | undefined {
  if (!gateAnswer) return undefined
  const note = gateAnswer.note === undefined ? '' : `\n\n${fenced(gateAnswer.note, 'text')}`
  return `## The answer to your gate\n\nGate \`${gateAnswer.id}\` was answered: ${gateAnswer.choice}${note}\n\nGo on from there. Do not ask it again.`
}

function stateFile({ statePath }: WorkerOrder): string {
  return `## The state file

The program writes \`${statePath}\`; it knows by itself what is done. You may change one line of it, \`sub_step: <id> \u2014 <name>\`, when you come to another sub-step, and add lines to Key Decisions. Every other change is put back and asked about.`
}

function rules(): string {
  return `## Rules that hold throughout

- Ask nothing and wait for nothing. A decision that only a person can take is a gate: end with it, and you are asked to go on with the answer.
- Do this step and no other. Do not commit, push, stash, or change the branch; the program commits when the step is done.
- Leave changes that are not yours as they are. Leave no process running when you end.
- Report only what you did and saw. A failure told plainly is worth more than a success that is not one.`
}

function result(): string {
  return `## Result

Your very last message must end with one fenced block marked \`json\`, nothing after it:

\`\`\`json
{
  "status": "complete" | "failed" | "gate",
  "outcome": "<one line of what came of the step>",
  "subStep": { "id": "<where you are>", "name": "<its name>" },
  "error": "<with failed: why>",
  "gate": { "id": "<word>", "question": "<what has to be decided>", "options": ["<choice>"], "recommendation": "<one of them, and why>" }
}
\`\`\`

- \`complete\`: everything that shows the step to be done is there.
- \`failed\`: you cannot finish it; \`error\` says why, so that the next run can do better.
- \`gate\`: at most six options; none if it is to be answered in words. Leave out what does not apply.`
}
