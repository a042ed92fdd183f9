import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { hashOfFile } from '../artifacts.js'
import type { Pass } from '../pass.js'
import { tell } from '../progress.js'
import { qSpec } from '../questions/spec.js'
import { settleTree } from '../states/settle-tree.js'
import { save } from '../work.js'
import { runStep } from './step.js'

/** What step 1 found. */
export interface Preflight {
  all_clear: boolean
  spec_hash_match: boolean
  working_tree_clean: boolean
  dependencies_met: boolean
  unresolved_debug: string[]
  issues: string[]
  /** A person stopped here: no post-mortem is written. */
  stopped?: boolean
}

/** 1 PREFLIGHT: the spec is the one that was locked, the tree is settled, dependencies are met. */
export function preflight(pass: Pass): Promise<Preflight> {
  return runStep(pass, 'preflight', async () => {
    const spec = await settleSpec(pass)
    const tree = spec.match && (await settleTree(pass, `${pass.at}tree`))
    const result = await lookAround(pass, spec, tree)
    for (const [index, path] of result.unresolved_debug.entries())
      await tell(pass, `open-debug-${index}`, `${path} is an unresolved debug session.`, 'warning')
    const { status } = Object.assign(pass.log.steps.preflight, {
      status: result.all_clear ? 'pass' : 'fail',
    } as const)
    return {
      result,
      end: {
        record: { status, timestamp: await pass.run.step(`${pass.at}preflight-time`, () => now(pass)) },
        mark: result.all_clear ? 'pass' : 'fail',
        failed: !result.all_clear,
        more: result.issues.join('; '),
        // What is read on the screen lies there.
        change: (phase) => ({ ...phase, dir: pass.facts.dir }),
      },
    }
  })
}

const now = ({ tools }: Pass) => tools.now().toISOString()

interface SpecLook {
  match: boolean
  expected: string
  actual: string
}

/** The spec as it is now against the locked one; a person may lock what is there. */
async function settleSpec(pass: Pass): Promise<SpecLook> {
  const { run, tools, at } = pass
  const { path } = run.state.spec
  const look = await run.step(`${at}spec-look`, async () => {
    const [expected, actual] = [run.state.spec.hash, await hashOfFile(tools.root, path)]
    return { match: actual === expected, expected, actual }
  })
  if (look.match) return look
  const { expected, actual } = look
  const answer = await run.ask(`${at}spec`, qSpec(path, expected, actual))
  if (answer.value !== 'accept') return look
  await save(
    pass,
    `${at}spec-relocked`,
    (state, time) => ({ ...state, spec: { ...state.spec, hash: actual, locked_at: time } }),
    [{ event: 'spec_relocked', phase: pass.facts.id, details: { from: expected, to: actual, by: 'person' } }],
  )
  return { ...look, match: true }
}

async function lookAround(pass: Pass, spec: SpecLook, tree: boolean): Promise<Preflight> {
  const { facts } = pass
  const unmet = facts.dependencies.filter(({ met }) => !met)
  const open = await pass.run.step(`${pass.at}open-debug`, () => openDebugFiles(pass.tools.root))
  const issues = [
    ...(spec.match ? [] : ['spec_hash_mismatch', `expected ${spec.expected}`, `actual ${spec.actual}`]),
    ...(spec.match && !tree ? ['the work tree is not clean'] : []),
    ...unmet.map(({ id, why }) => `dependency ${id} is not met: ${why}`),
  ]
  return {
    all_clear: issues.length === 0,
    spec_hash_match: spec.match,
    working_tree_clean: tree,
    dependencies_met: unmet.length === 0,
    unresolved_debug: open,
    issues,
    ...(spec.match ? {} : { stopped: true }),
  }
}

async function openDebugFiles(root: string): Promise<string[]> {
  const names = await readdir(join(root, '.planning/debug')).catch(() => [] as string[])
  return names.filter((name) => name.endsWith('.md')).map((name) => `.planning/debug/${name}`)
}
