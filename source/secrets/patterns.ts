/**
 * Shapes of secrets, for whoever hides them and whoever looks for them. Each needs a border before it: `task-` and `disk-`
 * are no beginning of `sk-`, and a name of words is no key. Private keys go over several lines and have marks of their own.
 */
export const secretShapes: readonly { kind: string; source: string }[] = [
  { kind: 'AWS access key', source: '(?<![A-Za-z0-9])AKIA[0-9A-Z]{16}(?![0-9A-Z])' },
  {
    kind: 'GitHub token',
    source: '(?<![A-Za-z0-9])(?:gh[pousr]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,})',
  },
  { kind: 'API key', source: '(?<![A-Za-z0-9_-])sk-(?=[A-Za-z0-9_-]*\\d)[A-Za-z0-9_-]{16,}' },
  { kind: 'Slack token', source: '(?<![A-Za-z0-9])xox[a-z]-[A-Za-z0-9-]{10,}' },
  { kind: 'Google API key', source: '(?<![A-Za-z0-9])AIza[A-Za-z0-9_-]{30,}' },
  {
    kind: 'JSON web token',
    source: '(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{8,}\\.eyJ[A-Za-z0-9_-]{8,}\\.[A-Za-z0-9_-]{8,}',
  },
]

/** Three characters at least with which each of them begins; whoever looks for these only may pass over the rest. */
export const wordBeginnings = [
  ...['AKIA', 'ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_', 'github_pat_', 'sk-', 'xox', 'AIza', 'eyJ'],
]
