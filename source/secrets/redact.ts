/** Shown in place of a secret. */
export const redacted = '[redacted]'

const patterns = [
  'AKIA[0-9A-Z]{16}',
  'gh[pousr]_[A-Za-z0-9]{20,}',
  'github_pat_[A-Za-z0-9_]{20,}',
  'sk-[A-Za-z0-9_-]{16,}',
  'xox[abeoprs]-[A-Za-z0-9-]{10,}',
  'AIza[0-9A-Za-z_-]{30,}',
  'eyJ[A-Za-z0-9_-]{8,}\\.eyJ[A-Za-z0-9_-]{8,}\\.[A-Za-z0-9_-]{8,}',
  '-----BEGIN [A-Z ]*PRIVATE KEY-----.*?-----END [A-Z ]*PRIVATE KEY-----',
]
const keyBegin = /-----BEGIN [A-Z ]*PRIVATE KEY-----/
/** Lines after which a key that never ends is taken for something else. */
const longestKey = 200
const keyEnd = /-----END [A-Z ]*PRIVATE KEY-----/

const secretName = /TOKEN|SECRET|KEY|PASS|CREDENTIAL|AUTH|COOKIE|PRIVATE|DSN|DATABASE_URL/i
const harmlessName =
  /^(PWD|OLDPWD|HOME|USER|LOGNAME|SHELL|HOSTNAME|LANG|LC_\w+|TERM\w*|COLORTERM|EDITOR|VISUAL|PAGER|LS_COLORS|DISPLAY|XDG_\w+|DBUS_\w+|SSH_(CONNECTION|CLIENT|TTY|AUTH_SOCK)|npm_\w+|NODE\w*|VITEST\w*)$/

/**
 * Values that must not be written to a log: of variables that are kept from agents, and of those with a secret's name
 * (docs/durability.md, "Paths and environment"). Paths and well-known harmless variables are left out, as they
 * would blank the log.
 */
export function secretValues(
  environment: Record<string, string | undefined>,
  passedOn: Record<string, string>,
): string[] {
  const values = new Set<string>()
  for (const [name, value] of [...Object.entries(environment), ...Object.entries(passedOn)]) {
    if (value === undefined || value.length < 8 || harmlessName.test(name)) continue
    const named = secretName.test(name)
    const dropped = passedOn[name] === undefined && !value.startsWith('/')
    if (named || dropped) values.add(value)
  }
  return [...values].sort((a, b) => b.length - a.length)
}

/** Hides secrets line by line; a private key over several lines is hidden as a whole. One redactor per stream. */
export type Redactor = (line: string) => string

/** @param values exact texts to hide, besides the known patterns of keys */
export function createRedactor(values: readonly string[]): Redactor {
  const exact = values.filter((value) => value.length >= 8).map(escapePattern)
  const all = new RegExp([...exact, ...patterns].join('|'), 'gs')
  let keyLines = 0
  return (line) => {
    if (keyLines > 0 && keyLines <= longestKey) {
      keyLines += 1
      if (!keyEnd.test(line)) return redacted
      keyLines = 0
      return redacted + line.slice(line.search(keyEnd)).replace(keyEnd, '').replace(all, redacted)
    }
    const out = line.replace(all, redacted)
    const begin = out.search(keyBegin)
    if (begin < 0) return out
    keyLines = 1
    return out.slice(0, begin) + redacted
  }
}

function escapePattern(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}
