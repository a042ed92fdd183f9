/** What a command leaves behind: exit code, and text for stdout (0) or stderr (otherwise) without final newline. */
export interface CommandOutput {
  exitCode: number
  output: string
}

/** JSON that is safe on a terminal: control and direction characters are escaped, the value is the same. */
export function printableJson(value: unknown): string {
  return JSON.stringify(value, null, 2).replace(
    /[\u007f-\u009f\u2028-\u202e\u2066-\u2069\ufeff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
