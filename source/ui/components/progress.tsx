import { Box } from 'ink'
import type { RunSnapshot } from '../../view/view.js'
import { useTheme } from '../hooks/desk.js'
import { rule } from '../layout/line.js'
import { phaseLines, phaseSummary, phasesDone, stepLines, stepsLine } from '../layout/pipeline.js'
import type { RunPlan } from '../layout/run-plan.js'
import { taskCount, taskLines, taskSummary } from '../layout/tasks.js'
import type { Line } from '../theme.js'
import { Rows } from './rows.js'

/** Phases, states of the current phase, and tasks: beside the panes, above them, or in a line each. */
export function Progress({ snapshot, plan }: { snapshot: RunSnapshot; plan: RunPlan }) {
  const theme = useTheme()
  const { view, tasks } = snapshot
  const side = plan.sideWidth > 0
  const width = side ? plan.sideWidth - 2 : plan.width
  if (plan.summary > 0) {
    const summary: Line[] = [phaseSummary(view, width, theme), taskSummary(tasks, width, theme)]
    return <Rows lines={summary} height={plan.summary} />
  }
  if (plan.phases === 0) return null
  const steps = side ? stepLines(view.steps, width, plan.steps, theme) : [stepsLine(view.steps, width, theme)]
  const lines: Line[] = [
    rule(`${view.phaseWord ?? 'Phase'}s`, width, theme, { aside: phasesDone(view) }),
    ...phaseLines(snapshot, width, plan.phases, theme),
    ...steps,
    ...(plan.tasks > 0 ? [rule('Tasks', width, theme, { aside: taskCount(tasks) })] : []),
    ...taskLines(tasks, width, plan.tasks, theme),
  ]
  if (!side) return <Rows lines={lines} height={plan.phases + steps.length + plan.tasks + 2} />
  return (
    <Box width={plan.sideWidth} height={plan.middle} flexShrink={0} overflow="hidden">
      <Rows lines={lines} />
    </Box>
  )
}
