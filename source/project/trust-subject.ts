import { realpath } from 'node:fs/promises'
import { resolve } from 'node:path'
import { splitArgv } from '../processes/split-argv.js'
import { programItems, scriptsOf } from './trust-commands.js'
import { gitItems } from './trust-git.js'
import { fileItem, hashOfItems, itemsOf, type TrustItem, textItem } from './trust-items.js'

// What would be executed in a project, read without executing anything (docs/durability.md, "Trust").

export interface TrustSubject {
  /** Real path of the project. */
  root: string
  /** Changes when anything that can execute changes. */
  hash: string
  items: TrustItem[]
}

export interface TrustRequest {
  root: string
  agentLabel: string
  /** Empty for an agent that is part of autopilot. */
  agentArgv: string[]
  validateArgv?: string[]
  /** Anything else that would be started, such as the agents of single personas. */
  commands?: { label: string; argv: string[] }[]
  /** Absolute, or relative to the root: settings of the project that choose what runs. */
  configFiles?: string[]
  /** Settings of the user that widen what agents may do, each with its value. */
  settings?: readonly { label: string; detail: string }[]
  /** Names of programs that are started besides; one that appears before it on PATH is a change. */
  programs?: readonly string[]
}

/** Collects everything of a project that can execute. No program is started, no git is asked. */
export async function trustSubject(request: TrustRequest): Promise<TrustSubject> {
  const root = await realpath(request.root)
  const items: TrustItem[] = []
  const agent = withoutCommand(request.agentLabel, request.agentArgv)
  items.push(textItem('agent', `Agent ${agent}`, shown(request.agentArgv)))
  items.push(...(await scriptsOf(root, request.agentArgv)))
  if (request.validateArgv && request.validateArgv.length > 0) {
    items.push(textItem('validate', 'Validate command', shown(request.validateArgv)))
    items.push(...(await scriptsOf(root, request.validateArgv)))
  }
  for (const command of request.commands ?? []) {
    items.push(textItem('command', withoutCommand(command.label, command.argv), shown(command.argv)))
    items.push(...(await scriptsOf(root, command.argv)))
  }
  for (const file of request.configFiles ?? []) {
    const item = await fileItem(root, 'config', 'Project settings', resolve(root, file))
    if (item) items.push(item)
  }
  for (const { label, detail } of request.settings ?? [])
    items.push(textItem('settings', `Your setting ${label}`, detail))
  for (const name of request.programs ?? []) items.push(...(await programItems(root, name)))
  items.push(...(await gitItems(root)))
  const known = unique(items)
  return { root, hash: hashOfItems(root, itemsOf({ items: known })), items: known }
}

function unique(items: TrustItem[]): TrustItem[] {
  const seen = new Map(items.map((item) => [JSON.stringify([item.kind, item.label, item.detail]), item]))
  return [...seen.values()]
}

/** Paths of the files among what was looked at, absolute: what nobody may change unasked. */
export function trustedFiles(subject: TrustSubject): string[] {
  const kinds: readonly TrustItem['kind'][] = ['program', 'script', 'config', 'hook']
  return subject.items
    .filter((item) => kinds.includes(item.kind) && item.isFile === true)
    .map((item) => resolve(subject.root, item.detail))
}

/** Labels such as `command: node agent.js` have the command as it was typed, which is shown once: as the detail. */
function withoutCommand(label: string, argv: string[]): string {
  const colon = label.indexOf(': ')
  if (colon === -1 || argv.length === 0) return label
  const typed = label.slice(colon + 2)
  return typed === shown(argv) || isTyped(typed, argv) ? label.slice(0, colon) : label
}

function isTyped(text: string, argv: string[]): boolean {
  try {
    return JSON.stringify(splitArgv(text)) === JSON.stringify(argv)
  } catch {
    // A label need not be a command line.
    return false
  }
}

function shown(argv: string[]): string {
  if (argv.length === 0) return 'part of autopilot'
  return argv.map((word) => (/^[\w@%+=:,./~-]+$/.test(word) ? word : JSON.stringify(word))).join(' ')
}
