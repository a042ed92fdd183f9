// One thing that has to be true, and the commands that show it (docs/playbook.md, "Criteria").

/**
 * How a criterion can be shown: by looking at files, by running something, by agents that trace code, or by nothing that
 * a program could decide.
 */
export type CriterionKind = 'structural' | 'execution' | 'behavioral' | 'unproven'

/** When a command shows what it should. Values are counts or exit codes; the text of `contains` stands in the output. */
export type Expectation =
  | { op: 'equals' | 'atLeast' | 'atMost' | 'exit' | 'exitNot'; value: number }
  | { op: 'match' | 'noMatch' }
  | { op: 'contains'; value: string }

export interface PlaybookCriterion {
  /** What should be true, in words; the command itself where nothing else is said. */
  text: string
  /** As written, entities decoded; all of them have to pass. `{project.commands.X}` is expanded where they are run. */
  commands: string[]
  kind: CriterionKind
  /** Null where no command decides: behavioral and unproven ones. */
  expectation: Expectation | null
}
