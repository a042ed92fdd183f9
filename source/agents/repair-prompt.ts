/** Asks an agent, in its own conversation, to hand back a result that fits: one turn, nothing else to do. */
export function repairPrompt(wrong: string, schema: unknown): string {
  return [
    'Your work is kept, but the result you handed back could not be used.',
    '',
    wrong,
    '',
    'Do not change any file and do not repeat any work. Reply with nothing but the corrected result, as one fenced',
    '`json` block that fits this JSON Schema:',
    '',
    '```json',
    JSON.stringify(schema, undefined, 2),
    '```',
    '',
  ].join('\n')
}
