import ts from 'typescript'

// Finds regular expressions that may take more than linear time: unbounded quantifiers that are nested, or adjacent
// and able to match the same characters, and unbounded beginnings of patterns that are tried at every place.

/** A regular expression as it stands in a source file. */
export interface Pattern {
  line: number
  source: string
  flags: string
}

/** Every literal of a file, and every `new RegExp` of fixed text; `${…}` stands for one character of any kind. */
export function patternsIn(fileName: string, text: string): Pattern[] {
  const file = ts.createSourceFile(fileName, text, ts.ScriptTarget.Latest, true)
  const found: Pattern[] = []
  const add = (node: ts.Node, source: string, flags: string) =>
    found.push({ line: file.getLineAndCharacterOfPosition(node.getStart()).line + 1, source, flags })
  const visit = (node: ts.Node) => {
    if (ts.isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf('/')
      add(node, node.text.slice(1, end), node.text.slice(end + 1))
    } else if (ts.isNewExpression(node) && node.expression.getText() === 'RegExp') {
      const [source, flags] = node.arguments ?? []
      const fixed = source === undefined ? undefined : fixedText(source)
      const said = flags === undefined ? '' : fixedText(flags)
      if (fixed !== undefined) add(node, fixed, said ?? '')
    }
    ts.forEachChild(node, visit)
  }
  visit(file)
  return found
}

function fixedText(node: ts.Expression): string | undefined {
  if (ts.isStringLiteralLike(node)) return node.text
  const raw = ts.isTaggedTemplateExpression(node)
  const template = raw ? node.template : node
  if (ts.isNoSubstitutionTemplateLiteral(template)) return raw ? (template.rawText ?? '') : template.text
  if (!ts.isTemplateExpression(template)) return undefined
  const part = (piece: ts.TemplateLiteralLikeNode) => (raw ? (piece.rawText ?? '') : piece.text)
  return part(template.head) + template.templateSpans.map((span) => `(?:ab)${part(span.literal)}`).join('')
}

/** Which of some sample characters a part can match. */
type Characters = boolean[]

type Node =
  | { kind: 'atom'; characters: Characters }
  | { kind: 'empty'; anchor: boolean }
  | { kind: 'group'; branches: Node[][]; empty: boolean }
  | { kind: 'repeat'; inner: Node; min: number; unbounded: boolean }

const samples = [
  ...Array.from({ length: 128 }, (_, code) => String.fromCharCode(code)),
  ...'\u00a0éßЖ中—–…✅\u200d\u2028\ufeff\uff1a\ue000\u0300٣',
]

/** What may be super-linear in a pattern, in words; empty where nothing is. */
export function superLinearIn({ source, flags }: Pick<Pattern, 'source' | 'flags'>): string[] {
  const branches = parse(source, flags)
  const said = new Set<string>()
  for (const branch of branches) checkSequence(branch, said)
  if (!flags.includes('y')) for (const branch of branches) checkStart(branch, said)
  return [...said]
}

function parse(source: string, flags: string): Node[][] {
  const reader = { source, at: 0, flags: flags.replace(/[gymd]/g, '') }
  const branches = readBranches(reader)
  if (reader.at < source.length) throw new Error(`cannot read ${source} at ${reader.at}`)
  return branches
}

interface Reader {
  source: string
  at: number
  flags: string
}

function readBranches(reader: Reader): Node[][] {
  const branches: Node[][] = [[]]
  while (reader.at < reader.source.length && reader.source[reader.at] !== ')') {
    if (reader.source[reader.at] === '|') {
      reader.at += 1
      branches.push([])
    } else branches[branches.length - 1]?.push(readQuantified(reader))
  }
  return branches
}

function readQuantified(reader: Reader): Node {
  const inner = readOne(reader)
  const match = /^(?:([*+?])|\{(\d+)(,?)(\d*)\})\??/.exec(reader.source.slice(reader.at))
  if (match === null) return inner
  reader.at += match[0].length
  const min = match[1] === '+' ? 1 : match[1] !== undefined ? 0 : Number(match[2])
  const unbounded = match[1] === '*' || match[1] === '+' || (match[3] === ',' && match[4] === '')
  return { kind: 'repeat', inner, min, unbounded }
}

function readOne(reader: Reader): Node {
  const { source, at } = reader
  const open = /^\((?:\?(?:<?[=!]|:|<\w+>))?/.exec(source.slice(at))
  if (open !== null) {
    reader.at += open[0].length
    const branches = readBranches(reader)
    reader.at += 1
    return { kind: 'group', branches, empty: /[=!]$/.test(open[0]) }
  }
  const atom =
    /^(?:\\[pP]\{[^}]*\}|\\u\{[^}]*\}|\\u[\da-fA-F]{4}|\\x[\da-fA-F]{2}|\\k<\w+>|\\.|\[(?:\\.|[^\]\\])*\]|[\s\S])/su.exec(
      source.slice(at),
    )?.[0]
  if (atom === undefined) throw new Error(`cannot read ${source} at ${at}`)
  reader.at += atom.length
  if (atom === '^' || atom === '$' || atom === '\\b' || atom === '\\B')
    return { kind: 'empty', anchor: atom === '^' }
  const one = new RegExp(`^(?:${atom})$`, reader.flags)
  return { kind: 'atom', characters: samples.map((sample) => one.test(sample)) }
}

function meets(one: Characters, other: Characters): boolean {
  return one.some((matched, at) => matched && other[at] === true)
}

function union(all: Characters[]): Characters {
  return samples.map((_, at) => all.some((one) => one[at] === true))
}

/** The characters that a part can begin with. */
function firstOf(node: Node): Characters {
  if (node.kind === 'atom') return node.characters
  if (node.kind === 'repeat') return firstOf(node.inner)
  if (node.kind === 'empty' || node.empty) return samples.map(() => false)
  return union(
    node.branches.map((branch) => {
      const end = branch.findIndex((each) => !nullable(each))
      return union((end === -1 ? branch : branch.slice(0, end + 1)).map(firstOf))
    }),
  )
}

/** All characters that a part can take, and whether it can take none. */
function charactersOf(node: Node): Characters {
  if (node.kind === 'atom') return node.characters
  if (node.kind === 'repeat') return charactersOf(node.inner)
  if (node.kind === 'empty' || node.empty) return samples.map(() => false)
  return union(node.branches.flat().map(charactersOf))
}

function nullable(node: Node): boolean {
  if (node.kind === 'atom') return false
  if (node.kind === 'repeat') return node.min === 0 || nullable(node.inner)
  return node.kind === 'empty' || node.empty || node.branches.some((branch) => branch.every(nullable))
}

/** The unbounded repeats in a part, outermost first. */
function loopsIn(node: Node): Node[] {
  if (node.kind === 'repeat') return node.unbounded ? [node] : loopsIn(node.inner)
  return node.kind === 'group' ? node.branches.flat().flatMap(loopsIn) : []
}

/** Each branch of a repeated group begins with something that no loop in it can take, so that rounds cannot be cut anew. */
function delimited(branch: Node[]): boolean {
  const first = branch.find((node) => node.kind !== 'empty')
  if (first === undefined || nullable(first) || loopsIn(first).length > 0) return false
  return branch.flatMap(loopsIn).every((loop) => !meets(charactersOf(first), charactersOf(loop)))
}

function checkSequence(sequence: Node[], said: Set<string>): void {
  sequence.forEach((node, at) => {
    checkInside(node, said)
    for (const loop of trailingLoops(node)) {
      for (let next = at + 1; next < sequence.length; next += 1) {
        const other = sequence[next] as Node
        if (leadingLoops(other).some((each) => meets(charactersOf(loop), firstOf(each)))) said.add('adjacent')
        if (!nullable(other)) break
      }
    }
  })
}

function checkInside(node: Node, said: Set<string>): void {
  if (node.kind === 'group') for (const branch of node.branches) checkSequence(branch, said)
  if (node.kind !== 'repeat') return
  checkInside(node.inner, said)
  if (!node.unbounded || node.inner.kind !== 'group') return
  for (const branch of node.inner.branches)
    if (branch.some((each) => loopsIn(each).length > 0) && !delimited(branch)) said.add('nested')
}

/** Loops that may be the last thing a part takes. */
function trailingLoops(node: Node): Node[] {
  if (node.kind === 'repeat') return node.unbounded ? [node] : trailingLoops(node.inner)
  if (node.kind !== 'group' || node.empty) return []
  return node.branches.flatMap((branch) => edge([...branch].reverse(), trailingLoops))
}

function leadingLoops(node: Node): Node[] {
  if (node.kind === 'repeat') return node.unbounded ? [node] : leadingLoops(node.inner)
  if (node.kind !== 'group' || node.empty) return []
  return node.branches.flatMap((branch) => edge(branch, leadingLoops))
}

function edge(branch: Node[], loops: (node: Node) => Node[]): Node[] {
  const found: Node[] = []
  for (const node of branch) {
    found.push(...loops(node))
    if (!nullable(node)) break
  }
  return found
}

/** A pattern that is tried at every place and begins with a loop takes all of a long run at each of its places. */
function checkStart(sequence: Node[], said: Set<string>): void {
  for (const [at, node] of sequence.entries()) {
    if (node.kind === 'empty' && node.anchor) return
    const rest = sequence.slice(at + 1)
    const mayFail = rest.some((each) => !nullable(each) || each.kind === 'empty')
    if (leadingLoops(node).length > 0 && mayFail) said.add('unanchored')
    if (!nullable(node)) return
  }
}
