import { expect, test } from 'vitest'
import { contracts } from '../../../source/workflows/playbook/contracts.js'
import { groundOf } from '../../../source/workflows/playbook/grounds.js'
import {
  type PlaybookPersona,
  personaOf,
  personas,
} from '../../../source/workflows/playbook/personas/personas.js'
import type { Expects } from '../../../source/workflows/playbook/results.js'
import { orderFromAll } from './orders/order-of-all.js'

const names = Object.keys(personas) as PlaybookPersona[]
const phaseDir = '.planning/phases/02.1-rule-engine'
const facts = {
  specPath: '.planning/REQUIREMENTS.md',
  roadmapPath: '.planning/ROADMAP.md',
  approvedPlans: [`${phaseDir}/PLAN.md`],
  records: [`${phaseDir}/tests/task-02.1-01.sh`, `${phaseDir}/EXECUTION-LOG.md`],
  scratchpad: '.autopilot/scratchpad/',
  isPart: true,
  planned: ['src/a.ts'],
}
const ground = (kind: Expects, more: object = {}) =>
  groundOf(personaOf[kind], { ...orderFromAll(kind), ...more }, facts)

test('every persona has a contract, and only who builds may change the project', () => {
  expect(Object.keys(contracts).sort()).toEqual([...names].sort())
  const changing = names.filter((name) => contracts[name].may.includes('project files'))
  expect(changing).toEqual(['phase-executor', 'phase-debugger'])
})

test('who only says something of the project commits nothing and changes no plan', () => {
  for (const name of names.filter((one) => !personas[one].writes)) {
    expect(contracts[name].may.filter((area) => /commit|plan|project|task/.test(area))).toEqual([])
  }
})

test('nothing is both allowed and noted, and everybody may write a trace', () => {
  for (const { may, noted } of Object.values(contracts)) {
    expect(may.filter((area) => noted.includes(area))).toEqual([])
    expect(may).toContain('trace')
  }
})

test('the planner writes its plan and the tests of its tasks, also over those of before', () => {
  const planPath = `${phaseDir}/PLAN.md`
  const { ground: of } = ground('plan', { planPath, testsDir: `${phaseDir}/tests` })
  expect(of.places['its plan']).toEqual([planPath, `${phaseDir}/tests/`, planPath])
  const added = (path: string) => of.mayAdd?.some((one) => one.test(path))
  expect(added(`${phaseDir}/02.1-02-PLAN.md`)).toBe(true)
  expect(added('.planning/phases/03-other/03-01-PLAN.md')).toBe(false)
  expect(of.frozen).toEqual([facts.specPath, facts.roadmapPath, `${phaseDir}/EXECUTION-LOG.md`])
})

test('the executor finds spec, plans, tests of tasks and log frozen', () => {
  const { ground: of } = ground('execution', { planPaths: [`${phaseDir}/PLAN.md`] })
  expect(of.frozen).toEqual([
    facts.specPath,
    facts.roadmapPath,
    `${phaseDir}/PLAN.md`,
    `${phaseDir}/tests/task-02.1-01.sh`,
    `${phaseDir}/EXECUTION-LOG.md`,
  ])
  expect(of.places.handoff).toEqual([`${phaseDir}/HANDOFF.md`])
  expect(of.planned).toEqual(['src/a.ts'])
})

test('who builds is asked about records of all phases and the settings of the run, not about its own words', () => {
  const { kept = [], ownSubjects = [] } = ground('execution', {}).ground
  const isKept = (path: string) => kept.some((one) => one.test(path))
  const records = [
    'EXECUTION-LOG.md',
    'VERIFICATION.md',
    'split-20a/SCORECARD.md',
    '02-01-PLAN.md',
    'verify-trace.jsonl',
  ]
  for (const name of records) expect([name, isKept(`${phaseDir}/${name}`)]).toEqual([name, true])
  expect(isKept('.planning/config.json')).toBe(true)
  for (const name of ['SUMMARY.md', 'CONTEXT.md', 'notes.md', 'deferred-items.md'])
    expect([name, isKept(`${phaseDir}/${name}`)]).toEqual([name, false])
  expect(ground('plan', {}).ground.kept).toBeUndefined()
  const isOurs = (subject: string) => ownSubjects.some((one) => one.test(subject))
  expect(isOurs('docs(phase-1): artifacts')).toBe(true)
  expect(isOurs('docs(phase-1): plan of the artifacts')).toBe(false)
})

test('tags and branches of the run are free only beside parts that are at work', () => {
  expect(ground('execution', {}).ground.ownRefs).toBeDefined()
  const alone = groundOf('phase-executor', orderFromAll('execution'), { ...facts, isPart: false })
  expect(alone.ground.ownRefs).toBeUndefined()
})

test('the judge writes its report, verifier and rater nothing but a trace', () => {
  const reportPath = `${phaseDir}/JUDGE-REPORT.md`
  expect(ground('judgement', { reportPath }).ground.places['its own record']).toEqual([reportPath])
  for (const kind of ['verification', 'rating'] as const) {
    expect(ground(kind).ground.places['its own record']).toEqual([])
    expect(ground(kind).ground.places['its plan']).toEqual([])
  }
  expect(() => groundOf('somebody', {}, facts)).toThrow('no contract of somebody')
})
