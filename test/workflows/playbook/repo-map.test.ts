import { expect, test } from 'vitest'
import { isMapped, isStale, readRepoMap, repoMapOf } from '../../../source/workflows/playbook/repo-map.js'

const made = { at: '2030-01-01T10:00:00Z', head: '4be1c09' }
const file = (path: string, text: string, hash = path) => ({ path, text, hash })

test('exports, imports, functions and classes are found in four languages', () => {
  const { files, summary } = repoMapOf(
    [
      file(
        'src/a.ts',
        `import { b } from './b.js'\nimport {\n  c,\n} from "c"\nexport const go = async (x: number) => b(x)\nexport function stay() {}\nfunction inner() {}\nexport class Box {}\nexport type T = 1\nconst fs = require('node:fs')\n`,
      ),
      file(
        'a.py',
        'from os import path\nimport sys\n\nclass Box:\n    def method(self): ...\n\ndef go(): ...\ndef _hidden(): ...\n',
      ),
      file('a.go', 'import (\n\t"fmt"\n)\n\nfunc Go() {}\nfunc (b *Box) stay() {}\ntype Box struct {}\n'),
      file('a.rs', 'use std::fs;\npub fn go() {}\nfn inner() {}\npub struct Box;\n'),
    ],
    made,
  )
  expect(files['src/a.ts']).toMatchObject({
    exports: ['go', 'stay', 'Box', 'T'],
    imports: ['./b.js', 'node:fs'],
    functions: ['stay', 'inner', 'go'],
    classes: ['Box'],
  })
  expect(files['a.py']).toMatchObject({
    exports: ['go', 'Box'],
    imports: ['os', 'sys'],
    functions: ['go', '_hidden'],
  })
  expect(files['a.go']).toMatchObject({ exports: ['Go', 'Box'], imports: ['fmt'], functions: ['Go', 'stay'] })
  expect(files['a.rs']).toMatchObject({ exports: ['go', 'Box'], imports: ['std::fs'], classes: ['Box'] })
  expect(summary).toEqual({ files: 4, exports: 10, functions: 9, classes: 4 })
})

test('an entry of the same content is kept, another is made anew, a file that is gone goes', () => {
  const before = repoMapOf(
    [file('a.ts', 'export const a = 1', '1'), file('b.ts', 'export const b = 1', '2')],
    made,
  )
  const after = repoMapOf([file('a.ts', 'not looked at', '1')], { ...made, head: 'next' }, before)
  expect(after.files).toEqual({ 'a.ts': before.files['a.ts'] })
  expect(repoMapOf([file('a.ts', 'export const z = 1', '9')], made, before).files['a.ts']?.exports).toEqual([
    'z',
  ])
})

test('a map of another commit is stale, and what is no map is none', () => {
  const map = repoMapOf([], made)
  expect(isStale(map, '4be1c09')).toBe(false)
  expect(isStale(map, 'other')).toBe(true)
  expect(isStale(undefined, null)).toBe(true)
  expect(readRepoMap(JSON.stringify(map))).toEqual(map)
  for (const text of [undefined, '{', '[]', '{"files": {}}']) expect(readRepoMap(text)).toBeUndefined()
})

test('sources are mapped, products and other files are not', () => {
  expect(['src/a.ts', 'a.vue', 'x/b.py'].every(isMapped)).toBe(true)
  expect(['readme.md', 'dist/a.js', 'x/node_modules/y/a.js', 'a'].some(isMapped)).toBe(false)
})

test('a long line does not take long', () => {
  const before = process.cpuUsage().user
  repoMapOf(
    [file('a.ts', `import ${'x,'.repeat(100_000)}`), file('b.ts', `export const ${'a'.repeat(200_000)}`)],
    made,
  )
  expect(process.cpuUsage().user - before).toBeLessThan(3_000_000)
})
