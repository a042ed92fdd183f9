import { describe, expect, it } from 'vitest'
import type { DispatchHooks, Reply, Run } from '../../source/run/run.js'
import { RunStopped } from '../../source/run/stopped.js'
import type { Question } from '../../source/view/question.js'
import { inTemporary } from '../support/temporary.js'
import {
  openToy,
  recordsOf,
  reply,
  startToy,
  type Toy,
  type ToyProcess,
  toyMachine,
  type Work,
  yesOrNo,
} from './toy.js'

// Several agents at once: each with a slot, a pane, a folder and questions of its own.

interface Agent {
  hooks: DispatchHooks
  finish(answer?: Reply): void
}

/** Agents whose ends the test decides, by key. */
function agents() {
  const begun = new Map<string, Agent>()
  const dispatch = (run: Run<Toy>, key: string, cwd?: string) =>
    run.agent<Reply>(
      key,
      { persona: key, title: key, phase: '1', ...(cwd === undefined ? {} : { cwd }) },
      (hooks) =>
        new Promise((resolve, reject) => {
          begun.set(key, { hooks, finish: (answer = reply(key)) => resolve(answer) })
          hooks.signal.addEventListener('abort', () =>
            resolve({ ...reply(key), ok: false, error: 'aborted' }),
          )
          if (hooks.signal.aborted) reject(new Error('begun after the end'))
        }),
    )
  const agent = async (key: string): Promise<Agent> => {
    await expect.poll(() => begun.has(key)).toBe(true)
    return begun.get(key) as Agent
  }
  return { dispatch, agent }
}

const both =
  (dispatch: ReturnType<typeof agents>['dispatch']): Work =>
  (_state, run) =>
    Promise.all([dispatch(run, 'left', 'trees/left'), dispatch(run, 'right', 'trees/right')])

async function working(
  use: (toy: ToyProcess, agent: (key: string) => Promise<Agent>, root: string) => Promise<void>,
) {
  await inTemporary('agents', async (root) => {
    const { dispatch, agent } = agents()
    const toy = startToy(await openToy(root), toyMachine(both(dispatch)))
    await agent('left')
    await agent('right')
    await use(toy, agent, root)
    toy.stop()
    await toy.ended.catch(() => undefined)
    await toy.store.close()
  })
}

const paneOf = (toy: ToyProcess, title: string) =>
  toy.live.getSnapshot().panes.find((pane) => pane.title === title)

describe('two agents at once', () => {
  it('have a pane, a folder and a record each, and what they use adds up', async () => {
    await working(async (toy, agent, root) => {
      const [left, right] = [await agent('left'), await agent('right')]
      left.hooks.usage({ inputTokens: 5, outputTokens: 1 })
      right.hooks.usage({ inputTokens: 7, outputTokens: 1 })
      expect(toy.live.getSnapshot().usage).toEqual({ inputTokens: 12, outputTokens: 2 })
      right.finish()
      await expect.poll(() => paneOf(toy, 'right')?.status).toBe('ok')
      expect(paneOf(toy, 'left')?.status).toBe('running')
      await expect.poll(() => toy.live.getSnapshot().usage).toEqual({ inputTokens: 15, outputTokens: 2 })
      left.finish()
      await toy.ended
      const begun = (await recordsOf(root)).filter((record) => record.type === 'dispatched')
      expect(begun.map(({ cwd }) => cwd).sort()).toEqual(['trees/left', 'trees/right'])
      expect(toy.live.getSnapshot().phaseUsage.get('1')).toEqual({ inputTokens: 20, outputTokens: 2 })
    })
  })

  it('are told, suspended and interrupted one by one, or all', async () => {
    await working(async (toy, agent) => {
      const calls: string[] = []
      for (const key of ['left', 'right'])
        (await agent(key)).hooks.control({
          say: (text) => {
            calls.push(`${key} hears ${text}`)
            return 'sent'
          },
          suspend: (on) => void calls.push(`${key} ${on ? 'stops' : 'goes on'}`),
          interrupt: () => void calls.push(`${key} ends`),
        })
      const right = paneOf(toy, 'right')?.id
      expect(toy.controls.say('slowly', right)).toBe('sent')
      toy.controls.suspend(right)
      expect([paneOf(toy, 'left')?.status, paneOf(toy, 'right')?.status]).toEqual(['running', 'suspended'])
      expect(toy.live.getSnapshot().status).toBe('running')
      toy.controls.suspend(right)
      expect(calls.splice(0)).toEqual(['right hears slowly', 'right stops', 'right goes on'])
      toy.controls.say('both')
      toy.controls.suspend()
      expect(toy.live.getSnapshot().status).toBe('suspended')
      expect(toy.controls.interrupt(right)).toBe(true)
      expect(paneOf(toy, 'left')?.status).toBe('suspended')
      expect(calls).toEqual([
        'left hears both',
        'right hears both',
        'left stops',
        'right stops',
        'right goes on',
        'right ends',
      ])
      expect(toy.controls.interrupt('no such pane')).toBe(false)
      expect(toy.controls.say('to nobody', 'no such pane')).toBe('kept')
    })
  })

  it('ask at the same time: one question after the other, none lost, and all are on disk', async () => {
    await working(async (toy, agent) => {
      const answers = await Promise.all(
        ['left', 'right'].map(async (key) => ({ key, ...(await agent(key)) })),
      )
      const given = answers.map(({ key, hooks }) => hooks.ask(yesOrNo(`May ${key}?`)))
      await expect.poll(() => toy.store.digest.questions.length).toBe(2)
      const shown: string[] = []
      for (let count = 0; count < 2; count += 1) {
        await expect
          .poll(() => shown.includes(toy.live.getSnapshot().question?.title ?? shown[0] ?? ''))
          .toBe(false)
        const question = toy.live.getSnapshot().question as Question
        shown.push(question.title)
        expect(toy.run.desk.answer(question.id, { value: count === 0 ? 'yes' : 'no' })).toBe(true)
      }
      expect((await Promise.all(given)).map(({ value }) => value).sort()).toEqual(['no', 'yes'])
      expect(shown.sort()).toEqual(['May left?', 'May right?'])
      expect(toy.live.getSnapshot().question).toBeUndefined()
      await expect.poll(() => toy.store.digest.questions.length).toBe(0)
    })
  })

  it('a question that waits behind another is taken back when its agent ends', async () => {
    await working(async (toy, agent) => {
      const [left, right] = [await agent('left'), await agent('right')]
      const first = left.hooks.ask(yesOrNo('May left?'))
      await expect.poll(() => toy.live.getSnapshot().question?.title).toBe('May left?')
      const second = right.hooks.ask(yesOrNo('May right?'))
      await expect.poll(() => toy.store.digest.questions.length).toBe(2)
      right.finish()
      await expect(second).rejects.toThrow('taken back')
      expect(toy.live.getSnapshot().question?.title).toBe('May left?')
      toy.run.desk.answer(toy.live.getSnapshot().question?.id ?? '', { value: 'yes' })
      await expect(first).resolves.toEqual({ value: 'yes' })
    })
  })

  it('a stop ends both, and what both have used is on record', async () => {
    await working(async (toy, agent, root) => {
      for (const key of ['left', 'right']) (await agent(key)).hooks.usage({ inputTokens: 3, outputTokens: 1 })
      toy.stop()
      await expect(toy.ended).rejects.toBeInstanceOf(RunStopped)
      const spent = (await recordsOf(root)).filter((record) => record.type === 'spent')
      expect(spent.map(({ key }) => key).sort()).toEqual(['left', 'right'])
    })
  })

  it('a failure beside an agent ends it before the run is left', async () => {
    await inTemporary('agents', async (root) => {
      const { dispatch, agent } = agents()
      const work: Work = (_state, run) =>
        Promise.all([
          dispatch(run, 'left'),
          run.step('fails', async () => {
            await agent('left')
            throw new Error('something else')
          }),
        ])
      const toy = startToy(await openToy(root), toyMachine(work))
      await expect(toy.ended).rejects.toThrow('something else')
      expect((await recordsOf(root)).at(-1)).toMatchObject({ type: 'spent', key: 'left' })
      await toy.store.close()
    })
  })

  it('each on top of what the other has saved', async () => {
    await inTemporary('agents', async (root) => {
      const names = ['a', 'b', 'c', 'd']
      const work: Work = (_state, run) =>
        Promise.all(
          names.map((name) => run.update(name, (latest) => ({ ...latest, done: [...latest.done, name] }))),
        )
      const toy = startToy(await openToy(root), toyMachine(work))
      expect((await toy.ended).done.toSorted()).toEqual(names)
      await toy.store.close()
    })
  })
})

describe('killed at every line of a run with two agents that both ask', () => {
  const work: Work = async (_state, run) => {
    const one = (key: string) => async () => {
      const answer = await run.ask(`gate-${key}`, yesOrNo(`Gate ${key}?`))
      const { dispatchId } = await run.agent<Reply>(
        key,
        { persona: key, title: key, phase: key, cwd: key },
        async (hooks) => {
          await hooks.ask(yesOrNo(`May ${key}?`))
          return reply(key)
        },
      )
      await run.update(`done-${key}`, (latest) => ({
        ...latest,
        done: [...latest.done, `${key} ${answer.value} ${dispatchId.includes(key)}`],
      }))
    }
    await Promise.all(['left', 'right'].map((key) => one(key)()))
  }
  const answer = () => ({ value: 'yes' })

  it('comes to the same, with every gate answered once and every agent recorded once', async () => {
    let lines = Number.POSITIVE_INFINITY
    for (let line = 1; line <= lines; line += 1) {
      await inTemporary('agents', async (root) => {
        const first = startToy(await openToy(root), toyMachine(work), { answer, killAfter: line })
        const how = await Promise.race([first.killed.then(() => 'killed'), first.ended.then(() => 'ended')])
        if (how === 'ended') lines = line - 1
        const store = await openToy(root, first.store.lock.lockId)
        await first.store.close()
        const second = startToy(store, toyMachine(work), { answer })
        const state = await second.ended
        await store.close()
        expect([...state.done].sort(), `line ${line}`).toEqual(['left yes true', 'right yes true'])
        expect(second.leftovers).toEqual([])
        expect(store.digest.questions).toEqual([])
        const all = await recordsOf(root)
        const gates = all.filter((record) => record.type === 'answered' && !record.aside)
        expect(gates.map((record) => 'key' in record && record.key).sort()).toEqual([
          'gate-left',
          'gate-right',
        ])
        const replies = all.filter((record) => record.type === 'agent')
        expect(replies.map(({ key }) => key).sort()).toEqual(['left', 'right'])
      })
    }
    expect(lines).toBeGreaterThan(18)
  })
})

describe('a dispatch in which the program died three times', () => {
  it('is asked about before it begins a fourth time', async () => {
    await inTemporary('broken', async (root) => {
      const { dispatch, agent } = agents()
      const work: Work = (_state, run) => dispatch(run, 'work')
      let lockId: string | undefined
      for (let death = 0; death < 3; death += 1) {
        const store = await openToy(root, lockId)
        const dying = startToy(store, toyMachine(work))
        await expect.poll(() => dying.live.getSnapshot().panes.length).toBe(1)
        lockId = store.lock.lockId
      }
      const asked = startToy(await openToy(root, lockId), toyMachine(work), {
        answer: (question) => (question.gate === 'Q-BROKEN-STEP' ? { value: 'again' } : undefined),
      })
      await expect.poll(() => asked.live.getSnapshot().panes.length).toBe(1)
      expect(asked.asked.map(({ title }) => title)).toEqual(['work: broken off 3 times'])
      const { hooks, finish } = await agent('work')
      expect(hooks).toMatchObject({ attempt: 4, interrupted: {} })
      finish()
      await asked.ended
      await asked.store.close()
    })
  })

  it('ends the run when the person says stop, and asks again the next time', async () => {
    await inTemporary('broken', async (root) => {
      const { dispatch } = agents()
      const work: Work = (_state, run) => dispatch(run, 'work')
      let lockId: string | undefined
      for (let death = 0; death < 3; death += 1) {
        const store = await openToy(root, lockId)
        const dying = startToy(store, toyMachine(work))
        await expect.poll(() => dying.live.getSnapshot().panes.length).toBe(1)
        lockId = store.lock.lockId
      }
      for (let time = 0; time < 2; time += 1) {
        const store = await openToy(root, lockId)
        const stopped = startToy(store, toyMachine(work), { answer: () => ({ value: 'stop' }) })
        await expect(stopped.ended).rejects.toBeInstanceOf(RunStopped)
        expect(stopped.asked.map(({ gate }) => gate)).toEqual(['Q-BROKEN-STEP'])
        await store.close()
        lockId = undefined
      }
    })
  })
})
