/** What a command leaves behind: exit code, and text for stdout (0) or stderr (otherwise) without final newline. */
export interface CommandOutput {
  exitCode: number
  output: string
  /** It is an answer and no complaint, whatever the exit code says. */
  isAnswer?: true
}

const otherThanAscii = /[^\n\x20-\x7e]/

/** What moves, hides or reorders text on a terminal and JSON leaves as it is; made at each call, as its tables take a while. */
const unprintable = () =>
  /[\u007f-\u009f\u2028\u2029\ufff9-\ufffb\p{Default_Ignorable_Code_Point}\p{Bidi_Control}]/gu

/** JSON that is safe on a terminal: control, direction and invisible characters are escaped, the value is the same. */
export function printableJson(value: unknown): string {
  const text = JSON.stringify(value, null, 2)
  if (!otherThanAscii.test(text)) return text
  return text.replace(unprintable(), (character) =>
    character
      .split('')
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .join(''),
  )
}
