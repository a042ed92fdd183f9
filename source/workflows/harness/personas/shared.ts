// What the prompts of all personas have in common: docs/harness.md, "Prompts".

import { fenced } from '../../../agents/quote.js'
import { inOneLine } from '../../../documents/edit.js'

export type Rigor = 'fast' | 'standard' | 'thorough'

/** True for every dispatch of a session. Paths are repo-relative but for `projectDir`. */
export interface SessionFields {
  /** Absolute. */
  projectDir: string
  sessionDir: string
  slug: string
  specPath: string
  rigor: Rigor
  /** This dispatch was begun before and broken off; its conversation could not be continued. */
  interrupted?: boolean
  /** A word from the person, for this dispatch. */
  note?: string
}

export interface PhaseFields extends SessionFields {
  /** `number` is its place from 1, `label` what the spec calls it. */
  phase: { number: number; label: string; name: string; total: number }
}

/** First lines of every prompt: who, for what, and who is not there. */
export function opening(persona: string, skill: string, work: string): string {
  return `You are ${persona}. You run the ${skill} skill, alone and without a person at the other end, to ${work}.

If a skill or agent definition of that name is available to you, follow its method. Where it differs from this page, this page holds. Do only the work of this persona; other personas plan, build, verify and review.`
}

export function facts(fields: SessionFields, more: readonly (readonly [string, string])[]): string {
  const rows: (readonly [string, string])[] = [
    ['Project root', fields.projectDir],
    ['Spec', fields.specPath],
    ['Session directory', fields.sessionDir],
    ['Session slug', fields.slug],
    ['Rigor level', fields.rigor],
    ...more,
  ]
  const lines = rows.map(([name, value]) => `- ${name}: ${value}`)
  return `## Where you are\n\n${lines.join('\n')}\n\nPaths are relative to the project root.`
}

export function phaseLine(fields: PhaseFields): readonly [string, string] {
  const { number, label, name, total } = fields.phase
  const called = label === String(number) ? '' : ` (the spec calls it Phase ${label})`
  return ['Phase', `${number} of ${total}: ${name}${called}`]
}

export function contextFirst(fields: SessionFields, skill: string): string {
  return `## Load the context first

If the tool \`gather_context\` is available, call it before anything else:

    gather_context({ path: ${JSON.stringify(fields.projectDir)}, intent: "${skill}", skill: "${skill}",
      session: ${JSON.stringify(fields.slug)}, include: ["state", "learnings", "handoff", "validation"] })

If it is not, read these files, as far as they exist: \`${fields.sessionDir}/summary.md\`, \`${fields.sessionDir}/state.json\`, \`${fields.sessionDir}/handoff.json\`, \`${fields.sessionDir}/learnings.md\`, \`.harness/learnings.md\`. They tell what was tried before and what failed. The handoff may be from another skill: take it as background, not as an order.`
}

/** What nobody may do, whatever the skill says. */
export function groundRules(): string {
  return `## Rules that hold throughout

- Ask nothing and wait for nothing. There is no one to answer; a question ends your work unfinished. Where you must choose, choose what the spec and the plan support best, and say in your result what you assumed.
- Skip every step of the skill that asks for a sign-off, an approval or a next action. Those decisions are taken elsewhere, after you are done.
- Start no other persona and no other workflow, and do not go on to the next phase.
- Never stage or commit anything under \`.harness/sessions\`. Stage by explicit paths; never \`git add -A\`, \`git add .\` or \`git commit -a\`.
- Never push, amend, rebase, reset, stash, or change the branch. Leave changes that are not yours as they are.
- Do not edit \`autopilot-state.json\`, the journal or the lock in the session directory.
- Report only what you did and saw. What you claim is checked against git and the files; a failure told plainly is worth more than a success that is not one.
- Leave no process running when you end.`
}

export function scratchpadRule(
  rigor: Rigor,
  directory: string | undefined,
  fileName: string,
): string | undefined {
  if (rigor === 'fast' || directory === undefined) return undefined
  const what =
    rigor === 'thorough'
      ? 'Write all research, reasoning and intermediate output to the scratchpad, as you go.'
      : 'Write research or output of more than 500 words to the scratchpad instead of keeping it in the conversation.'
  return `## Scratchpad

${what} Directory: \`${directory}\`, files: \`${fileName}\`. Then refer to the file by its path. The scratchpad is cleared after the phase: what must last belongs into the plan, the code or the handoff.`
}

export interface HandoffShape {
  fromSkill: string
  phase: string
  /** Further lines of the JSON example. */
  extra?: readonly string[]
  /** A persona without write permission may leave it out. */
  optional?: boolean
}

export function handoffRule(sessionDir: string, shape: HandoffShape): string {
  const lines = [
    '  "timestamp": "<now, ISO 8601>",',
    `  "fromSkill": "${shape.fromSkill}",`,
    `  "phase": "${shape.phase}",`,
    '  "summary": "<two or three sentences>",',
    '  "completed": ["<what is done>"],',
    '  "pending": ["<what is left>"],',
    '  "concerns": ["<what could go wrong>"],',
    '  "decisions": [{ "what": "<chosen>", "why": "<reason>" }],',
    '  "blockers": ["<what keeps you from going on>"],',
    ...(shape.extra ?? []).map((line) => `  ${line},`),
    '  "contextKeywords": ["<word>"]',
  ]
  const when = shape.optional
    ? 'If you are permitted to write files, write'
    : 'When you end, done or not, write'
  const otherwise = shape.optional ? ' If you are not, leave it: your result is enough.' : ''
  return `## Handoff

${when} \`${sessionDir}/handoff.json\` (replace the file, valid JSON, empty lists where there is nothing). It must say the same as your result.${otherwise}

    {
${lines.map((line) => `    ${line}`).join('\n')}
    }`
}

/** The result contract: an exact shape, and the one place where it is looked for. */
export function resultRule(shape: string, meaning: readonly string[]): string {
  return `## Result

Your very last message must end with the result: one fenced block marked \`json\`, nothing after it. (A program that prints JSON lines may give it as the \`result\` of a last line \`{"type":"end","result":{...}}\` instead.) Without it the work counts as failed. The exact shape:

\`\`\`json
${shape}
\`\`\`

${meaning.map((line) => `- ${line}`).join('\n')}`
}

/** What a new conversation is told about one that broke off in the middle. */
export function interruptedNotice(fields: SessionFields): string | undefined {
  if (!fields.interrupted) return undefined
  return `## You are not the first

This same work was begun before and was broken off. Files may be half-written, and commits may be there already. Look at \`git log\`, \`git status\` and \`${fields.sessionDir}/state.json\` before you begin; keep what is good, mend what is half done, and do not repeat what is finished.`
}

export function personNote(fields: SessionFields): string | undefined {
  if (fields.note === undefined || fields.note.trim() === '') return undefined
  return `## A note from the person in charge\n\n${fenced(fields.note.trim(), 'text')}\n\nIt takes precedence over the plan where the two differ.`
}

export function bullets(items: readonly string[]): string {
  return items.map((item) => `- ${inOneLine(item)}`).join('\n')
}

/** Sections with a blank line between; those that do not apply are left out. */
export function page(...sections: (string | undefined)[]): string {
  return `${sections.filter((section) => section !== undefined).join('\n\n')}\n`
}
