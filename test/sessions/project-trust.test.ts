import { expect, test } from 'vitest'
import { trustQuestion } from '../../source/sessions/project-trust.js'
import { safeOption } from '../../source/ui/layout/option-letters.js'

test('the question of trust opens on "no", which nobody recommends', () => {
  const subject = { root: '/project', items: [], hash: 'a1b2c3' }
  const { options } = trustQuestion(subject, new Date(0))
  expect(options[safeOption(options)]?.value).toBe('no')
  expect(options.filter(({ recommended }) => recommended)).toEqual([])
})

test('the question of trust says that nothing was executed only where nothing was', () => {
  const subject = { root: '/project', items: [], hash: 'a1b2c3' }
  expect(trustQuestion(subject, new Date(0)).body[0]).toContain(
    'Nothing of this project has been executed yet',
  )
  const { body } = trustQuestion(subject, new Date(0), { known: true })
  expect(body[0]).toContain('not what you agreed to before')
  expect(body.join('\n')).not.toContain('Nothing of this project has been executed')
})
