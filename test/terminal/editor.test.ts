import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { editorOf, runEditor } from '../../source/terminal/editor.js'
import { inTemporary } from '../support/temporary.js'

const path = process.env.PATH ?? ''

test('VISUAL is looked at before EDITOR, and a blank name is none', () => {
  expect(editorOf({ VISUAL: 'one', EDITOR: 'two' })).toBe('one')
  expect(editorOf({ VISUAL: ' ', EDITOR: 'two' })).toBe('two')
  expect(editorOf({ EDITOR: '' })).toBeUndefined()
})

test('an editor that is missing or fails is told with what it says of itself; one that was content is done', async () => {
  const end = (EDITOR: string | undefined) => runEditor('/nowhere', { PATH: path, EDITOR })
  expect(await end(undefined)).toEqual({ kind: 'missing' })
  expect(await end('true')).toEqual({ kind: 'done', changed: false })
  expect(await end('false')).toEqual({ kind: 'failed', why: 'it ended with code 1', changed: false })
  expect(await end('no-such-editor-here 2>/dev/null')).toEqual({
    kind: 'failed',
    why: 'there is no such program (code 127)',
    changed: false,
  })
  expect(await end('/dev/null 2>/dev/null')).toMatchObject({ why: 'it cannot be executed (code 126)' })
  expect(await end('sh -c "kill -TERM \\$\\$"')).toMatchObject({
    kind: 'failed',
    why: 'it was ended by SIGTERM',
  })
})

test('words of EDITOR are split, and a path stays one word, whatever is in it', async () => {
  await inTemporary('editor', async (root) => {
    const script = join(root, 'edit.sh')
    await writeFile(script, 'printf "%s|%s" "$1" "$2" > "$0.said"\n')
    await mkdir(join(root, 'a b; touch c'))
    const file = join(root, 'a b; touch c', '$(x) plan.md')
    expect(await runEditor(file, { PATH: path, EDITOR: `sh ${script} -w` })).toMatchObject({ kind: 'done' })
    expect(await readFile(`${script}.said`, 'utf8')).toBe(`-w|${file}`)
  })
})

test('a file that is another one than before is told as changed, also by an editor that failed', async () => {
  await inTemporary('editor', async (root) => {
    const file = join(root, 'plan.md')
    await writeFile(file, 'one\n')
    const end = (EDITOR: string) => runEditor(file, { PATH: path, EDITOR })
    expect(await end('touch')).toEqual({ kind: 'done', changed: false })
    expect(await end("sed -i.before 's/one/two/'")).toEqual({ kind: 'done', changed: true })
    expect(await end('sh -c \'echo 3 > "$0"; exit 3\'')).toMatchObject({ kind: 'failed', changed: true })
    expect(await end('rm')).toEqual({ kind: 'done', changed: true })
  })
})
