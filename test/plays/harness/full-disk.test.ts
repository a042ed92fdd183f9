import { type FileHandle, readdir } from 'node:fs/promises'
import { afterEach, expect, test, vi } from 'vitest'
import { exitCodeOf } from '../../../source/commands/exit-code.js'
import { problemLines } from '../../../source/problem.js'
import { createStage, play, sessionDir, sessionFile } from './stage.js'

// The disk is full in the middle of a run (docs/durability.md, "When saving fails").

// What fails, by the end of a path and the call on its file.
const failing = vi.hoisted(() => ({ path: /never/, call: '' }))

vi.mock('node:fs/promises', async (original) => {
  const real = await original<typeof import('node:fs/promises')>()
  return {
    ...real,
    open: async (...args: Parameters<typeof real.open>) => {
      const handle = await real.open(...args)
      return new Proxy(handle, {
        get(target, name: keyof FileHandle) {
          const value = target[name]
          if (typeof value !== 'function') return value
          return (...given: unknown[]) => {
            if (failing.path.test(String(args[0])) && failing.call === name) {
              return Promise.reject(Object.assign(new Error('injected'), { code: 'ENOSPC' }))
            }
            return Reflect.apply(value, target, given)
          }
        },
      })
    },
  }
})

const free = () => Object.assign(failing, { path: /never/, call: '' })
afterEach(free)

const onState = /autopilot-state\.json\.\d+\.\w+\.tmp$/

test('a state that cannot be saved is kept in memory; once there is room, nothing was lost or done twice', async () => {
  const project = await createStage([{ name: 'Box' }])
  let asked = 0
  const played = await play(project, {
    acts: {
      verification: () => {
        Object.assign(failing, { path: onState, call: 'writeFile' })
        return { verdict: 'pass', gaps: [] }
      },
    },
    answers: {
      'Q-DISK': (question) => {
        asked += 1
        expect(question.options.map(({ value }) => value)).toEqual(['retry', 'stop'])
        if (asked === 2) free()
        return 'retry'
      },
    },
  })
  expect(played.gates.filter((gate) => gate === 'Q-DISK')).toHaveLength(2)
  expect(played.state.currentState).toBe('DONE')
  expect(played.dispatches.map(({ kind }) => kind)).toEqual([
    'plan',
    'execution',
    'verification',
    'review',
    'final-review',
  ])
  expect(JSON.parse(await sessionFile(project, 'autopilot-state.json'))).toMatchObject({
    currentState: 'DONE',
    phases: [{ verification: 'pass' }],
  })
})

test('stop: what is on disk is whole, and the next run goes on there', async () => {
  const project = await createStage([{ name: 'Box' }])
  const first = await play(project, {
    acts: {
      verification: () => {
        Object.assign(failing, { path: onState, call: 'writeFile' })
        return { verdict: 'pass', gaps: [] }
      },
    },
    answers: { 'Q-DISK': 'stop' },
  })
  expect(first.stopped).toBe(true)
  expect(JSON.parse(await sessionFile(project, 'autopilot-state.json'))).toMatchObject({
    currentState: 'VERIFY',
  })
  free()
  const second = await play(project, { askFirst: () => ({ value: 'restore' }) })
  expect(second.state.currentState).toBe('DONE')
  expect(second.dispatches.map(({ kind }) => kind)).toEqual(['review', 'final-review'])
})

test('a record of the session that cannot be written is asked about too, and leaves no temporary file', async () => {
  const project = await createStage([{ name: 'Box' }])
  const played = await play(project, {
    acts: {
      verification: () => {
        Object.assign(failing, { path: /handoff\.json\.\d+\.\w+\.tmp$/, call: 'writeFile' })
        return { verdict: 'pass', gaps: [] }
      },
    },
    answers: {
      'Q-DISK': (question) => {
        expect(question.body.join(' ')).toContain('handoff.json')
        free()
        return 'retry'
      },
    },
  })
  expect(played.gates.filter((gate) => gate === 'Q-DISK')).toHaveLength(1)
  expect(played.state.currentState).toBe('DONE')
  expect(played.dispatches.filter(({ kind }) => kind === 'verification')).toHaveLength(1)
  expect((await readdir(project.path(sessionDir))).filter((name) => name.endsWith('.tmp'))).toEqual([])
})

test('outside of a run it ends with 3 and says what is the matter', () => {
  const error = Object.assign(new Error('ENOSPC: no space left on device'), {
    code: 'ENOSPC',
    path: '/p/trust.json',
  })
  expect(exitCodeOf(error)).toBe(3)
  expect(problemLines(error)[0]).toBe('The disk is full: /p/trust.json could not be written.')
  expect(exitCodeOf(new Error('other'))).toBe(1)
})
