import type { Access } from '../agents/agent.js'
import { reportName } from './report.js'

/** What the model is told about its place before the role's own words. */
export function systemPrompt(options: {
  cwd: string
  access: Access
  reports: boolean
  append?: string | undefined
}): string {
  const means = {
    read: 'You can read and search the project, but change nothing in it.',
    edit: 'You can read, search and edit the project, but start no programs.',
    full: 'You can read, search and edit the project and run commands in it.',
  }
  const lines = [
    `You work on the software project in ${options.cwd}. ${means[options.access]}`,
    'Paths are relative to that directory, and the file tools do not leave it.',
    'Look before you change something. Check what you did with the means of the project. Claim nothing you have not seen.',
    'A person may have to permit a change or a command. If one is denied, do not try the same by another way.',
  ]
  if (options.reports) {
    lines.push(
      `When the work is done, or cannot go on, call ${reportName} once with the result. Nothing after it is read.`,
    )
  }
  return options.append === undefined ? lines.join('\n') : `${lines.join('\n')}\n\n${options.append}`
}
