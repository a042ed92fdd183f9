import { Problem } from '../problem.js'

const operators = new Set(['|', '||', '&', '&&', ';', '<', '>', '>>', '<<', '<<<', '2>', '2>&1', '&>'])

/**
 * Splits a command line into its arguments: blanks separate, '...' is literal, "..." knows \" and \\, a backslash
 * elsewhere takes the next character as it is. Nothing is expanded. Throws a Problem ('usage') on an open quote, a
 * backslash at the end, and on an operator of the shell that stands alone, because it would not do what it says.
 */
export function splitArgv(text: string): string[] {
  const words: string[] = []
  let word: string | undefined
  let quoted = false
  let quote: '"' | "'" | undefined
  const push = () => {
    if (word === undefined) return
    if (!quoted && operators.has(word)) throw shellProblem(text, word)
    words.push(word)
    word = undefined
    quoted = false
  }
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charAt(at)
    const next = text.charAt(at + 1)
    if (character === '\0') throw syntaxProblem(text, 'it holds a NUL character')
    if (quote === "'") {
      if (character === "'") quote = undefined
      else word += character
    } else if (quote === '"') {
      if (character === '"') quote = undefined
      else if (character === '\\' && (next === '"' || next === '\\')) {
        word += next
        at += 1
      } else word += character
    } else if (character === '"' || character === "'") {
      quote = character
      quoted = true
      word ??= ''
    } else if (character === '\\') {
      if (next === '') throw syntaxProblem(text, 'it ends in a backslash')
      word = (word ?? '') + next
      quoted = true
      at += 1
    } else if (/\s/.test(character)) {
      push()
    } else {
      word = (word ?? '') + character
    }
  }
  if (quote) throw syntaxProblem(text, `the quote ${quote} is not closed`)
  push()
  return words
}

function syntaxProblem(text: string, reason: string): Problem {
  return new Problem({
    code: 'usage',
    what: `The command ${JSON.stringify(text)} cannot be read: ${reason}.`,
    why: 'autopilot runs programs without a shell, so it must know exactly where each argument ends.',
    todo: 'Close the quotes, or give the command as a list of arguments in the configuration file.',
  })
}

function shellProblem(text: string, operator: string): Problem {
  return new Problem({
    code: 'usage',
    what: `The command ${JSON.stringify(text)} holds ${operator}, which only a shell understands.`,
    why: 'autopilot runs one program without a shell, so it would be passed on as a plain argument.',
    todo: 'Put the line into a script file and name the script, or quote the character if it is meant literally.',
  })
}
