import { lies } from '../../evidence/ground.js'

// New files that nothing refers to.

/** Files that stand alone by their nature, by their paths. */
const standalone: readonly RegExp[] = [
  // Entry points.
  /(?:^|\/)(?:index|main|app|cli|server|__init__|__main__|mod|lib|manage|setup|conftest)\.[a-z]+$/i,
  // Settings.
  /\.(?:json|jsonc|json5|ya?ml|toml|ini|cfg|conf|env|lock|properties|xml)$/i,
  /\.config\.[a-z]+$/i,
  /(?:^|\/)\.[^/]+$/,
  /(?:^|\/)(?:Makefile|Dockerfile|Procfile|Gemfile|Rakefile|LICENSE|NOTICE|CODEOWNERS)[^/]*$/i,
  // Tests.
  /\.(?:test|spec)\.[a-z]+$/i,
  /(?:^|\/)(?:__tests__|__mocks__|tests?|spec|fixtures|e2e)\//i,
  /(?:^|\/)test_[^/]+$|_test\.[a-z]+$/i,
  // Scripts, declarations, documents.
  /(?:^|\/)(?:bin|scripts?|migrations)\//i,
  /\.d\.[cm]?ts$/i,
  /\.(?:md|mdx|markdown|rst|txt|adoc|sh)$/i,
]

export function isStandalone(path: string): boolean {
  return standalone.some((pattern) => pattern.test(path))
}

/** The word by which others would refer to a file: its name without the last ending. */
export function referenceWord(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1)
  const dot = name.lastIndexOf('.')
  return dot > 0 ? name.slice(0, dot) : name
}

export interface WireCheckFacts {
  /** Repo-relative paths that the phase added. */
  added: readonly string[]
  /** Files that hold a word, the one itself among them. */
  filesWith(word: string): Promise<readonly string[]>
  /** The log of the phase, in which a task may say why a file stands alone. */
  log: string
}

export interface WireCheck {
  path: string
  status: 'referenced' | 'standalone' | 'justified' | 'orphaned'
}

/** How each added file is connected to the rest. */
export async function checkWires({ added, filesWith, log }: WireCheckFacts): Promise<WireCheck[]> {
  const checks: WireCheck[] = []
  for (const path of added) {
    if (isStandalone(path)) checks.push({ path, status: 'standalone' })
    else {
      const others = (await filesWith(referenceWord(path))).filter((file) => file !== path && !isRecord(file))
      const status = others.length > 0 ? 'referenced' : isJustified(path, log) ? 'justified' : 'orphaned'
      checks.push({ path, status })
    }
  }
  return checks
}

/** Plans and reports name files without using them. */
function isRecord(path: string): boolean {
  return lies(path, ['.planning/', '.autopilot/'])
}

/** A line of the log that names the file and says that it stands alone. */
function isJustified(path: string, log: string): boolean {
  return log
    .split('\n')
    .some((line) => line.includes(path) && /standalone|stands? alone|entry point|no import/i.test(line))
}

export function orphanLine(path: string): string {
  return `ORPHANED FILE: ${path}`
}
