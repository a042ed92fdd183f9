import { mkdir } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { Problem, problemLines } from '../source/problem.js'

const refused = (code: string) =>
  Object.assign(new Error(`${code}: refused, mkdir '/home/ada/.local'`), {
    code,
    path: '/home/ada/.local',
    syscall: 'mkdir',
  })

test.each([
  ['EROFS', 'The file system is read-only'],
  ['EACCES', 'Make the file and its directory writable'],
  ['EMFILE', 'Too many files are open'],
])('a path that the system refuses with %s is told in three parts', (code, todo) => {
  const [what, why, next] = problemLines(refused(code))
  expect(what).toBe(`/home/ada/.local cannot be used: mkdir failed with ${code}.`)
  expect(why).toContain('what was saved before is as it was')
  expect(next).toContain(todo)
})

test.each([
  ['ENOSPC', 'The disk is full', 'Free some space'],
  ['EFBIG', 'A file has reached the size that is allowed here', 'ulimit -f'],
])('want of room by %s is told with what helps', (code, what, todo) => {
  const lines = problemLines(Object.assign(new Error(code), { code, syscall: 'write' }))
  expect(lines[0]).toBe(`${what}.`)
  expect(lines[2]).toContain(todo)
})

test('a real one, too', async () => {
  const error = await mkdir('/dev/null/below').catch((thrown: unknown) => thrown)
  expect(problemLines(error)[0]).toBe('/dev/null/below cannot be used: mkdir failed with ENOTDIR.')
})

test('a Problem is told as it is, and what nobody foresaw as that', () => {
  const parts = { code: 'usage', what: 'What.', why: 'Why.', todo: 'Do.' } as const
  expect(problemLines(new Problem({ ...parts, cause: refused('EROFS') }))).toEqual(['What.', 'Why.', 'Do.'])
  expect(problemLines(new TypeError('odd'))[1]).toContain('not expected')
})
