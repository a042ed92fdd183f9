import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, test } from 'vitest'
import { parseFlowFile, readFlows, sourceText } from '../../../source/workflows/lifecycle/flow/flow.js'
import {
  matchesGlob,
  matchesPattern,
  patternProblem,
} from '../../../source/workflows/lifecycle/flow/patterns.js'
import { makeTemporary } from '../../support/temporary.js'

const own = `version: 1
maxAutoRetries: 1
flows:
  greenfield:
    steps:
      - {id: 9, name: Before, done: {row: true}}
      - {id: 9.5, name: Between, done: {exists: between.md}}
`

async function projectWith(files: Record<string, string>): Promise<string> {
  const root = await makeTemporary('flow')
  onTestFinished(() => rm(root, { recursive: true, force: true }))
  for (const [path, text] of Object.entries(files)) {
    await mkdir(join(root, path, '..'), { recursive: true })
    await writeFile(join(root, path), text)
  }
  return root
}

describe('flow files', () => {
  test('vector 14: a step 9.5 is read, and a broken file is told with its line', async () => {
    const root = await projectWith({ '_docs/_autopilot_flow.yaml': own })
    const { flows, broken } = await readFlows(root)
    expect(broken).toEqual([])
    expect(flows.flows.greenfield?.steps.map(({ id }) => id)).toEqual(['9', '9.5'])
    expect(flows.flows['existing-code']?.steps).toHaveLength(12)
    expect(flows.maxAutoRetries).toBe(1)
    expect([sourceText(flows, 'greenfield'), sourceText(flows, 'existing-code')]).toEqual([
      '_docs/_autopilot_flow.yaml',
      'built in',
    ])

    const bad = await projectWith({
      '_docs/_autopilot_flow.yaml': own.replace('{row: true}', '{sometimes: true}'),
    })
    const read = await readFlows(bad)
    expect(read.broken).toEqual([
      {
        path: '_docs/_autopilot_flow.yaml',
        lines: [expect.stringMatching(/^Line 6: flows\.greenfield\.steps\.0\.done: /)],
      },
    ])
    expect(read.flows.flows.greenfield?.steps).toHaveLength(10)
  })

  it('the file of the flag comes first, flow by flow; settings alone are allowed', async () => {
    const root = await projectWith({
      '_docs/_autopilot_flow.yaml': own,
      'mine.json': '{"version":1,"planDoneMarker":"loose","flows":{}}',
    })
    const { flows } = await readFlows(root, 'mine.json')
    expect(flows).toMatchObject({
      planDoneMarker: 'loose',
      maxAutoRetries: 1,
      sources: ['mine.json', '_docs/_autopilot_flow.yaml'],
    })
    expect((await readFlows(root, 'nowhere.yaml')).broken).toEqual([
      { path: 'nowhere.yaml', lines: ['It cannot be read (ENOENT).'] },
    ])
  })

  it.each([
    ['no YAML', 'version: [1', /^Line 1/],
    ['no version', 'flows: {}', /version/],
    ['an unknown key', 'version: 1\nspeed: 3\nflows: {}', /speed/],
    ['a path outside', 'version: 1\nstatePath: ../x.md\nflows: {}', /^Line 2: statePath: /],
    [
      'the same id twice',
      'version: 1\nflows: {a: {steps: [{id: 1, name: a, done: {row: true}}, {id: "1", name: b, done: {row: true}}]}}',
      /twice/,
    ],
    [
      'a pattern that may be slow',
      'version: 1\nflows: {a: {steps: [{id: 1, name: a, done: {contains: {file: x, pattern: "(a+)+"}}}]}}',
      /done/,
    ],
    [
      'more and more of itself',
      'a: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b]\nd: [*c,*c,*c,*c,*c,*c,*c,*c]',
      /./,
    ],
    [
      'a state file in the folder of git',
      'version: 1\nstatePath: .git/x.md\nflows: {}',
      /^Line 2: statePath: a Markdown file inside/,
    ],
    [
      'a path that has _docs/ in front, which would never be found',
      'version: 1\nflows: {a: {steps: [{id: 1, name: a, done: {exists: _docs/x.md}}]}}',
      /^Line 2: flows\.a\.steps\.0\.done\.exists: paths begin below _docs\//,
    ],
    [
      'folders parted by a backslash',
      'version: 1\nflows: {a: {steps: [{id: 1, name: a, done: {exists: "x\\\\y.md"}}]}}',
      /folders are parted by \//,
    ],
    [
      'a name of two lines',
      'version: 1\nflows: {a: {steps: [{id: 1, name: "a\\nb", done: {row: true}}]}}',
      /one line/,
    ],
    [
      'a blank id',
      'version: 1\nflows: {a: {steps: [{id: " ", name: a, done: {row: true}}]}}',
      /steps\.0\.id/,
    ],
    [
      'a way on to a step that there is not',
      'version: 1\nflows: {a: {afterDone: {flow: a, step: 9}, steps: [{id: 1, name: a, done: {row: true}}]}}',
      /^Line 2: flows\.a\.afterDone\.step: the flow a has no step 9/,
    ],
    [
      'a recommendation that is no option',
      'version: 1\nflows: {a: {steps: [{id: 1, name: a, done: {row: true}, gates: [{id: g, question: q, options: [x], recommend: y}]}]}}',
      /gates\.0\.recommend: it is none of the options/,
    ],
  ])('refuses %s', (_, text, said) => {
    const read = parseFlowFile(text)
    expect('lines' in read && read.lines.join('\n')).toMatch(said)
  })

  it('takes a way on to a flow of another file, a gate without options, and blanks around names', () => {
    const read = parseFlowFile(
      'version: 1\nflows: {a: {afterDone: {flow: existing-code, step: 7}, steps: [{id: " 1 ", name: " A ", done: {row: true}, gates: [{id: g, question: q, options: [], recommend: y}]}]}}',
    )
    expect('file' in read && read.file.flows.a?.steps[0]).toMatchObject({ id: '1', name: 'A' })
  })

  it('knows no flow that no file has, whatever it is called', async () => {
    const { flows } = await readFlows(await projectWith({ '_docs/a.md': 'a' }))
    for (const name of ['constructor', 'toString', '__proto__', 'hasOwnProperty'])
      expect(flows.flows[name], name).toBeUndefined()
    const own = await readFlows(
      await projectWith({
        '_docs/_autopilot_flow.yaml':
          'version: 1\nflows: {constructor: {steps: [{id: 1, name: a, done: {row: true}}]}}',
      }),
    )
    expect(own.flows.flows['constructor' as string]).toMatchObject({ steps: [{ id: '1' }] })
  })
})

describe('patterns', () => {
  it.each([
    ['a/*.md', 'a/b.md', true],
    ['a/*.md', 'a/b/c.md', false],
    ['a/**', 'a/b/c.md', true],
    ['a/', 'a/b', true],
    ['a/', 'a', false],
    ['**/x_*_y.md', 'x_1_y.md', true],
    ['**/x_*_y.md', 'p/q/x_1_2_y.md', true],
    ['a/?.md', 'a/bb.md', false],
    ['04/*/R.md', '04/x/R.md', true],
    ['02/{todo,done}/*.md', '02/done/a.md', true],
    ['02/{todo,done}/*.md', '02/backlog/a.md', false],
    ['{a,b}/{c,d}.md', 'b/c.md', true],
    ['x{y}.md', 'x{y}.md', true],
    ['x{,_2}.md', 'x.md', true],
    ['x{a', 'x{a', true],
  ])('glob %s on %s: %s', (glob, path, fits) => expect(matchesGlob(glob, path)).toBe(fits))

  it('takes plain patterns and none that could be slow', () => {
    for (const good of ['done', '^status: *done$', 'a|b', '\\d{4}-\\d{2}'])
      expect(patternProblem(good)).toBeUndefined()
    for (const bad of ['(a+)+', '(a)\\1', '(?=a)', 'a*b*', '(', 'a?a?a?a?a?a?a?', 'x'.repeat(201)])
      expect(patternProblem(bad)).toBeDefined()
    expect(matchesPattern('^done$', 'not\nDone\r\n')).toBe(true)
  })

  it('globs stay fast on hostile names', () => {
    expect(
      matchesGlob(`${'**/'.repeat(20)}${'*a'.repeat(40)}b`, `${'a/'.repeat(200)}${'a'.repeat(250)}`),
    ).toBe(false)
    expect(matchesGlob('{a,b}'.repeat(60), 'a'.repeat(60))).toBe(false)
  })
})
