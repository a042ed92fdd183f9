/** What a command leaves behind: exit code, and text for stdout (0) or stderr (otherwise) without final newline. */
export interface CommandOutput {
  exitCode: number
  output: string
}
