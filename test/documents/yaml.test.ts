import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { readRoadmap } from '../../source/documents/roadmap.js'
import { parseYaml, yamlDepthFault } from '../../source/documents/yaml.js'
import { parseFlowFile } from '../../source/workflows/lifecycle/flow/flow.js'
import { brokenData } from '../../source/workflows/playbook/criteria/document-checks.js'

const stairs = (depth: number) =>
  Array.from({ length: depth }, (_, at) => `${' '.repeat(at)}a:`)
    .join('\n')
    .concat(' 1\n')

describe('YAML that nests deeper than its parser can take', () => {
  const deep = {
    lists: '['.repeat(20_000),
    maps: '{a: '.repeat(5_000),
    'lists in one line': `${'- '.repeat(20_000)}a`,
    'keys in one line': '? '.repeat(20_000),
    'lists behind what only looks like their ends': '[ # ]\n'.repeat(5_000),
    'lists behind brackets in quotes': '["]", '.repeat(5_000),
    stairs: stairs(300),
    'lists in lists': Array.from({ length: 300 }, (_, at) => `${' '.repeat(2 * at)}-\n`).join(''),
  }

  it.each(Object.entries(deep))('is refused, with its line: %s', (_, text) => {
    expect(yamlDepthFault(text)?.fault).toBe('more than 100 lists and maps within each other')
    expect(() => parseYaml(text)).toThrow('more than 100 lists and maps within each other')
  })

  it('is told by every reader of it, in its own words', () => {
    const told = 'more than 100 lists and maps within each other'
    expect(readRoadmap(`---\na: ${deep.lists}\n---\n`)).toEqual({
      unreadable: `Its front matter is not YAML: line 1 has ${told}`,
    })
    expect(parseFlowFile(`x: 1\na: ${deep.lists}`)).toEqual({ lines: [`Line 2: ${told}`] })
    expect(brokenData('a.yaml', `x: 1\na: ${deep.lists}`)).toEqual([{ path: 'a.yaml', line: 2, fault: told }])
  })
})

describe('YAML as people write it', () => {
  const texts = {
    'a long list': '- a: 1\n  b: [1, 2]\n'.repeat(500),
    'a long list within a map': `a:\n${'- b\n'.repeat(500)}`,
    'brackets in text': `a: |\n  ${'['.repeat(500)}\nb: "${'['.repeat(500)}"\nc: x ${'['.repeat(300)}\n`,
    'brackets in a comment': `# ${'['.repeat(500)}\na: 1\n`,
    'a text whose lines go in and in': `a: |\n${Array.from({ length: 200 }, (_, at) => `${' '.repeat(at + 1)}b:\n`).join('')}`,
    'ninety levels': stairs(90),
    'many documents': '---\na:\n  - b\n'.repeat(1),
  }

  it.each(Object.entries(texts))('is read as its parser reads it: %s', (_, text) => {
    expect(yamlDepthFault(text)).toBeUndefined()
    expect(parseYaml(text)).toEqual(parse(text))
  })
})
