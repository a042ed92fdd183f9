import type { AgentPool } from '../agents/pool.js'
import { type Config, wideningSettings } from '../project/config.js'
import { testCommand } from '../project/test-command.js'
import {
  describeSubject,
  isTrusted,
  type TrustedItem,
  type TrustSubject,
  trustSubject,
} from '../project/trust.js'
import { sanitizeLine } from '../terminal/sanitize.js'
import type { Question } from '../view/question.js'

/**
 * What a run in this project would execute, and whether exactly that was trusted before. Executes nothing.
 * @param programs names of programs that workflows start, as `programsOf` the whole registry gives them: who asks and
 * who compares have to name the same
 */
export async function projectTrust(
  root: string,
  config: Config,
  agents: AgentPool,
  programs: readonly string[],
): Promise<{ subject: TrustSubject; trusted: boolean }> {
  const [first, ...others] = agents.programs()
  const tests = await testCommand(root, config)
  const subject = await trustSubject({
    root,
    agentLabel: first?.label ?? 'none',
    agentArgv: first?.argv ?? [],
    commands: [
      ...others.map(({ label, argv }) => ({ label, argv })),
      ...(tests ? [{ label: 'Test command', argv: [...tests] }] : []),
    ],
    ...(config.validate ? { validateArgv: config.validate } : {}),
    configFiles: config.projectFiles,
    settings: wideningSettings(config),
    programs: ['git', ...programs],
  })
  return { subject, trusted: await isTrusted(subject) }
}

/** What a person is told beside the programs. */
export interface TrustFacts {
  /** How agents are confined, what is hidden from them, and what they cannot do. */
  confinement?: readonly string[]
  /** Names that would let them do it, which the person can agree to by the same answer. */
  allow?: readonly string[]
  /** Something was agreed to in this project before, and it was not exactly this. */
  known?: boolean
  /** What was agreed to last. */
  before?: readonly TrustedItem[] | undefined
}

const firstTime =
  'Nothing of this project has been executed yet. A run starts these programs with your rights:'
const again =
  'What a run executes here is not what you agreed to before. It starts these programs with your rights:'

export function trustQuestion(
  subject: TrustSubject,
  now: Date,
  { confinement = [], allow = [], known = false, before }: TrustFacts = {},
): Question {
  const names = allow.join(', ')
  return {
    id: `trust-${subject.hash.slice(0, 12)}`,
    gate: 'Q-TRUST',
    title: 'Run these programs in this project?',
    body: [
      known ? again : firstTime,
      '',
      ...describeSubject(subject, before).map(sanitizeLine),
      ...(confinement.length === 0 ? [] : ['', ...confinement.map(sanitizeLine)]),
      '',
      'The answer is kept in your own configuration and asked again when any of this changes.',
    ],
    options: [
      { value: 'no', label: 'no', consequence: 'close; nothing is executed', safe: true },
      { value: 'yes', label: 'yes, trust this project', consequence: 'remember it and go on' },
      ...(allow.length === 0
        ? []
        : [
            {
              value: 'allow',
              label: `yes, and allow ${names} to agents`,
              consequence: `the same, and ${names} goes into "confineAllow" of your settings for all projects`,
            },
          ]),
    ],
    askedAt: now.toISOString(),
  }
}
