import { expect, test } from 'vitest'
import { trustQuestion } from '../../source/sessions/project-trust.js'
import { safeOption } from '../../source/ui/layout/option-letters.js'

test('the question of trust opens on "no", which nobody recommends', () => {
  const subject = { root: '/project', items: [], hash: 'a1b2c3' }
  const { options } = trustQuestion(subject, new Date(0))
  expect(options[safeOption(options)]?.value).toBe('no')
  expect(options.filter(({ recommended }) => recommended)).toEqual([])
})
