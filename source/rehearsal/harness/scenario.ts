import { kebab } from './plan-text.js'
import { commandLine, commandLineFindings, finalFindings } from './scenario/command-line.js'
import { plantList, plantListFindings } from './scenario/plant-list.js'
import type { ScriptFinding, ScriptPhase, ScriptTask } from './scenario/script.js'
import { wateringWeek, wateringWeekFindings } from './scenario/watering-week.js'

/** The phases of the sample project's spec, in its order. */
export const phases: readonly ScriptPhase[] = [plantList, wateringWeek, commandLine]

export const findings: readonly ScriptFinding[] = [
  ...plantListFindings,
  ...wateringWeekFindings,
  ...commandLineFindings,
  ...finalFindings,
]

/** A task that no script knows: it writes a note about itself, so that any plan can be rehearsed. */
export function noteTask(phase: string, title: string, commit: string, label = ''): ScriptTask {
  const path = `docs/notes/${[kebab(phase), label && kebab(label)].filter((part) => part !== '').join('-')}.md`
  return {
    title,
    dependsOn: 'none',
    steps: ['Write down what the phase asks for.'],
    commit,
    thought: `Nothing is scripted for "${title}", so I leave a note of it.`,
    files: [{ path, text: `# ${title}\n\nRehearsed as part of "${phase}".\n` }],
    tests: [],
  }
}

/** The script of a phase, by its name; for an unknown one a phase of one note. */
export function phaseNamed(name: string): ScriptPhase {
  const known = phases.find((phase) => kebab(phase.name) === kebab(name))
  if (known) return known
  return {
    name,
    goal: `Rehearse "${name}" without changing more than a note.`,
    thoughts: [`I have no script for "${name}"; one small task will do.`],
    uncertainties: [],
    truths: ['A note about the phase exists.'],
    concerns: [],
    tasks: [noteTask(name, `Note down ${name}`, `docs(notes): note down ${name}`)],
  }
}
