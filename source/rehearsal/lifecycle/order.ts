import { readFile } from 'node:fs/promises'

/** What the scripted worker reads of its dispatch file. */
export interface Order {
  id: string
  projectDir: string
  step: { id: string; name: string }
  retry: { attempt: number }
  gateAnswer?: { id: string; choice: string }
  statePath: string
  brief?: string
  prepareOnly?: boolean
}

/** Throws where the dispatch file is not one of the lifecycle workflow. */
export async function readOrder(path: string, cwd: string): Promise<Order> {
  const value = JSON.parse(await readFile(path, 'utf8')) as Partial<Order> & { expects?: unknown }
  if (value.expects !== 'step' || typeof value.step?.name !== 'string')
    throw new Error(`${path} is no order for a step.`)
  const {
    id = 'step',
    projectDir = cwd,
    statePath = '_docs/_autopilot_state.md',
    retry = { attempt: 0 },
  } = value
  return { ...(value as Order), id, projectDir, statePath, retry }
}
