// Comments tell where a rule comes from, by a page of docs/ and the name of a heading in quotes. A citation has to lead somewhere, for everybody
// who has the repository: the page exists and has that heading. Other documents are not cited. Links between the pages
// are held too.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = process.argv[2] ?? dirname(dirname(fileURLToPath(import.meta.url)))

/** Files below a folder whose names end in one of `endings`, repo-relative. */
function filesBelow(folder, endings) {
  if (!existsSync(join(root, folder))) return []
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = posix.join(folder, entry.name)
    if (entry.isDirectory()) {
      return ['fixtures', 'node_modules'].includes(entry.name) ? [] : filesBelow(path, endings)
    }
    return endings.some((ending) => entry.name.endsWith(ending)) ? [path] : []
  })
}

/** Headings of a page, without marks: `## State file` is "State file". Fenced lines are none. */
function headingsOf(text) {
  let fenced = false
  const headings = []
  for (const line of text.split('\n')) {
    if (/^\s*(```|~~~)/.test(line)) fenced = !fenced
    else if (!fenced && /^#{1,6} /.test(line))
      headings.push(line.replace(/^#+ /, '').replaceAll('`', '').trim())
  }
  return headings
}

const anchorOf = (heading) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')

const pages = new Map(
  [
    ...filesBelow('docs', ['.md']),
    ...['readme.md', 'contributing.md', 'security.md'].filter((page) => existsSync(join(root, page))),
  ].map((page) => [page, headingsOf(readFileSync(join(root, page), 'utf8'))]),
)

/** Comments of a source text with the line each begins on; lines of one block are joined. */
function commentsOf(text) {
  const comments = []
  let block
  text.split('\n').forEach((line, index) => {
    const comment =
      /^\s*(?:\/\/|\/\*\*?|\*(?!\/))(.*)$/.exec(line) ?? /(?:^|[\s;{})])\/[/*]\*?(.*)$/.exec(line)
    if (!comment) {
      block = undefined
      return
    }
    const words = comment[1].replace(/\*\/.*$/, '').trim()
    if (block) {
      block.text += ` ${words}`
      return
    }
    block = { line: index + 1, text: words }
    comments.push(block)
  })
  return comments
}

const problems = []

for (const file of ['source', 'test', 'bench', 'scripts', 'bin'].flatMap((folder) =>
  filesBelow(folder, ['.ts', '.tsx', '.js', '.mjs']),
)) {
  for (const { line, text } of commentsOf(readFileSync(join(root, file), 'utf8'))) {
    const found = []
    const say = (what) => found.push(`${file}:${line}  ${what}`)
    // Every quoted name that follows the page directly.
    for (const [, page, names] of text.matchAll(/\b(docs\/[\w/-]+\.md)((?:(?:,| and|;)? "[^"]+")*)/g)) {
      if (!pages.has(page)) {
        if (page.startsWith('docs/changes/') || page.startsWith('docs/plans/') || page === 'docs/roadmap.md')
          continue
        say(`cites ${page}, which is not there`)
        continue
      }
      for (const [, heading] of names.matchAll(/"([^"]+)"/g)) {
        if (!pages.get(page).includes(heading)) say(`cites "${heading}", which ${page} does not have`)
      }
    }
    for (const [, page] of text.matchAll(
      /(?<![\w/-])((?:harness|playbook|lifecycle|dispatch|evidence|agents|reliability|durability|terminal|design|architecture)\.md)/g,
    )) {
      say(`cites ${page}; pages are cited as docs/<page>.md, "<heading>"`)
    }
    if (found.length === 0 && /\bsections? \d+(\.\d+)?\b/i.test(text))
      say('cites a section by number; cite a page and its heading')
    problems.push(...found)
  }
}

for (const page of pages.keys()) {
  const text = readFileSync(join(root, page), 'utf8')
    .replace(/^(```|~~~)[\s\S]*?^\1/gm, '')
    .replace(/`[^`\n]*`/g, '')
  for (const [, target] of text.matchAll(/\]\(([^)\s]+)\)/g)) {
    if (/^[a-z]+:/.test(target)) continue
    const [path, anchor] = target.split('#')
    const to = path === '' ? page : posix.join(posix.dirname(page), path)
    if (!existsSync(join(root, to))) problems.push(`${page}  links to ${to}, which is not there`)
    else if (anchor && !(pages.get(to) ?? []).map(anchorOf).includes(anchor)) {
      problems.push(`${page}  links to ${to}#${anchor}, which is not there`)
    }
  }
}

for (const problem of problems) process.stdout.write(`${problem}\n`)
process.stdout.write(`${problems.length} citations that lead nowhere\n`)
process.exitCode = problems.length > 0 ? 1 : 0
