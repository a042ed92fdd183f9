import { join } from 'node:path'
import { readPlainText } from './snapshot/plain-read.js'

/** The scripts of a project by name; none where it has no manifest that can be read. */
export async function packageScripts(root: string): Promise<Record<string, unknown>> {
  return objectOf((await packageManifest(root)).scripts)
}

/** The package.json of a project; empty where there is none that can be read. */
export async function packageManifest(root: string): Promise<Record<string, unknown>> {
  try {
    return objectOf(JSON.parse(await readPlainText(join(root, 'package.json'))))
  } catch {
    return {}
  }
}

const objectOf = (value: unknown): Record<string, unknown> =>
  value !== null && typeof value === 'object' ? Object.fromEntries(Object.entries(value)) : {}
