import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'esbuild'
import { afterAll, expect, test } from 'vitest'
import { inSourceLines } from '../../source/commands/source-lines.js'

const dir = mkdtempSync(join(tmpdir(), 'autopilot-lines-'))
afterAll(() => rmSync(dir, { recursive: true, force: true }))

/** Stack trace of a program that is bundled as scripts/build.js does it: whitespace gone, map linked. */
async function traceOf(text: string): Promise<string> {
  const entry = join(dir, 'entry.ts')
  const outfile = join(dir, 'entry.mjs.js')
  writeFileSync(entry, text)
  writeFileSync(join(dir, 'package.json'), '{"type":"module"}')
  await build({
    entryPoints: [entry],
    outfile,
    format: 'esm',
    sourcemap: 'linked',
    sourcesContent: false,
    minifyWhitespace: true,
  })
  // A process of its own: the test runner would map the trace before we see it.
  return spawnSync(process.execPath, [outfile], { encoding: 'utf8' }).stdout
}

test('a stack trace of a bundle names lines of the sources', async () => {
  const trace = await traceOf(
    [
      '// one',
      'function broken(): never {',
      '  const why: string = "lost"',
      '  throw new Error(why)',
      '}',
      'try { broken() } catch (error) { console.log((error as Error).stack) }',
    ].join('\n'),
  )
  expect(trace).toContain('entry.mjs.js:1:')
  expect(inSourceLines(trace)).toMatch(/at broken \(.*entry\.ts:4:9\)/)
})

test('lines that no map knows stay as they are', () => {
  const trace =
    'Error: x\n    at a (file:///nowhere/b.js:1:2)\n    at node:internal/main:3:4\n    at file:///c.js:9:9'
  expect(inSourceLines(trace)).toBe(trace)
})
