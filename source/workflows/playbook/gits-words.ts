/** What git advises who merges or reverts by hand: here it was undone already, in a tree that is gone. */
const isAdvice = (line: string) => /^(?:hint:|Auto-merging |Automatic merge failed)/.test(line)

const mostLines = 10

/** What git said of something that it could not do, as far as it is about the thing itself. */
export function gitsWords(output: string): string[] {
  return output
    .split('\n')
    .filter((line) => line.trim() !== '' && !isAdvice(line))
    .slice(-mostLines)
}
