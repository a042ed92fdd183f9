/** Parts of a phase that are at work at once, with the task that each of them is at. */
export interface PartBoard {
  parts: readonly { id: string; tasks: readonly string[] }[]
  /** Ids of tasks by that of their part. */
  atWork: Map<string, string>
}
