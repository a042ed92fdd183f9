import type { QuestionDraft } from '../../../view/question.js'
import { stop } from '../../options.js'

const most = 9

/** Several directories can be that of a phase, and nothing says which one. Values are paths. */
export function qDirectory(phase: string, dirs: readonly string[]): QuestionDraft {
  const more = dirs.length > most ? [`and ${dirs.length - most} more`] : []
  return {
    gate: 'Q-DIRECTORY',
    title: `Which directory is that of phase ${phase}?`,
    body: [
      'Its plan and its records are read and written there. These fit by their names:',
      ...dirs.slice(0, most),
      ...more,
    ],
    options: [
      ...dirs.slice(0, most).map((dir) => ({
        value: dir,
        label: dir.slice(dir.lastIndexOf('/') + 1),
        consequence: `work in ${dir}; the others are left alone`,
      })),
      stop,
    ],
  }
}
