import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import { counted } from '../../../counted.js'
import { writeText } from '../../../project/text-files.js'
import type { Verified } from '../opinions.js'
import type { Pass } from '../pass.js'
import { rootOf } from '../work.js'

/** Writes VERIFICATION.md of what was found; an older one was moved aside before the verifier began. */
export async function publishVerification(pass: Pass, verified: Verified): Promise<null> {
  const path = `${pass.facts.dir}/VERIFICATION.md`
  await writeText(
    rootOf(pass),
    path,
    verificationText(pass.facts.id, verified, pass.tools.now().toISOString()),
  )
  return null
}

/** Nobody who verifies reads what was said before. */
export async function moveVerificationAside(pass: Pass): Promise<null> {
  const { root } = rootOf(pass)
  const path = join(root, pass.facts.dir, 'VERIFICATION.md')
  await rename(path, path.replace(/\.md$/, '.previous.md')).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
  })
  return null
}

export function verificationText(phase: string, verified: Verified, at: string): string {
  const { result, automated, criteria, specs, files } = verified
  const status = verified.passed
    ? 'passed'
    : result.deferral_evidence.length > 0
      ? 'human_needed'
      : 'gaps_found'
  const rows = criteria.flatMap(({ criterion, status: held, runs }) =>
    runs.map(
      ({ command, exitCode }) =>
        `| ${cell(criterion.text)} | ${cell(command)} | ${exitCode ?? '-'} | ${held} |`,
    ),
  )
  return [
    '---',
    `verified: ${at}`,
    `status: ${status}`,
    '---',
    '',
    `# Verification: phase ${phase}`,
    '',
    '## Automated Checks',
    '',
    ...Object.entries(automated).map(
      ([name, value]) => `- ${name}: ${value === 'n/a' ? 'n/a' : value ? 'PASS' : 'FAIL'}`,
    ),
    '',
    '## Criteria',
    '',
    ...result.criteria_results.map(
      ({ criterion, status: held, evidence }) => `- ${held.toUpperCase()}: ${criterion} -- ${evidence}`,
    ),
    '',
    '## Sandbox Execution Results',
    '',
    '| Criterion | Command | Exit | Assessment |',
    '|-----------|---------|------|------------|',
    ...rows,
    '',
    '## Test Specification Results',
    '',
    ...(specs.length === 0
      ? ['No test specifications found.']
      : specs.map(
          ({ taskId, passed, failed, exitCode }) =>
            `- ${taskId}: ${passed.length} passed, ${failed.length} failed, exit ${exitCode ?? '-'}`,
        )),
    '',
    '## Behavioral Traces',
    '',
    ...behaviour(verified),
    '',
    '## Visual Testing Results',
    '',
    ...screens(verified),
    '',
    '## Wire Check',
    '',
    ...(files.orphans.length === 0
      ? ['Every added file is used, or stands alone.']
      : files.orphans.map((line) => `- ${line}`)),
    ...files.faults.map((line) => `- ${line}`),
    '',
  ].join('\n')
}

/** How handlers were followed, by the criteria that ask for it. */
function behaviour({ result, criteria }: Verified): string[] {
  const asked = criteria.filter(({ criterion }) => criterion.kind === 'behavioral')
  const lines = asked.map(({ criterion }) => {
    const said = result.criteria_results.find((one) => [criterion.id, criterion.text].includes(one.criterion))
    const isOpen = said === undefined || /BEHAVIORAL_UNVERIFIABLE/.test(said.evidence)
    const word = isOpen ? 'BEHAVIORAL_UNVERIFIABLE' : said.status.toUpperCase()
    return `- ${word}: ${criterion.text}${said === undefined ? '' : ` -- ${said.evidence}`}`
  })
  return lines.length === 0 ? ['No criterion asks for one.'] : lines
}

function screens({ visual }: Verified): string[] {
  if (visual === undefined) return ['Not looked at.']
  const { notes } = visual
  const told = Array.isArray(notes) ? notes.map((one) => `- ${String(one)}`) : []
  if (!visual.infrastructure_available) return ['Could not be looked at.', ...told]
  return [
    `${visual.routes_passed} of ${counted(visual.routes_tested, 'route')} without a fault.`,
    ...visual.screenshots.map((path) => `- ${path}`),
    ...visual.issues_found.map(
      ({ route, severity, type, description }) =>
        `- ${severity.toUpperCase()} ${route}: ${type}: ${description}`,
    ),
    ...told,
  ]
}

const cell = (text: string) => text.replaceAll('|', '\\|').replaceAll('\n', ' ')
