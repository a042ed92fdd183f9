import { expect, test } from 'vitest'
import { qBroken, qDone } from '../../source/sessions/session-questions.js'

// What an option of a question before the run says that it does.

const consequence = ({ options }: ReturnType<typeof qBroken>) =>
  options.find(({ value }) => value === 'archive')?.consequence

test('who archives a session reads which file is moved, where it lies outside of the session', () => {
  const outside = {
    stateFile: '_docs/_autopilot_state.md',
    sessionDir: '.autopilot/session',
    archiveDir: '.autopilot/archive',
  }
  for (const question of [qBroken(['x'], outside), qDone(['x'], outside)])
    expect(consequence(question)).toBe(
      'move _docs/_autopilot_state.md and what else belongs to this session to .autopilot/archive and begin again',
    )
  const inside = {
    stateFile: '.harness/sessions/mail/autopilot-state.json',
    sessionDir: '.harness/sessions/mail',
    archiveDir: '.harness/archive',
  }
  expect(consequence(qBroken(['x'], inside))).toBe('move the session to .harness/archive and begin again')
})
