/** A word as it can be pasted into a shell: quoted where the shell would read more than one, or something else, into it. */
export function shellWord(word: string): string {
  if (/^[\p{L}\p{N}%+,./:=@_-]+$/u.test(word)) return word
  return `'${word.replaceAll("'", "'\\''")}'`
}
