import { Lexer, type ParseOptions, parse, type SchemaOptions } from 'yaml'
import { deepest } from './json-depth.js'

// YAML of other hands. Its parser calls itself for every list and map within another: so deep a text would take the whole
// stack, and with it the process where a pattern is compiled at the end of it.

/** What cannot be read in a text of YAML. */
export interface YamlFault {
  /** 1-based. */
  line: number
  fault: string
}

/** Where a text holds more than `deepest` lists and maps within each other; undefined where its parser can take it. */
export function yamlDepthFault(source: string): YamlFault | undefined {
  if (source.length <= deepest) return undefined
  let line = 1
  let column = 0
  let isStart = true
  let brackets = 0
  /** Columns of the lists and maps that are open, from the outermost one on. */
  const open: number[] = []
  for (const lexeme of new Lexer().lex(source)) {
    if (mark.has(lexeme)) continue
    const breaks = lexeme.split('\n').length - 1
    if (brackets === 0 && isStart && !/^(?:\s|#)/.test(lexeme)) {
      while (open.length > 0 && (open.at(-1) ?? 0) >= column) open.pop()
      open.push(column)
      // What follows one of these on its line begins another list or map.
      isStart = lexeme === '-' || lexeme === '?'
    }
    if (lexeme === '[' || lexeme === '{') brackets += 1
    else if (lexeme === ']' || lexeme === '}') brackets = Math.max(0, brackets - 1)
    if (open.length + brackets > deepest)
      return { line, fault: `more than ${deepest} lists and maps within each other` }
    line += breaks
    column = breaks === 0 ? column + lexeme.length : lexeme.length - lexeme.lastIndexOf('\n') - 1
    if (breaks > 0) isStart = true
  }
  return undefined
}

/** What the lexer says beside the text: begin of a document, of a scalar, an end by mistake, and the byte order mark. */
const mark: ReadonlySet<string> = new Set(['\u0002', '\u001f', '\u0018', '\uFEFF'])

/** The value of one document. Throws what is wrong with it, as an Error of one sentence or more. */
export function parseYaml(
  source: string,
  options?: ParseOptions & SchemaOptions & { maxAliasCount?: number },
): unknown {
  const deep = yamlDepthFault(source)
  if (deep) throw new Error(`line ${deep.line} has ${deep.fault}`)
  return parse(source, { logLevel: 'error', ...options })
}
