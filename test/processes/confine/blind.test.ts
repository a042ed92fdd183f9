import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { confineDispatch, type Sight } from '../../../source/agents/confinement.js'
import { runCommand } from '../../../source/processes/commands.js'
import { here, makePlace, type Place } from './confined.js'

let place: Place
beforeEach(async () => {
  place = await makePlace()
})
afterEach(async () => await place.remove())

const resumed = '0123abcd-0000-4000-8000-000000000000'

const session = {
  'state.json': '{"score":9.1}',
  'journal.jsonl': 'said by the verifier\n',
  'logs/d1.log': 'said by the verifier\n',
  'dispatches/d1.json': '{"claims":"said by the executor"}',
  'dispatches/d2.json': '{"order":"mine"}',
  'scratchpad/notes.md': 'said by the verifier\n',
  'conversations/other.jsonl': 'said by the verifier\n',
  [`conversations/${resumed}.jsonl`]: 'my own\n',
  'outputs/d1-99990000/1.txt': 'said by the verifier\n',
  'outputs/d2-0123abcd/1.txt': 'my own\n',
} as const

/** Runs a script in place of an agent that sees so much, and gives what it printed and what its session is afterwards. */
async function dispatched(sight: Sight | undefined, script: string) {
  if (!here.works) throw new Error(here.reason)
  const { root, home } = place
  const sessionDir = join(root, '.session')
  for (const [name, text] of Object.entries(session)) {
    await mkdir(dirname(join(sessionDir, name)), { recursive: true })
    await writeFile(join(sessionDir, name), text)
  }
  const env = { PATH: '/usr/bin:/bin', HOME: home }
  const common = { tool: here.tool, root, home, autopilotPaths: [], allowed: [], readOnly: [] }
  const { confinement, finish } = await confineDispatch(common, {
    backend: 'embedded',
    env,
    sessionDir,
    dispatchId: 'd2',
    records: ['state.json'],
    ...(sight === undefined ? {} : { sight, resumed }),
  })
  const limits = { timeoutMs: 30_000, outputCap: 100_000 }
  const ran = await runCommand(['sh', '-c', script], { cwd: root, env, confinement, ...limits })
  await finish()
  return {
    printed: `${ran.stdout}${ran.stderr}`,
    read: async (name: string) => await readFile(join(sessionDir, name), 'utf8'),
  }
}

const blind: Sight = { pinned: [], isBlind: true }
const everything = 'grep -rs "" .session .planning; true'

describe.skipIf(!here.works)('a dispatch that judges by itself', () => {
  test('sees of its session its own order and conversation; another sees all of it', async () => {
    const { printed } = await dispatched(blind, everything)
    expect(printed).toContain('{"order":"mine"}')
    expect(printed.match(/my own/g)).toHaveLength(2)
    expect(printed).not.toMatch(/said by|score/)
    const other = await dispatched(undefined, everything)
    for (const part of ['said by the verifier', 'said by the executor', 'score'])
      expect(other.printed).toContain(part)
  })

  test('writes into the session as every other, and takes nothing from it', async () => {
    const script =
      'mkdir -p .session/scratchpad && echo new > .session/scratchpad/own.md && echo forged > .session/state.json; true'
    const { read } = await dispatched(blind, script)
    expect(await read('scratchpad/own.md')).toBe('new\n')
    expect(await read('scratchpad/notes.md')).toBe(session['scratchpad/notes.md'])
    expect(await read('state.json')).toBe(session['state.json'])
    expect(await read('conversations/other.jsonl')).toBe(session['conversations/other.jsonl'])
  })

  test('sees another text in the place of a file that is not shown to it, and cannot write it', async () => {
    const path = join(place.root, '.planning/VERIFICATION.md')
    await mkdir(dirname(path))
    await writeFile(path, 'passed\n')
    const pinned = [{ path, content: Buffer.from('not shown\n') }]
    const script = `${everything}; echo mine > .planning/VERIFICATION.md || echo refused`
    const { printed } = await dispatched({ pinned, isBlind: true }, script)
    expect(printed).toContain('not shown')
    expect(printed).not.toContain('passed')
    expect(printed).toContain('refused')
    expect(await readFile(path, 'utf8')).toBe('passed\n')
  })
})
