import { counted } from '../../counted.js'

// The rehearsal's own plans, written and read in the grammar of docs/harness.md, "Plan grammar".

export type CheckpointType = 'human-verify' | 'decision' | 'human-action'

export interface PlannedTask {
  /** `Task 3`, the key of state.json. */
  id: string
  title: string
  commit: string
  checkpoint?: CheckpointType | undefined
  /** Of a decision. */
  options: string[]
}

/** What a plan says before it is text. */
export interface PlanDraft {
  name: string
  date: string
  specPath: string
  goal: string
  uncertainties: string[]
  truths: string[]
  tasks: {
    title: string
    files: string[]
    dependsOn: string
    steps: string[]
    commit: string
    checkpoint?: CheckpointType | undefined
    options: string[]
  }[]
}

const minutesPerTask = 3

export const kebab = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 60) || 'work'

const numberOf = (taskId: string): string =>
  taskId
    .replace(/^.*task/i, '')
    .trim()
    .toLowerCase()

/** Whether two spellings (`3`, `Task 3`, `Phase 2 Task 3`) mean the same task of a plan. */
export const sameTask = (one: string, other: string): boolean => numberOf(one) === numberOf(other)

const bullets = (items: string[], otherwise: string) =>
  (items.length > 0 ? items : [otherwise]).map((item) => `- ${item}`).join('\n')

/** One line per task, for a plan whose shape is to be approved first. */
export const skeletonOf = (draft: PlanDraft): string =>
  draft.tasks.map((task, index) => `${index + 1}. ${task.title} (${task.files.join(', ')})`).join('\n')

function taskText(task: PlanDraft['tasks'][number], number: number): string {
  const steps = [...task.steps, `Commit: \`${task.commit}\``]
  return [
    `### Task ${number}: ${task.title}`,
    '',
    `**Depends on:** ${task.dependsOn}`,
    `**Files:** ${task.files.join(', ')}`,
    ...(task.checkpoint ? ['', `\`[checkpoint:${task.checkpoint}]\``] : []),
    ...(task.options.length > 0 ? ['', `**Options:** ${task.options.join(' / ')}`] : []),
    '',
    ...steps.map((step, index) => `${index + 1}. ${step}`),
  ].join('\n')
}

export function planText(draft: PlanDraft): string {
  const files = [...new Set(draft.tasks.flatMap((task) => task.files))]
  return `${[
    `# Plan: ${draft.name}`,
    '',
    `**Date:** ${draft.date}`,
    `**Spec:** ${draft.specPath}`,
    `**Tasks:** ${draft.tasks.length}`,
    `**Time:** ${counted(draft.tasks.length * minutesPerTask, 'minute')}`,
    '',
    '## Goal',
    '',
    draft.goal,
    '',
    '## Uncertainties',
    '',
    bullets(draft.uncertainties, 'None.'),
    '',
    '## Observable Truths',
    '',
    bullets(draft.truths, 'The tests pass.'),
    '',
    '## File Map',
    '',
    bullets(files, 'None.'),
    '',
    '## Skeleton',
    '',
    skeletonOf(draft),
    '',
    '## Tasks',
    '',
    draft.tasks.map((task, index) => taskText(task, index + 1)).join('\n\n'),
  ].join('\n')}\n`
}

const heading =
  /^#{2,4}\s+Task\s+([A-Z]?\d+(?:\.\d+)*[a-z]?)(?![\w.]*\w)\s*(?:\[checkpoint[^\]]*\]\s*|\([^)]*\)\s*)*(?:[:—–-]|$)\s*(.*)$/i
const marker = /\[checkpoint(?:\s*:\s*([a-z-]+)[^\]\n]*)?\\?\]/i

function checkpointIn(text: string): CheckpointType | undefined {
  const found = marker.exec(text)
  if (!found || found[1] === 'commit') return undefined
  return found[1] === 'decision' || found[1] === 'human-action' ? found[1] : 'human-verify'
}

/** Tasks of a plan, also of one that a person wrote or changed. Fenced code is not read. */
export function readPlan(text: string): PlannedTask[] {
  const sections: { id: string; title: string; lines: string[] }[] = []
  let fence: string | undefined
  for (const line of text.split(/\r?\n/)) {
    const mark = /^\s*(`{3,}|~{3,})/.exec(line)?.[1]
    if (mark !== undefined && (fence === undefined || mark.startsWith(fence))) {
      fence = fence === undefined ? mark : undefined
      continue
    }
    if (fence !== undefined) continue
    const task = heading.exec(line)
    if (task) sections.push({ id: `Task ${task[1]}`, title: (task[2] ?? '').trim(), lines: [line] })
    else if (/^#{1,2}\s/.test(line)) sections.push({ id: '', title: '', lines: [] })
    else sections.at(-1)?.lines.push(line)
  }
  return sections
    .filter((section) => section.id !== '')
    .map(({ id, title, lines }) => {
      const body = lines.join('\n')
      const options = /^\*\*Options:\*\*\s*(.+)$/m.exec(body)?.[1]
      return {
        id,
        title: title.replace(marker, '').trim(),
        commit: /commit[^`\n]*`([^`\n]+)`/i.exec(body)?.[1] ?? '',
        checkpoint: checkpointIn(body),
        options: options ? options.split('/').map((option) => option.trim()) : [],
      }
    })
}
