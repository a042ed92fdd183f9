import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openSessionStore } from '../../source/ledger/session-store.js'
import type { StateCodec } from '../../source/ledger/state-codec.js'
import { sealIn } from '../support/seal.js'
import { inTemporary } from '../support/temporary.js'

// A state that is a Markdown file: the codec is all that a workflow brings for it.

interface Board {
  format: number
  /** Everything before the tasks, as it is. */
  head: string[]
  tasks: { done: boolean; title: string }[]
  /** Everything behind them. */
  rest: string[]
}

const taskLine = /^- \[([ x])\] (.*)$/
let reads = 0

const markdown: StateCodec<Board> = {
  read(bytes) {
    reads += 1
    const lines = bytes.toString('utf8').split('\n')
    const format = Number(/^<!-- board (\d+) -->$/.exec(lines[0] ?? '')?.[1])
    if (!Number.isInteger(format)) return { kind: 'unreadable', reason: 'its first line names no board' }
    if (format > 1) return { kind: 'newer', reason: `board ${format}` }
    const first = lines.findIndex((line) => taskLine.test(line))
    const from = first < 0 ? lines.length : first
    const behind = lines.findIndex((line, at) => at >= from && !taskLine.test(line))
    const to = behind < 0 ? lines.length : behind
    const tasks = lines.slice(from, to).map((line) => {
      const [, mark, title = ''] = taskLine.exec(line) ?? []
      return { done: mark === 'x', title }
    })
    const rest = lines.slice(to)
    const warnings = rest.some((line) => taskLine.test(line)) ? ['Tasks below the list are not read.'] : []
    return { kind: 'ok', state: { format, head: lines.slice(0, from), tasks, rest }, warnings }
  },
  write({ head, tasks, rest }) {
    const list = tasks.map(({ done, title }) => `- [${done ? 'x' : ' '}] ${title}`)
    return Buffer.from([...head, ...list, ...rest].join('\n'), 'utf8')
  },
}

const text =
  '<!-- board 1 -->\n# Seeds\n\nOwn words of *somebody*.\n\n- [x] sow\n- [ ] water\n\n## Notes\n\nkept\n'
const transition = { type: 'transition', visit: 1, from: 'A', to: 'B' } as const

async function withBoard(
  content: string,
  use: (path: string, open: () => ReturnType<typeof openBoard>) => Promise<void>,
) {
  await inTemporary('board', async (root) => {
    const dir = join(root, 'session')
    const open = () => openBoard(root, dir)
    const created = await open()
    if (created.kind === 'ready') await created.store.close()
    await writeFile(join(dir, 'BOARD.md'), content)
    await use(join(dir, 'BOARD.md'), open)
  })
}

const openBoard = (root: string, dir: string) =>
  openSessionStore<Board>({
    dir,
    root,
    stateFile: 'BOARD.md',
    codec: markdown,
    version: 'test',
    seal: sealIn(dir),
  })

async function readyAfter(proceed: () => ReturnType<typeof openBoard>) {
  const opening = await proceed()
  if (opening.kind !== 'ready') throw new Error(opening.kind)
  return opening.store
}

/** Takes the file of another hand over, as the person says. */
async function adopted(open: () => ReturnType<typeof openBoard>) {
  const opening = await open()
  if (opening.kind !== 'ask' || opening.ask.kind !== 'adopt') throw new Error(opening.kind)
  await opening.ask.resolve()
  return readyAfter(opening.proceed)
}

const watered = (board: Board): Board => ({
  ...board,
  tasks: board.tasks.map((task) => (task.title === 'water' ? { ...task, done: true } : task)),
})

describe('a Markdown state file', () => {
  it('is adopted, saved with everything else in it as it was, and read again once per save', async () => {
    await withBoard(text, async (path, open) => {
      const store = await adopted(open)
      expect(await readFile(path, 'utf8')).toBe(text)
      reads = 0
      await store.saveImage(transition, watered(store.state as Board))
      expect(reads).toBe(1)
      expect(await readFile(path, 'utf8')).toBe(text.replace('- [ ] water', '- [x] water'))
      await store.close()
      const again = await open()
      expect(again.kind).toBe('ready')
      if (again.kind === 'ready') {
        expect(again.store.state?.tasks).toEqual([
          { done: true, title: 'sow' },
          { done: true, title: 'water' },
        ])
        await again.store.close()
      }
    })
  })

  it('rolls forward from the patch in the journal', async () => {
    await withBoard(text, async (path, open) => {
      const store = await adopted(open)
      await store.saveImage(transition, watered(store.state as Board))
      await store.close()
      const saved = await readFile(path, 'utf8')
      await writeFile(path, text)
      const again = await open()
      if (again.kind !== 'ready') throw new Error(again.kind)
      expect(await readFile(path, 'utf8')).toBe(saved)
      await again.store.close()
    })
  })

  it('that was edited is shown as text, and put back or accepted', async () => {
    await withBoard(text, async (path, open) => {
      await (await adopted(open)).close()
      await writeFile(path, text.replace('sow', 'sow deeply'))
      const opening = await open()
      if (opening.kind !== 'ask' || opening.ask.kind !== 'foreign-edit') throw new Error(opening.kind)
      expect(opening.ask.expectedText).toBe(text)
      expect(opening.ask.foundText).toContain('sow deeply')
      await opening.ask.resolve('restore')
      await (await readyAfter(opening.proceed)).close()
      expect(await readFile(path, 'utf8')).toBe(text)
    })
  })

  it('of a newer format is refused and left alone; what the codec warns of is said', async () => {
    await withBoard(text.replace('board 1', 'board 2'), async (path, open) => {
      await expect(open()).rejects.toMatchObject({ code: 'newer-version' })
      expect(await readFile(path, 'utf8')).toContain('board 2')
      await writeFile(path, `${text}- [ ] hidden\n`)
      const store = await adopted(open)
      expect(store.notices).toContain(
        'The state file, when it was opened: Tasks below the list are not read.',
      )
      await store.close()
    })
  })
})
