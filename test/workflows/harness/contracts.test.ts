import { expect, test } from 'vitest'
import { contracts } from '../../../source/workflows/harness/contracts.js'
import { type HarnessPersona, personas } from '../../../source/workflows/harness/personas/personas.js'

const names = Object.keys(personas) as HarnessPersona[]

test('every persona has a contract, and only the executor may change the project', () => {
  expect(Object.keys(contracts).sort()).toEqual([...names].sort())
  const changing = names.filter((name) => contracts[name].may.includes('project files'))
  expect(changing).toEqual(['harness-task-executor'])
})

test('who only says something of the project commits nothing and changes no plan', () => {
  for (const name of names.filter((one) => !personas[one].writes)) {
    const { may } = contracts[name]
    expect(may.filter((area) => /commit|plan|project|task/.test(area))).toEqual([])
  }
})

test('nothing is both allowed and noted, and everybody may hand on what they know', () => {
  for (const { may, noted } of Object.values(contracts)) {
    expect(may.filter((area) => noted.includes(area))).toEqual([])
    expect(may).toContain('handoff')
  }
})
