import { counted } from '../../../counted.js'
import { writeText } from '../../../project/text-files.js'
import { letPassLines, overriddenFindings, phaseBadges } from '../evidence-lines.js'
import { phaseTitle } from '../phases.js'
import type { HarnessState } from '../state/state.js'
import { totals } from '../state/totals.js'
import type { HarnessTools } from '../tools.js'
import { sessionFiles } from './files.js'
import { specTitle } from './spec.js'

export interface PullRequestText {
  title: string
  body: string
}

/** Title and description of a pull request, from the spec, the phases and the commits since the start. */
export async function pullRequestText(state: HarnessState, tools: HarnessTools): Promise<PullRequestText> {
  const { startingCommit: from } = state
  const commits = from === null || !(await tools.git.exists(from)) ? [] : await tools.git.log(from)
  const { tasks } = totals(state)
  const review = state.finalReview
  const passed = [...letPassLines(state), ...overriddenFindings(state)]
  return {
    title: await specTitle(tools),
    body: [
      `Implements \`${tools.specPath}\` in ${counted(state.phases.length, 'phase')}, ${counted(tasks, 'task')}.`,
      '',
      '## Phases',
      '',
      ...state.phases.map((phase, index) => {
        const known = phaseBadges(phase)
        const badges = known.length > 0 ? `; ${known.join(', ')}` : ''
        return `- ${phaseTitle(phase, index)} (${phase.status}${badges})`
      }),
      '',
      '## Commits',
      '',
      ...commits.map((commit) => `- ${commit.sha.slice(0, 7)} ${commit.subject}`),
      '',
      '## Review',
      '',
      `Final review ${review.status}, ${counted(review.findings.length, 'finding')}.`,
      ...review.findings.map((finding) => `- [${finding.severity}] ${finding.file}: ${finding.title}`),
      '',
      ...(passed.length > 0
        ? ['## Overridden, skipped or accepted', '', ...passed.map((line) => `- ${line}`), '']
        : []),
    ].join('\n'),
  }
}

/** Writes the text into the session; returns the repo-relative path. */
export async function writePullRequest(tools: HarnessTools, text: PullRequestText): Promise<string> {
  const path = sessionFiles(tools.sessionDir).pullRequest
  await writeText(tools, path, `# ${text.title}\n\n${text.body}`)
  return path
}
