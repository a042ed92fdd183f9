/** True for a text with more than headings, rules, blanks and the frame of a table. Pure. */
export function saysSomething(text: string): boolean {
  return text
    .split('\n')
    .some((line) => !/^(?:#{1,6}(?:\s.*)?|[-=*_|: \t]*)$/.test(line.slice(0, 2_000).trim()))
}
