import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { secretShapes } from '../secrets/patterns.js'
import { largestFileBytes } from './git-list.js'
import { insideRoot } from './paths.js'

// What must not slip into a commit unseen (docs/durability.md, "Secrets in commits"). Values are never repeated.

export interface SecretHit {
  path: string
  /** What it looks like, such as `AWS access key` or `file name .env`. */
  kind: string
}

const suspiciousNames: RegExp[] = [
  /^\.env/,
  /\.pem$/,
  /\.p12$/,
  /^id_/,
  /^credentials/,
  /^\.npmrc$/,
  /^\.netrc$/,
  /\.tfstate$/,
  /^\.(?:pypirc|git-credentials|htpasswd|dockercfg)$/,
  /\.(?:jks|kdbx|ppk)$/,
  /^(?!debug\.).*\.keystore$/,
  /^master\.key$/,
]

/** Code and documents may speak of ids and credentials; what looks like a value in them is found as such. */
const spoken =
  /^(?:id_|credentials).*\.(?:[cm]?[jt]sx?|vue|svelte|astro|py|rb|go|rs|java|kts?|scala|cs|php|swift|dart|lua|exs?|clj|[ch](?:pp|c)?|sql|proto|graphql|html?|s?css|less|svg|png|mdx?|rst|adoc|snap)$/i

/** `id_ed25519.pub` is there to be handed out. */
const handedOut = /\.pub$/

/** Whether a file of that name usually holds a secret. */
export function suspiciousName(name: string): boolean {
  return !spoken.test(name) && !handedOut.test(name) && suspiciousNames.some((pattern) => pattern.test(name))
}

const secretPatterns: readonly { kind: string; pattern: RegExp }[] = [
  ...secretShapes.map(({ kind, source }) => ({ kind, pattern: new RegExp(source, 'g') })),
  { kind: 'private key', pattern: /-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY-----/g },
]

const armour = /-----BEGIN ([A-Z0-9 ]{1,60})-----/g

/** True for a text in armour that holds nothing but certificates and public keys, whatever its name. */
export function isPublicKey(text: string): boolean {
  const kinds = [...text.matchAll(armour)].map(([, kind = '']) => kind)
  const isPublic = (kind: string) => /\b(?:CERTIFICATE|PUBLIC KEY|CRL|DH PARAMETERS)\b/.test(kind)
  return kinds.length > 0 && kinds.every(isPublic) && secretKinds(text).length === 0
}

/** Values that documentation shows, such as `AKIAIOSFODNN7EXAMPLE`: they open nothing. */
const ofDocumentation = /EXAMPLE(?:KEY)?$/

/** Kinds of secrets that a text seems to hold, each once. */
export function secretKinds(text: string): string[] {
  return secretPatterns.filter(({ pattern }) => hasValue(text, pattern)).map(({ kind }) => kind)
}

function hasValue(text: string, pattern: RegExp): boolean {
  for (const [value] of text.matchAll(pattern)) if (!ofDocumentation.test(value)) return true
  return false
}

/** Everything in a text that looks like a secret, with its kind. For comparing: the values are shown to nobody. */
export function secretsIn(text: string): Map<string, string> {
  const found = new Map<string, string>()
  for (const { kind, pattern } of secretPatterns)
    for (const [value] of text.matchAll(pattern)) if (!ofDocumentation.test(value)) found.set(value, kind)
  return found
}

/** Looks at names and contents of files below `root`. Files too large for a commit are not opened. */
export async function scanForSecrets(root: string, paths: string[]): Promise<SecretHit[]> {
  const hits: SecretHit[] = []
  for (const path of paths) {
    const content = await readSmall(root, path)
    if (content === undefined) continue
    const name = basename(path)
    if (suspiciousName(name) && !isPublicKey(content)) hits.push({ path, kind: `file name ${name}` })
    for (const kind of secretKinds(content)) hits.push({ path, kind })
  }
  return hits
}

async function readSmall(root: string, path: string): Promise<string | undefined> {
  if (!insideRoot(root, path)) return undefined
  try {
    const file = await open(
      join(root, path),
      constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK,
    )
    try {
      const stats = await file.stat()
      if (!stats.isFile() || stats.size > largestFileBytes) return undefined
      return (await file.readFile()).toString('latin1')
    } finally {
      await file.close()
    }
  } catch {
    // Deleted or a link: there is no content that could be committed from here.
    return undefined
  }
}
