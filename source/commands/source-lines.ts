import { readFileSync } from 'node:fs'
import { SourceMap } from 'node:module'
import { dirname, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const packageRoot = resolve(dirname(fileURLToPath(import.meta.url)), '..')

/**
 * A stack trace of the bundle in lines of the sources, for crash files. The maps lie beside the bundle and are read
 * only here: Node's own support has to be switched on before a module is loaded, and then every start pays for it.
 * Lines that no map knows stay as they are.
 */
export function inSourceLines(stack: string): string {
  const maps = new Map<string, SourceMap | undefined>()
  return stack.replace(/file:\/\/[^\s():]+\.js:\d{1,9}:\d{1,9}/g, (place) => {
    const [line, column] = place.split(':').slice(-2).map(Number) as [number, number]
    const file = fileURLToPath(place.replace(/:\d+:\d+$/, ''))
    if (!maps.has(file)) maps.set(file, mapOf(file))
    const entry = maps.get(file)?.findEntry(line - 1, column - 1)
    if (entry === undefined || !('originalSource' in entry)) return place
    const source = relative(packageRoot, resolve(dirname(file), entry.originalSource))
    return `${source}:${entry.originalLine + 1}:${entry.originalColumn + 1}`
  })
}

function mapOf(file: string): SourceMap | undefined {
  try {
    return new SourceMap(JSON.parse(readFileSync(`${file}.map`, 'utf8')))
  } catch {
    return undefined
  }
}
