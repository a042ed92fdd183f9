/** A name as part of a file name: lower case, words joined by `-`, at most 80 characters; never empty. */
export function kebab(name: string): string {
  const words = name
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
  const cut = [...words.replace(/^-+/, '')].slice(0, 80).join('')
  return (cut.endsWith('-') ? cut.slice(0, -1) : cut) || 'phase'
}

/**
 * Whether the name of a plan file speaks of a phase (docs/harness.md, "Plan grammar"): it holds the
 * kebab name of the phase as whole words, or `phase-N` / `phaseN` with the 1-based number.
 */
export function planNameMatches(fileName: string, phaseName: string, phaseNumber: number): boolean {
  const base = (fileName.split(/[\\/]/).pop() ?? '').replace(/\.md$/i, '')
  if (`-${kebab(base)}-`.includes(`-${kebab(phaseName)}-`)) return true
  const numbered = new RegExp(`(?<![a-z])phase[-_ ]?0*${phaseNumber}(?!\\d|\\.\\d|[a-z](?![a-z]))`, 'i')
  return numbered.test(base)
}
