import { readFile } from 'node:fs/promises'

// What the roles read of their dispatch file (docs/playbook-checks.md, "Orders").

export interface Deficiency {
  criterion: string
  deficiency: string
  source: string
}

interface CommandReport {
  command: string
  exitCode: number | null
}

/** Fields of other kinds of order are absent. */
export interface Order {
  id: string
  expects: string
  projectDir: string
  attempt: number
  phase: { id: string; name: string }
  phaseDir: string
  commands: Record<'compile' | 'lint' | 'build' | 'test', string | null>
  requirements: readonly string[]
  completedPhaseDirs: readonly string[]
  researchPath: string
  planPath: string
  planPaths: readonly string[]
  testsDir: string
  lintIssues: readonly { severity: string; description: string }[]
  task?: { id: string; title: string }
  criteria: readonly { id: string; text: string }[]
  files: readonly string[]
  commandResults: readonly CommandReport[]
  commitSubject: string
  remediationFeedback?: readonly Deficiency[]
  reportPath: string
  verificationPath: string
  issues: readonly string[]
  failingChecks: readonly CommandReport[]
  lastCheckpointSha: string
  turnOne?: Record<string, unknown>
}

const nothing = {
  attempt: 1,
  requirements: [],
  completedPhaseDirs: [],
  planPaths: [],
  lintIssues: [],
  criteria: [],
  files: [],
  commandResults: [],
  issues: [],
  failingChecks: [],
}

/** Throws where the dispatch file is not one of this workflow. */
export async function readOrder(path: string, cwd: string): Promise<Order> {
  const value = JSON.parse(await readFile(path, 'utf8')) as Partial<Order>
  if (typeof value.expects !== 'string' || typeof value.phase?.name !== 'string')
    throw new Error(`${path} is no order of the playbook workflow.`)
  return { ...nothing, ...(value as Order), projectDir: cwd }
}
