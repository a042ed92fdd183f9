// What agent programs write outside of a project: their own settings, conversations and credentials. Relative to
// HOME; one in a variable where that is set (docs/evidence.md, "Confinement").

const ownDirectories: Record<string, { paths: readonly string[]; variables?: readonly string[] }> = {
  claude: {
    paths: ['.claude', '.claude.json', '.claude.json.backup', '.local/share/claude', '.local/state/claude'],
    variables: ['CLAUDE_CONFIG_DIR'],
  },
  codex: { paths: ['.codex'], variables: ['CODEX_HOME'] },
  gemini: { paths: ['.gemini'] },
  opencode: { paths: ['.config/opencode', '.local/share/opencode', '.local/state/opencode'] },
}

/** @param backend id of the backend; one that is not known has nothing of its own but what settings allow */
export function ownDirectoriesOf(backend: string, env: Readonly<Record<string, string>>): string[] {
  const own = ownDirectories[backend]
  if (!own) return []
  return [...own.paths, ...(own.variables ?? []).flatMap((name) => env[name] ?? [])]
}

/** Directories of it that a first start would make, and cannot make where HOME is read-only. */
export function directoriesToMake(backend: string): string[] {
  return (ownDirectories[backend]?.paths ?? []).filter((path) => !path.includes('.json'))
}
