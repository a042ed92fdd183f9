import { counted } from '../../../counted.js'
import { comparePhaseIds } from '../../../documents/playbook-id.js'
import type { QuestionDraft } from '../../../view/question.js'
import { stop } from '../../options.js'
import { type SelectablePhase, selectPhases } from './select.js'
import { phaseCells, tableLines } from './table.js'

/** Asked where nothing says which phases to run. Values are selectors. */
export function pickQuestion(phases: readonly SelectablePhase[], wrong?: string): QuestionDraft {
  const none = { complete: false, quality: false, gaps: false, force: false }
  const all = selectPhases(phases, { kind: 'all' }, none).queue
  const [next] = selectPhases(phases, { kind: 'next' }, none).queue
  const nameOf = (id: string) => phases.find((phase) => phase.id === id)?.name ?? ''
  const count = (status: string) => phases.filter((phase) => phase.status === status).length
  return {
    gate: 'Q-PICK',
    title: 'Which phases?',
    body: [
      ...(wrong === undefined ? [] : [wrong, '']),
      `${counted(phases.length, 'phase')}: ${count('completed')} completed, ${count('failed')} failed, ${all.length} outstanding.`,
    ],
    evidence: [{ id: 'phases', kind: 'text', title: 'the phases', lines: pickLines(phases) }],
    options: [
      ...(all.length > 0 ? [{ value: 'all', label: 'all', consequence: `run ${told(all)}` }] : []),
      ...(next === undefined
        ? []
        : [{ value: 'next', label: 'next', consequence: `only ${next} ${nameOf(next)}` }]),
      ...(phases.length > 0
        ? [
            {
              value: 'named',
              label: 'named',
              consequence: `some of ${told(phases.map(({ id }) => id).sort(comparePhaseIds))}`,
              text: { label: 'Which? 3, 2.1, 3-7 or 3,5,8', required: true },
            },
          ]
        : []),
      stop,
    ],
  }
}

/** So many ids stand in a row of the question; a roadmap of many phases would push the answers off the screen. */
const mostTold = 20

function told(ids: readonly string[]): string {
  return ids.length <= mostTold
    ? ids.join(', ')
    : `${ids.slice(0, mostTold - 1).join(', ')}, .. ${ids.at(-1)} (${ids.length})`
}

/** Every phase with where it stands and what it waits for. */
function pickLines(phases: readonly SelectablePhase[]): string[] {
  const rows = [...phases].sort((one, other) => comparePhaseIds(one.id, other.id))
  return tableLines([
    ['Phase', 'Status', 'Score', 'After'],
    ...rows.map((phase) => [...phaseCells(phase), phase.dependsOn.join(', ') || '-']),
  ])
}
