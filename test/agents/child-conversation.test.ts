import { expect, it } from 'vitest'
import type { AgentEvent, OpenRequest } from '../../source/agents/agent.js'
import {
  type ChildLink,
  openChildConversation,
  type Protocol,
} from '../../source/agents/child-conversation.js'
import type { ChildExit, ChildSpec, StopReason } from '../../source/processes/supervisor.js'

// Turns and processes, with a child that does what the test says.

const request: OpenRequest = {
  runId: 'r',
  dispatchId: 'd',
  role: 'worker',
  cwd: '/project',
  prompt: 'go',
  access: 'full',
  env: {},
  limits: { firstMs: 0, idleMs: 0, wallMs: 60_000 },
  raw: () => {},
}

interface Fake {
  spec: ChildSpec
  busy: boolean[]
  written: string[]
  exit(changes?: Partial<ChildExit>): void
}

function stage(protocol: (link: ChildLink) => Partial<Protocol>) {
  const children: Fake[] = []
  const events: AgentEvent[] = []
  const start = (spec: ChildSpec) => {
    let settle: (exit: ChildExit) => void = () => {}
    let stopped: StopReason | undefined
    const exit = new Promise<ChildExit>((resolve) => {
      settle = resolve
    })
    const fake: Fake = {
      spec,
      busy: [],
      written: [],
      exit: (changes = {}) =>
        settle({
          code: 0,
          signal: null,
          stopped,
          stderrTail: '',
          outputBytes: 1,
          leftovers: 0,
          unkillable: [],
          ...changes,
        }),
    }
    children.push(fake)
    return {
      pid: 42,
      exit,
      write: (text: string) => fake.written.push(text) > 0,
      endInput: () => {},
      touch: () => {},
      busy: (on: boolean) => void fake.busy.push(on),
      pause: async () => {},
      stop(reason: StopReason) {
        stopped ??= reason
        spec.interrupt?.()
        fake.exit({ code: 143 })
        return exit
      },
    }
  }
  let link: ChildLink | undefined
  const conversation = openChildConversation(
    { file: 'agent', args: ['first'], env: {}, request, sink: (event) => events.push(event), start },
    (made) => {
      link = made
      return { line: () => {}, lastWords: () => ({ said: 'done', result: 1, text: 'ok' }), ...protocol(made) }
    },
  )
  if (!link) throw new Error('no link was made')
  const child = () => children[children.length - 1] as Fake
  return { conversation, events, link, children, child }
}

const ends = (events: AgentEvent[]) => events.filter((event) => event.type === 'end')

it('the exit ends the turn that runs, once, with what was used', async () => {
  const { conversation, events, link, child } = stage(() => ({}))
  link.emit({ type: 'usage', scope: 'turn', input: 3, output: 2, cached: 1 })
  child().exit({ leftovers: 2 })
  expect(await conversation.done).toMatchObject({
    ok: true,
    result: 1,
    usage: { input: 3, output: 2, cached: 1 },
  })
  expect(await conversation.close()).toBe(await conversation.done)
  expect(ends(events)).toHaveLength(1)
  expect(events).toContainEqual({
    type: 'log',
    stream: 'stderr',
    line: '2 processes that the agent left behind were ended',
  })
})

it('a turn may end before its process: the next one has an end of its own', async () => {
  const { conversation, events, link, child } = stage((made) => ({
    send(text) {
      made.begin()
      return made.write(text) ? 'sent' : 'unsupported'
    },
  }))
  const first = conversation.done
  link.end({ ok: true, text: 'one', usage: link.usage() })
  link.end({ ok: false, error: 'crash', message: 'too late', retry: 'now', usage: link.usage() })
  expect(await first).toMatchObject({ ok: true, text: 'one' })
  // Between turns silence is expected.
  expect(child().busy.at(-1)).toBe(true)
  expect(conversation.send('more')).toBe('sent')
  expect(child().busy.at(-1)).toBe(false)
  child().exit({ code: 1 })
  expect(await conversation.done).toMatchObject({ ok: false, error: 'crash' })
  expect(await first).toMatchObject({ ok: true })
  expect(ends(events)).toHaveLength(2)
})

it('whoever closes it gets an end that says so, whatever the program claims', async () => {
  const phases: string[] = []
  const { conversation } = stage((link) => ({ leave: () => void phases.push(link.process()) }))
  expect(await conversation.close()).toMatchObject({ ok: false, error: 'aborted' })
  expect(phases).toEqual(['leaving'])
})

it('the first reason to end a turn stays', async () => {
  const { conversation, link, child } = stage(() => ({}))
  link.ending({ error: 'turns', message: 'too many', retry: 'never' })
  link.ending({ error: 'budget', message: 'too dear', retry: 'never' })
  child().exit()
  expect(await conversation.done).toMatchObject({ ok: false, error: 'turns' })
})

it('a program without a polite way to leave is not waited for', () => {
  expect(stage(() => ({})).child().spec.interrupt).toBeUndefined()
  expect(stage(() => ({ leave: () => {} })).child().spec.interrupt).toBeDefined()
})

it('a process may hand its turn on to another', async () => {
  let tries = 0
  const { conversation, events, children } = stage((link) => ({
    opened: () => void link.write(`hello ${tries}`),
    gone() {
      tries += 1
      return tries === 1 ? { args: ['second'] } : undefined
    },
  }))
  children[0]?.exit({ code: 1 })
  while (children.length < 2) await Promise.resolve()
  expect(children.map(({ spec, written }) => [spec.args, written])).toEqual([
    [['first'], ['hello 0']],
    [['second'], ['hello 1']],
  ])
  expect(ends(events)).toEqual([])
  children[1]?.exit()
  expect(await conversation.done).toMatchObject({ ok: true })
})

it('one that waits for a message is let go of, not stopped', async () => {
  const { conversation, link, child } = stage(() => ({
    release: async () => child().exit(),
  }))
  link.end({ ok: true, text: '', usage: link.usage() })
  expect(await conversation.close()).toMatchObject({ ok: true })
})
