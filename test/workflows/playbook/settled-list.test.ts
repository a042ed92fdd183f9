import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

// Where older descriptions of the phase runner contradict each other, and the named test that holds what was settled.

const unit = 'test/workflows/playbook'
const plays = 'test/plays/playbook'

const settled: readonly [topic: string, file: string, title: string][] = [
  ['whole scores of verifier and judge', `${unit}/settled.test.ts`, 'the score is the rater\\u2019s'],
  [
    'whole scores of older files',
    `${unit}/settled-rows.test.ts`,
    'whole scores of the verifier or the judge',
  ],
  ['when deferrals warn', `${unit}/settled.test.ts`, 'deferrals warn at 5 % and from two phases on'],
  [
    'one field, two meanings',
    `${unit}/settled.test.ts`,
    'the limit of deferrals and the threshold of confidence',
  ],
  [
    'score under 7',
    `${unit}/settled-rows.test.ts`,
    'a score below 7 is planned anew; failing checks are debugged',
  ],
  [
    'plan check without confidence',
    `${unit}/settled.test.ts`,
    'a plan check that passes with a confidence under 7',
  ],
  [
    'limits of debugging and planning',
    `${unit}/settled.test.ts`,
    'a phase is planned anew once and mended three times',
  ],
  ['both limits at once', `${plays}/tables.test.ts`, 'a check is red, a criterion does not hold'],
  ['debugging is used up', `${unit}/settled-rows.test.ts`, 'debug attempts that are used up: taken back'],
  ['a tree that is not clean', `${unit}/settled-rows.test.ts`, 'a tree that is not clean is asked about'],
  ['signs of a dependency', `${unit}/settled-rows.test.ts`, 'a dependency is met by three signs'],
  ['no command to compile', `${unit}/settled-rows.test.ts`, 'no command to compile is not applicable'],
  [
    'a task is taken back',
    `${plays}/taken-back.test.ts`,
    'a task whose second attempt makes the difference larger',
  ],
  ['words for a fix loop', `${plays}/taken-back.test.ts`, 'its fix loop has tripped'],
  ['the floor of 120 s', `${unit}/settled-rows.test.ts`, 'the floor of 120 seconds is a setting, and soft'],
  ['when the state is saved', `${plays}/taken-back.test.ts`, 'the state is saved at every step'],
  [
    'a failed run, a changed spec',
    `${unit}/settled-rows.test.ts`,
    'a failed run and a spec that has changed are asked',
  ],
  ['directories and keys', `${unit}/settled-rows.test.ts`, 'directories are told by whole ids'],
  ['time of commands', `${unit}/settled.test.ts`, 'a command of a criterion has 60 seconds'],
  ['prefix of hashes', `${unit}/settled-rows.test.ts`, 'hashes are written with their prefix'],
  [
    'planning commits in a rollback',
    `${plays}/taken-back.test.ts`,
    'a phase that is taken back keeps its records',
  ],
  ['how often a check sends again', `${unit}/settled.test.ts`, 'each check that sends again does so once'],
  ['half open', `${unit}/settled.test.ts`, 'half open, one probe is made and no more'],
  [
    'mending that is used up',
    `${unit}/settled.test.ts`,
    'mending that used up its cycles never fails the phase',
  ],
  [
    'progress and ignore lines',
    `${plays}/straight.test.ts`,
    'stands in plain lines, and one ignore line is added',
  ],
]

test.each(settled)('%s: %s has its test', (_, file, title) => {
  expect(readFileSync(file, 'utf8')).toContain(title)
})
