// What agent programs keep in a project for themselves, beside the contract of whoever they act for (docs/evidence.md). Files
// that agents take orders from, or that allow them something, are not among them.

const files: Readonly<Record<string, readonly string[]>> = {
  claude: [
    '.claude/todos/',
    '.claude/statsig/',
    '.claude/shell-snapshots/',
    '.claude/projects/',
    '.claude/plans/',
    '.claude/.cache/',
    '.claude/scheduled_tasks.lock',
  ],
  codex: ['.codex/log/', '.codex/sessions/', '.codex/tmp/', '.codex/history.jsonl'],
  gemini: ['.gemini/tmp/', '.gemini/history/'],
  opencode: [
    '.opencode/node_modules/',
    '.opencode/bun.lock',
    '.opencode/package.json',
    '.opencode/.gitignore',
  ],
}

/** Repo-relative files and folders (with `/` at the end) of a backend, by its id or what it is called. */
export function backendFilesOf(id: string, label: string): readonly string[] {
  const [word = ''] = label.split(/[\s:]/)
  return files[id] ?? files[word] ?? []
}
