import type { AgentPool } from '../agents/pool.js'
import type { Config } from '../project/config.js'
import { agreedItems, isKnownProject, trust } from '../project/trust.js'
import { allowInSettings } from '../project/user-settings.js'
import type { Ui } from '../ui/ui.js'
import { type SessionConfinement, sessionConfinement } from './confinement.js'
import { findLacks } from './confinement-lacks.js'
import { projectTrust, trustQuestion } from './project-trust.js'

export interface TrustAsk {
  root: string
  config: Config
  agents: AgentPool
  programs: readonly string[]
  /** Directories of all workflows' sessions. */
  ownPaths: readonly string[]
  ui: Ui
  /** Everything that runs comes with this program, so there is nothing to ask. */
  trusted: boolean
}

/** What a run may execute, agreed to by a person or before, and what its agents are kept to. */
export interface Agreed {
  config: Config
  confinement: SessionConfinement
}

/**
 * Asks whether what a run would execute may run here, unless exactly that was agreed to. What agents would miss in their
 * confinement is tried before and can be allowed by the same answer. Undefined where the person says no.
 */
export async function agreeTrust(ask: TrustAsk): Promise<Agreed | undefined> {
  const { root, config, ownPaths, ui } = ask
  const confinement = await sessionConfinement(root, config, ownPaths)
  if (ask.trusted) return { config, confinement }
  const { subject, trusted } = await trustOf(ask, config)
  if (trusted) return { config, confinement }
  const backends = ask.agents.programs().map(({ backend }) => backend)
  const lacks =
    confinement.kind === 'confined'
      ? await findLacks(confinement.confinement, { root, backends, environment: config.environment })
      : []
  const lines = [...confinement.lines, ...lacks.flatMap((lack) => lack.lines)]
  const allow = [...new Set(lacks.flatMap((lack) => lack.allow))]
  const known = await isKnownProject(subject.root)
  const before = await agreedItems(subject.root)
  const facts = { confinement: lines, allow, known, before }
  const answer = await ui.ask(trustQuestion(subject, new Date(), facts), root)
  if (answer === 'quit' || answer.value === 'no') return undefined
  if (answer.value !== 'allow') {
    await trust(subject)
    return { config, confinement }
  }
  await allowInSettings(allow)
  const wider = { ...config, confineAllow: [...new Set([...config.confineAllow, ...allow])] }
  // What settings allow is a part of what is trusted.
  await trust((await trustOf(ask, wider)).subject)
  return { config: wider, confinement: await sessionConfinement(root, wider, ownPaths) }
}

function trustOf({ root, agents, programs }: TrustAsk, config: Config) {
  return projectTrust(root, config, agents, programs)
}
