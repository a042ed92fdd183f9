import { parseAllDocuments } from 'yaml'
import { yamlDepthFault } from '../../../documents/yaml.js'

// Checks of phases that change documents or data only. Pure: whether a path is there is asked of the caller.

/** One thing that does not hold in a file. */
export interface DocumentFault {
  path: string
  /** 1-based. */
  line: number
  fault: string
}

const backticked = /`([A-Za-z0-9_./-]+\.[A-Za-z0-9]{1,10})`/g
/** Names with a dot that are no files. */
const noFile = /^(?:\d[\d.]*|[a-z]+\.(?:com|org|io|dev|net)|(?:e\.g|i\.e|etc)\.?)$/i

/** Paths in backticks that are not there, neither from the root nor beside the document. */
export function brokenReferences(
  path: string,
  text: string,
  exists: (path: string) => boolean,
): DocumentFault[] {
  const folder = path.includes('/') ? path.slice(0, path.lastIndexOf('/') + 1) : ''
  return unfenced(text).flatMap(({ line, text: words }) =>
    [...words.matchAll(backticked)].flatMap(([, name = '']) => {
      const isPath = name.includes('/') && !noFile.test(name)
      if (!isPath || exists(name) || exists(`${folder}${name.replace(/^\.\//, '')}`)) return []
      return [{ path, line, fault: `\`${name}\` is not there` }]
    }),
  )
}

function unfenced(text: string): { line: number; text: string }[] {
  let fence = ''
  return text.split(/\r?\n/).flatMap((line, at) => {
    const mark = /^\s*(`{3,}|~{3,})/.exec(line)?.[1]
    if (mark !== undefined) {
      if (fence === '') fence = mark.charAt(0)
      else if (mark.startsWith(fence)) fence = ''
      return []
    }
    return fence === '' ? [{ line: at + 1, text: line }] : []
  })
}

/** Fenced `json` blocks that do not parse. */
export function brokenJsonBlocks(path: string, text: string): DocumentFault[] {
  const faults: DocumentFault[] = []
  let block: { line: number; mark: string; lines: string[] } | undefined
  for (const [at, line] of text.split(/\r?\n/).entries()) {
    const mark = /^\s*(`{3,}|~{3,})/.exec(line)
    const [language] = mark === null ? [] : line.slice(mark[0].length).trim().split(/\s/)
    if (block && mark?.[1]?.startsWith(block.mark) && language === '') {
      const fault = jsonFault(block.lines.join('\n'))
      if (fault !== undefined) faults.push({ path, line: block.line, fault })
      block = undefined
    } else if (block) block.lines.push(line)
    else if (mark?.[1] && language?.toLowerCase() === 'json')
      block = { line: at + 1, mark: mark[1], lines: [] }
  }
  return faults
}

/** A data file that does not parse, by its ending; others are no data. */
export function brokenData(path: string, text: string): DocumentFault[] {
  const ending = path.slice(path.lastIndexOf('.') + 1).toLowerCase()
  if (ending === 'json' || ending === 'geojson') return one(path, 1, jsonFault(text.replace(/^\uFEFF/, '')))
  if (ending === 'jsonl' || ending === 'ndjson')
    return text
      .split(/\r?\n/)
      .flatMap((line, at) => (line.trim() === '' ? [] : one(path, at + 1, jsonFault(line))))
  if (ending === 'yaml' || ending === 'yml') {
    const deep = yamlDepthFault(text)
    if (deep) return one(path, deep.line, deep.fault)
    const error = parseAllDocuments(text, { logLevel: 'silent' }).flatMap(({ errors }) => errors)[0]
    return one(path, error?.linePos?.[0].line ?? 1, error?.message.split('\n')[0])
  }
  return []
}

function one(path: string, line: number, fault: string | undefined): DocumentFault[] {
  return fault === undefined ? [] : [{ path, line, fault }]
}

function jsonFault(text: string): string | undefined {
  try {
    JSON.parse(text)
    return undefined
  } catch (error) {
    return `no valid JSON: ${error instanceof Error ? error.message : String(error)}`
  }
}

/** A fault in one line, with its path and line before it. */
export function faultText({ path, line, fault }: DocumentFault): string {
  return `${path}:${line} ${fault}`
}
