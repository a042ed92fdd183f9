import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

// What the journals below a folder say about questions. A question is on disk before it is shown, and its answer before it
// leaves the screen (docs/durability.md).

interface Fact {
  type: 'asked' | 'answered'
  id: string
  gate?: string
}

const passed = new Set(['.git', 'node_modules', 'archive', 'logs', 'dispatches'])
const deepest = 6

/** The journals of all sessions below `folder`. */
async function journalsBelow(folder: string, depth = 0): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
  const found = entries.filter((entry) => entry.isFile() && entry.name === 'journal.jsonl')
  const folders = entries.filter((entry) => entry.isDirectory() && !passed.has(entry.name))
  const below = depth < deepest ? folders.map(({ name }) => journalsBelow(join(folder, name), depth + 1)) : []
  return [...found.map(({ name }) => join(folder, name)), ...(await Promise.all(below)).flat()]
}

function factOf(line: string): Fact[] {
  if (!/"type":"(?:asked|answered)"/.test(line)) return []
  const record = JSON.parse(line)
  if (record.type === 'asked') return [{ type: 'asked', id: record.question.id, gate: record.question.gate }]
  return record.type === 'answered' ? [{ type: 'answered', id: record.questionId }] : []
}

async function factsBelow(folder: string): Promise<Fact[]> {
  const texts = await Promise.all(
    (await journalsBelow(folder)).map((path) => readFile(path, 'utf8').catch(() => '')),
  )
  // A line that is still being written has no end yet.
  return texts.flatMap((text) => text.split('\n').slice(0, -1).flatMap(factOf))
}

/** The id of the question of this gate that was asked last and is not answered; undefined for none. */
export async function openOf(folder: string | undefined, gate: string): Promise<string | undefined> {
  const facts = folder === undefined ? [] : await factsBelow(folder)
  const last = new Map(facts.map((fact) => [fact.id, fact]))
  return [...last.values()].reverse().find((fact) => fact.type === 'asked' && fact.gate === gate)?.id
}

/** How often a question was asked and answered: this grows with its answer, and when something else is asked under its id. */
export async function countOf(folder: string | undefined, id: string): Promise<number> {
  const facts = folder === undefined ? [] : await factsBelow(folder)
  return facts.filter((fact) => fact.id === id).length
}
