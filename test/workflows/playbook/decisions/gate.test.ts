import { expect, test } from 'vitest'
import { decideGate, type GateFacts } from '../../../../source/workflows/playbook/decisions/gate.js'

// The gate behind verification, judgement and rating, row by row (docs/playbook.md, "Decisions").

const facts: GateFacts = {
  recommendation: 'proceed',
  failing: false,
  score: 9.1,
  leastScore: 7,
  debugLeft: 3,
  replanLeft: 1,
  needsPerson: false,
}
const all = { failing: true, score: 5, debugLeft: 0, replanLeft: 0, needsPerson: true }
const halted = { next: 'rollback', recommendation: 'halt' }

test.each<[string, Partial<GateFacts>, object]>([
  [
    'what the judge halts is taken back, whatever else is wrong',
    { ...all, recommendation: 'halt' },
    { ...halted, issue: 'judge_halt: the judge asks for it' },
  ],
  [
    'why the judge halts is told with it',
    { recommendation: 'halt', concerns: ['It loses notes.', 'Nobody can undo it.'] },
    { ...halted, issue: 'judge_halt: It loses notes. Nobody can undo it.' },
  ],
  [
    'what the judge rolls back is taken back, however good it is',
    { recommendation: 'rollback' },
    { next: 'rollback', recommendation: 'rollback', issue: 'judge_rollback: the judge asks for it' },
  ],
  ['what is red is debugged, however good its score is', { failing: true }, { next: 'debug' }],
  ['what is red is debugged before it is planned anew', { failing: true, score: 5 }, { next: 'debug' }],
  ['the judge may ask for debugging', { recommendation: 'debug' }, { next: 'debug' }],
  ['the last attempt to debug counts', { failing: true, debugLeft: 1 }, { next: 'debug' }],
  [
    'without an attempt left it is taken back',
    { failing: true, debugLeft: 0 },
    { ...halted, issue: 'debug attempts are used up' },
  ],
  ['under 7.0 it is planned anew', { score: 6.9 }, { next: 're-plan' }],
  ['under 7.0 a person is not asked first', { score: 6.9, needsPerson: true }, { next: 're-plan' }],
  [
    'planned anew once, and then taken back',
    { score: 6.9, replanLeft: 0 },
    { ...halted, issue: 'score 6.9 is below 7.0' },
  ],
  ['7.0 is enough', { score: 7, replanLeft: 0 }, { next: 'complete' }],
  ['more may be asked for', { score: 7.9, leastScore: 8 }, { next: 're-plan' }],
  [
    'what was asked for is told',
    { score: 7.9, leastScore: 8, replanLeft: 0 },
    { ...halted, issue: 'score 7.9 is below 8.0' },
  ],
  ['less may be enough', { score: 5, leastScore: 5, replanLeft: 0 }, { next: 'complete' }],
  [
    'nothing was rated, and a task waits for a person',
    { score: null, needsPerson: true },
    { next: 'person' },
  ],
  ['a task waits for a person', { needsPerson: true }, { next: 'person' }],
  ['nothing is in the way', {}, { next: 'complete' }],
])('the gate: %s', (_, more, decision) => {
  expect(decideGate({ ...facts, ...more })).toEqual(decision)
})
