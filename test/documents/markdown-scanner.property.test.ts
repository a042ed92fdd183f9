import fc from 'fast-check'
import type { Nodes } from 'mdast'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmTableFromMarkdown } from 'mdast-util-gfm-table'
import { gfmTable } from 'micromark-extension-gfm-table'
import { describe, expect, it } from 'vitest'
import type { Block } from '../../source/documents/markdown-blocks.js'
import { scanMarkdown } from '../../source/documents/markdown-scanner.js'

// mdast, slow and exact, says what the blocks of a text are; the scanner has to say the same, to the character.

const names: Record<string, string> = { blockquote: 'quote', listItem: 'item', thematicBreak: 'rule' }
const blocks = new Set([
  'heading',
  'paragraph',
  'blockquote',
  'list',
  'listItem',
  'code',
  'html',
  'table',
  'thematicBreak',
])

function ofMdast(text: string): string[] {
  const tree = fromMarkdown(text, { extensions: [gfmTable()], mdastExtensions: [gfmTableFromMarkdown()] })
  const found: string[] = []
  const walk = (node: Nodes, quoted: boolean) => {
    const { position } = node
    // HTML stands in paragraphs too; only blocks of it count.
    if (position !== undefined && blocks.has(node.type)) {
      const said: (string | number | undefined)[] = [
        names[node.type] ?? node.type,
        position.start.line,
        position.start.offset,
      ]
      // mdast lets what stands in a quote end behind the mark of the next line, which is not in it.
      const loose = quoted && ['list', 'listItem', 'blockquote'].includes(node.type)
      if (!loose) said.push(position.end.line, position.end.offset)
      if (node.type === 'heading') said.push(node.depth)
      if (node.type === 'list') said.push(String(node.ordered ?? false))
      if (node.type === 'table')
        said.push(...node.children.map((row) => `${row.position?.start.line}:${row.children.length}`))
      found.push(said.join(' '))
    }
    if ('children' in node && node.type !== 'paragraph' && node.type !== 'heading' && node.type !== 'table')
      for (const child of node.children) walk(child, quoted || node.type === 'blockquote')
  }
  walk(tree, false)
  return found
}

function nameOf(block: Block): string {
  if (block.kind === 'fence') return 'code'
  return block.kind === 'comment' ? 'html' : block.kind
}

function ofScanner(text: string): string[] {
  return scanMarkdown(text).blocks.map((block) => {
    const said: (string | number)[] = [nameOf(block), block.line, block.start]
    const loose = block.quotes > 0 && ['list', 'item', 'quote'].includes(block.kind)
    if (!loose) said.push(block.endLine, block.end)
    if (block.kind === 'heading') said.push(block.level)
    if (block.kind === 'list') said.push(String(block.ordered))
    if (block.kind === 'table')
      said.push(
        `${block.line}:${block.head.length}`,
        ...block.rows.map((row) => `${row.line}:${row.cells.length}`),
      )
    return said.join(' ')
  })
}

const word = fc.constantFrom('a', 'bc', 'Phase 1: x', '`code`', '*em*', 'x | y', '1986', 'end.')
const inline = fc.array(word, { minLength: 1, maxLength: 3 }).map((words) => words.join(' '))
const fragment = fc.oneof(
  inline,
  fc.array(inline, { minLength: 2, maxLength: 3 }).map((lines) => lines.join('\n')),
  fc.tuple(fc.integer({ min: 1, max: 7 }), inline).map(([level, text]) => `${'#'.repeat(level)} ${text}`),
  fc.tuple(inline, fc.constantFrom('===', '---', '  --', '=')).map(([text, line]) => `${text}\n${line}`),
  fc.constantFrom('#', '## x ##', '### y #z#', '#\tt', '   # i', '#no', '## \\#'),
  fc.constantFrom('---', '***', '- - -', '_ _ _', '--', '**'),
  fc
    .tuple(fc.constantFrom('```', '````', '~~~'), inline)
    .map(([mark, text]) => `${mark}js\n# ${text}\n\n- x\n${mark}`),
  fc.constantFrom('q\n\nw\n\n    code\n\n      more', 'q\n\n\tcode', 'para\n    x'),
  inline.map((text) => `<!-- ${text} -->`),
  inline.map((text) => `<!--\n# ${text}\n\n- y\n--> z`),
  fc.constantFrom(
    '<div>\nx\n</div>\n',
    '<details>\n<summary>s</summary>\n',
    '</details>\n',
    'q\n<b>x</b>',
    'q\n\n<a id="x">\n',
    '<pre>\n\nx\n</pre>',
    '<!X\n>',
    '<?p\n?>',
    '<i\n>',
  ),
  fc.tuple(inline, inline).map(([one, two]) => `- ${one}\n- ${two}`),
  // mdast takes an empty item, or one that does not count from 1, for text right behind indented code.
  fc.constantFrom('-\n\nw', '- \n  x', '*\nw', '3) c', '10. x\n\n    y').map((text) => `q\n\n${text}`),
  fc.constantFrom(
    '1. a\n2. b',
    '- a\n\n  b',
    '-     code',
    '- [x] done',
    '+ a\n  - b\n    1. c',
    '- # h',
    '1.\tx',
  ),
  fc.constantFrom(
    '| a | b |\n|---|:-:|\n| 1 | 2 |\n',
    'a | b\n:- | -:\nc\n',
    '| a |\n| - |\n| \\| |\n',
    '|a|b|\n|-|\n',
    'text\n| a | b |\n| --- | --- |\n| 1 |\n| 1 | 2 | 3 |\n',
    '|a|\n|-|\n|1|\n# h',
    '|a|\n|-|\n|1|\n> h',
    '|a|\n|-|\n|1|\n- h',
    '|a|\n|-|\n|1|\n    code',
    '|a|\n|-|\n|1|\n<!-- h -->',
  ),
  fc.constantFrom('> a\nlazy', '>', '> # h\n> > b', '> - x\n>   y', '>\ta'),
)
const indents = fc.constantFrom('', '', '', ' ', '  ', '   ')
const quoted = (text: string) =>
  text
    .split('\n')
    .map((line) => `> ${line}`)
    .join('\n')
const inItem = (text: string) =>
  text
    .split('\n')
    .map((line, at) => (at === 0 ? `- ${line}` : line === '' ? '' : `  ${line}`))
    .join('\n')
const placed = fc.oneof(
  { weight: 6, arbitrary: fragment },
  {
    weight: 1,
    arbitrary: fc.tuple(indents, fragment).map(([indent, text]) =>
      text
        .split('\n')
        .map((line) => indent + line)
        .join('\n'),
    ),
  },
  { weight: 1, arbitrary: fragment.map(quoted) },
  { weight: 1, arbitrary: fragment.map(inItem) },
  { weight: 1, arbitrary: fragment.map(inItem).map(quoted) },
  { weight: 1, arbitrary: fragment.map(quoted).map(inItem) },
)
const documents = fc
  .array(fc.tuple(placed, fc.constantFrom('\n', '\n\n', '\n\n', '\n\n\n', '\n  \n')), { maxLength: 10 })
  .chain((parts) =>
    fc.constantFrom('\n', '\r\n').map((ending) => `t\n\n${parts.flat().join('')}`.replaceAll('\n', ending)),
  )

describe('the scanner', () => {
  it('finds the blocks that mdast finds, to the character', () => {
    fc.assert(
      fc.property(documents, (text) => {
        expect(ofScanner(text)).toEqual(ofMdast(text))
      }),
      { numRuns: Number(process.env.RUNS ?? 1500) },
    )
  })
})
