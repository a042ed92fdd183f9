/** What tells agents how to work, or starts programs for them: repo-relative files and directories of the known programs. */
export const instructionFiles = [
  'AGENTS.md',
  'CLAUDE.md',
  'CLAUDE.local.md',
  'GEMINI.md',
  '.mcp.json',
  'opencode.json',
  'opencode.jsonc',
  '.claude/agents',
  '.claude/commands',
  '.claude/hooks',
  '.claude/skills',
  '.claude/settings.json',
  '.claude/settings.local.json',
  '.codex',
  '.gemini',
  '.opencode',
  '.cursorrules',
  '.cursor/rules',
  '.cursor/mcp.json',
  '.github/copilot-instructions.md',
  '.github/instructions',
] as const

/** Of these, what belongs to the project alone: agent programs write into the others themselves. */
export const instructionsOfProject = instructionFiles.filter(
  (path) => !['.claude/settings.local.json', '.codex', '.gemini', '.opencode'].includes(path),
)
