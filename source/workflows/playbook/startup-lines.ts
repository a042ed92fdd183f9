import { comparePhaseIds } from '../../documents/playbook-id.js'
import type { ProjectCommands } from './orders/fields.js'

export interface StartingRun {
  /** In the order in which they run. */
  queue: readonly string[]
  spec: { path: string; hash: string }
  /** Empty where the backend has its own. */
  model: string
  project: { type: string; manifest: string | null }
  commands: ProjectCommands
}

/** What is told when a run starts, unasked. Pure. */
export function startupLines({ queue, spec, model, project, commands }: StartingRun): string[] {
  const hash = spec.hash.replace(/^sha256:/, '').slice(0, 8)
  const said = (['compile', 'test', 'lint', 'build'] as const).map(
    (name) => `${name}=${commands[name] ?? 'n/a'}`,
  )
  return [
    `Autopilot: Phases ${rangeOf(queue)} | Spec: ${spec.path} (${hash}) | Model: ${model || 'default'}`,
    `Project: ${project.type} (${project.manifest ?? 'no manifest'}) | Commands: ${said.join(', ')}`,
    `Starting phase ${queue[0] ?? ''}...`,
  ]
}

/** `3-7` from the lowest to the highest. */
function rangeOf(queue: readonly string[]): string {
  const sorted = [...queue].sort(comparePhaseIds)
  const [first = '', last = ''] = [sorted[0], sorted[sorted.length - 1]]
  return first === last ? first : `${first}-${last}`
}
