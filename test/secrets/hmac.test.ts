import { expect, test } from 'vitest'
import { deriveKey, sealHolds, sealOf } from '../../source/secrets/hmac.js'

const key = Buffer.alloc(32, 7)

test('a seal holds for its text and key, and for nothing else', () => {
  const seal = sealOf(key, 'line')
  expect(sealHolds(key, 'line', seal)).toBe(true)
  expect(sealHolds(key, Buffer.from('line'), seal)).toBe(true)
  for (const other of ['lines', '', 'Line']) expect(sealHolds(key, other, seal), other).toBe(false)
  expect(sealHolds(Buffer.alloc(32, 8), 'line', seal)).toBe(false)
})

test('what is no seal does not hold', () => {
  const seal = sealOf(key, 'line')
  for (const wrong of [undefined, null, 1, '', seal.slice(1), `${seal}0`, seal.toUpperCase(), { seal }])
    expect(sealHolds(key, 'line', wrong)).toBe(false)
})

test('keys of two purposes differ, of one purpose are the same', () => {
  expect(deriveKey(key, 'trust')).toEqual(deriveKey(key, 'trust'))
  expect(deriveKey(key, 'trust')).not.toEqual(deriveKey(key, 'session a'))
  expect(sealHolds(deriveKey(key, 'trust'), 'x', sealOf(deriveKey(key, 'session a'), 'x'))).toBe(false)
})
