import { hashOfFile, hasWords } from '../artifacts.js'
import type { Replan } from '../orders/fields.js'
import type { Pass } from '../pass.js'
import type { ResearchResult } from '../results.js'
import { countRetry, send } from '../send.js'
import { failedStep, type Outcome } from './failure.js'
import { runStep } from './step.js'

/** 3 RESEARCH: what the phase meets in the project, as a file that says something. */
export function research(pass: Pass, replan: Replan | undefined): Promise<Outcome<{ path: string }>> {
  const path = researchPathOf(pass)
  return runStep<'research', Outcome<{ path: string }>>(pass, 'research', async () => {
    pass.log.steps.research.agent_spawned = true
    const sent = await askTwice(pass, path, replan)
    if (!sent.ok) return failedStep(pass, 'research', sent)
    const hash = await pass.run.step(`${pass.at}research-hash`, () => hashOfFile(pass.tools.root, path))
    pass.log.steps.research.status = 'completed'
    return {
      result: { ok: true, path },
      end: { record: { status: 'completed', output: path, hash }, mark: 'pass' },
    }
  })
}

export function researchPathOf({ facts }: Pass): string {
  return `${facts.dir}/RESEARCH.md`
}

/** An answer without the file is none: it is asked for once more. */
async function askTwice(
  pass: Pass,
  path: string,
  replan: Replan | undefined,
): Promise<Outcome<{ result: ResearchResult }>> {
  for (let round = 1; ; round += 1) {
    const key = round === 1 ? 'research' : 'research-file'
    const enforcement =
      round === 1 ? pass.input.enforcement : { check: 'artifact', reason: `${path} is missing or empty.` }
    const sent = await send(pass, 'research', orderFacts(pass, path, replan, enforcement), {
      key: key,
      title: `Research phase ${pass.facts.id}: ${pass.facts.name}`,
      attempt: round,
    })
    if (!sent.ok) return { ok: false, failure: `research: ${sent.message}`, category: sent.category }
    if (await pass.run.step(`${pass.at}${key}-there`, () => hasWords(pass.tools.root, path)))
      return { ok: true, result: sent.result }
    if (round === 2)
      return { ok: false, failure: `research: ${path} was not written`, category: 'coordination_failure' }
    await countRetry(pass, `${key}-respawn`)
  }
}

function orderFacts(
  { facts, tools }: Pass,
  path: string,
  replan: Replan | undefined,
  enforcement: { check: string; reason: string } | undefined,
) {
  const { description, requirements, completedDirs, contextPaths } = facts
  const map = tools.repoMapPath()
  return {
    description,
    requirements,
    completedPhaseDirs: completedDirs,
    contextPaths,
    researchPath: path,
    ...(map === undefined ? {} : { repoMapPath: map }),
    ...(replan === undefined ? {} : { replan }),
    ...(enforcement === undefined ? {} : { enforcement }),
  }
}
