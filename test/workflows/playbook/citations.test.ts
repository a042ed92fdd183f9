import { expect, test } from 'vitest'
import { citationsOf } from '../../../source/workflows/playbook/steps/citations.js'

test.each<[string, [string, number][]]>([
  ['src/a.ts:12 -- read', [['src/a.ts', 12]]],
  ['half a book: prints 50 (source/progress.mjs:3)', [['source/progress.mjs', 3]]],
  [
    'parse(src/a.ts:7) and ./b.py:1',
    [
      ['src/a.ts', 7],
      ['b.py', 1],
    ],
  ],
  ['app/(auth)/login/[id]/page.tsx:4', [['app/(auth)/login/[id]/page.tsx', 4]]],
  ['`/work/app/src/a.ts:12-20`', [['work/app/src/a.ts', 12]]],
  ['http://localhost:3000/a.html:1 answers, 127.0.0.1:8080 too', []],
  ['looks done, 4:1', []],
  ['src/größe.rb:10', [['src/größe.rb', 10]]],
  [
    'src/таблица.ts:3 и 文件.md:2',
    [
      ['src/таблица.ts', 3],
      ['文件.md', 2],
    ],
  ],
  [
    '[...slug].tsx:8 and [read](src/a.ts:3)',
    [
      ['[...slug].tsx', 8],
      ['src/a.ts', 3],
    ],
  ],
  ['see [src/a.ts:3](x)', [['src/a.ts', 3]]],
  [
    'src/c++.h:3, a(1).ts:2',
    [
      ['src/c++.h', 3],
      ['a(1).ts', 2],
    ],
  ],
])('%s', (text, places) => {
  expect(citationsOf(text)).toEqual(places.map(([path, line]) => ({ path, line })))
})
