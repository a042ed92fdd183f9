import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { partBytes, readLogPart } from '../../source/sessions/log-parts.js'
import { searchIn, searchLog } from '../../source/sessions/log-search.js'
import type { LogSource } from '../../source/sessions/log-source.js'
import type { LogPlace, LogQuery } from '../../source/view/view.js'
import { makeTemporary } from '../support/temporary.js'

const made: string[] = []
afterEach(async () => {
  for (const root of made.splice(0)) await rm(root, { recursive: true, force: true })
})

const path = 'logs/a.log'
const never = new AbortController().signal
const plain = { shown: (line: string) => line, signal: never }

async function logOf(text: string, beside: Record<string, string> = {}): Promise<string> {
  const root = await makeTemporary('log-search')
  made.push(root)
  await mkdir(join(root, 'logs'))
  await writeFile(join(root, path), text)
  for (const [from, more] of Object.entries(beside)) await writeFile(join(root, `${path}.from-${from}`), more)
  return root
}

/** Every hit on the way to one end of the log, as the lines that a person sees. */
async function walk(root: string, wanted: string, by: 1 | -1, how = plain): Promise<string[]> {
  const seen: string[] = []
  let from: LogQuery['from']
  for (;;) {
    const hit: LogPlace | undefined = await searchLog(root, path, { wanted, by, from }, how)
    if (!hit) return seen
    const { lines } = await readLogPart(root, path, hit.part)
    seen.push(lines[hit.line] ?? 'no line')
    from = hit
  }
}

describe('search in a whole log', () => {
  it('finds every line that holds the text, in any case, back and forward, over all of its parts', async () => {
    // Lines of different lengths, so that parts and pieces end anywhere, also within a character of several bytes.
    const lines = Array.from({ length: 40_000 }, (_, at) => {
      const filling = 'ä漢x'.repeat((at * 7) % 23)
      return at % 997 === 0 ? `${at} ${filling} Needle` : `${at} ${filling}`
    })
    const root = await logOf(`${lines.join('\n')}\n`)
    const wanted = lines.filter((line) => line.includes('Needle'))
    expect((await readLogPart(root, path, undefined)).parts).toBeGreaterThan(2)
    expect(await walk(root, 'nEEDLE', 1)).toEqual(wanted)
    expect(await walk(root, 'needle', -1)).toEqual(wanted.toReversed())
  })

  it('looks at nothing behind the place that a pane has kept, but for a little', async () => {
    const rest = 'x\n'.repeat(200_000)
    const root = await logOf(`needle old\n${rest}needle new\n`)
    const query = { wanted: 'needle', by: -1 } as const
    const hit = await searchLog(root, path, { ...query, from: { offset: 12 } }, plain)
    expect(hit).toEqual({ part: 0, line: 0 })
    const newest = await searchLog(root, path, query, plain)
    expect(newest).toEqual({ part: 0, line: 200_001 })
  })

  it('finds what lies in the files beside a log that is being written, and reads them as one', async () => {
    const head = 'head needle\n'
    const root = await logOf(head, { 900: 'middle\n', 907: 'tail needle\n' })
    const { lines } = await readLogPart(root, path, undefined)
    expect(lines).toEqual([
      'head needle',
      `# ${900 - head.length} bytes are left out here: the log keeps its beginning and its end`,
      'middle',
      'tail needle',
    ])
    expect(await walk(root, 'needle', -1)).toEqual(['tail needle', 'head needle'])
  })

  it('takes no hit that nobody could see', async () => {
    const root = await logOf('a secret here\nplain\nanother secret\n')
    const shown = (line: string) => (line.startsWith('another') ? line.replace('secret', '***') : line)
    expect(await walk(root, 'secret', -1, { shown, signal: never })).toEqual(['a secret here'])
  })

  it('finds the end of a line of a megabyte, and shows all of that line', async () => {
    const long = `${'y'.repeat(1024 * 1024 + 10)} needle`
    const root = await logOf(`first\n${long}\nlast\n`)
    const [found] = await walk(root, 'needle', -1)
    expect(found?.length).toBe(long.length)
    const parts = [0, 1, 2].map((part) => readLogPart(root, path, part))
    const shown = (await Promise.all(parts)).flatMap(({ lines }) => lines)
    const between = '(a line goes on here that begins in an earlier part)'
    // Compared by length first: a difference in a megabyte would be printed whole.
    expect(shown.map((line) => line.length)).toEqual([5, long.length, between.length, 4])
    expect(shown[1] === long && shown[2] === between).toBe(true)
  })

  it('tells a log that was removed from one without the text, and reading it says so', async () => {
    const root = await logOf('needle\n')
    await rm(join(root, path))
    await expect(searchLog(root, path, { wanted: 'needle', by: -1 }, plain)).rejects.toMatchObject({
      code: 'ENOENT',
    })
    expect((await readLogPart(root, path, 0)).lines.join()).toContain('is not there any more')
  })
})

describe('a log of 64 MB', () => {
  const size = 64 * 1024 * 1024
  const line = Buffer.from(`${'z'.repeat(63)}\n`)

  /** Bytes that are made when they are read; tells what was read. */
  function endless() {
    const reads: number[] = []
    const log: LogSource = {
      size,
      async read(position, length) {
        const end = Math.min(size, position + length)
        reads.push(Math.max(0, end - position))
        const bytes = Buffer.alloc(Math.max(0, end - position))
        for (let at = 0; at < bytes.length; at += 1) bytes[at] = line[(position + at) % 64] as number
        await new Promise((resolve) => setImmediate(resolve))
        return bytes
      },
      close: async () => {},
    }
    return { log, reads }
  }

  it.each([-1, 1] as const)('is passed once, in pieces of bounded size (%i)', async (by) => {
    const { log, reads } = endless()
    expect(await searchIn(log, { wanted: 'needle', by }, plain)).toBeUndefined()
    const sum = reads.reduce((all, one) => all + one, 0)
    expect(sum).toBeLessThan(size * 1.05)
    expect(Math.max(...reads)).toBeLessThanOrEqual(partBytes)
  })

  it('ends when nobody waits for it any more', async () => {
    const { log, reads } = endless()
    const ended = new AbortController()
    const shown = plain.shown
    const search = searchIn(log, { wanted: 'needle', by: -1 }, { shown, signal: ended.signal })
    ended.abort()
    expect(await search).toBeUndefined()
    expect(reads.length).toBeLessThan(3)
  })
})
