import { describe, expect, it } from 'vitest'
import { createGateDesk } from '../../source/run/gate-desk.js'
import type { Question } from '../../source/run/question.js'
import { QuestionWithdrawn, RunStopped } from '../../source/run/stopped.js'

function question(id: string, more: Partial<Question> = {}): Question {
  return {
    id,
    gate: 'Q-TEST',
    title: id,
    body: [],
    options: [
      { value: 'yes', label: 'yes', consequence: '' },
      { value: 'why', label: 'why', consequence: '', text: { label: 'Why?', required: true } },
    ],
    askedAt: '2030-01-01T00:00:00Z',
    ...more,
  }
}

const settle = () => new Promise((resolve) => setImmediate(resolve))

describe('gate desk', () => {
  it('shows one question at a time and takes only an answer that fits it', async () => {
    const desk = createGateDesk(new AbortController().signal)
    const shown: string[] = []
    const first = desk.open(question('first'), (open) => shown.push(open.id))
    const second = desk.open(question('second'), (open) => shown.push(open.id))
    await settle()
    expect(shown).toEqual(['first'])
    expect(desk.answer('second', { value: 'yes' })).toBe(false)
    expect(desk.answer('first', { value: 'no such option' })).toBe(false)
    expect(desk.answer('first', { value: 'why', text: '  ' })).toBe(false)
    expect(desk.answer('first', { value: 'yes' })).toBe(true)
    expect(await first).toEqual({ answer: { value: 'yes' } })
    expect(desk.answer('first', { value: 'yes' })).toBe(false)
    await settle()
    expect(shown).toEqual(['first', 'second'])
    desk.answer('second', { value: 'why', text: 'because' })
    expect(await second).toEqual({ answer: { value: 'why', text: 'because' } })
  })

  it('takes a question back when the one who asked has ended, and goes on with the next', async () => {
    const desk = createGateDesk(new AbortController().signal)
    const ended = new AbortController()
    const asked = desk.open(question('agent'), () => {}, ended.signal)
    const next = desk.open(question('next'), () => {})
    await settle()
    ended.abort()
    await expect(asked).rejects.toBeInstanceOf(QuestionWithdrawn)
    expect(desk.answer('agent', { value: 'yes' })).toBe(false)
    await settle()
    expect(desk.answer('next', { value: 'yes' })).toBe(true)
    await next
  })

  it('throws for every open question once the run is stopped', async () => {
    const stop = new AbortController()
    const desk = createGateDesk(stop.signal)
    const open = desk.open(question('open'), () => {})
    const queued = desk.open(question('queued'), () => {})
    stop.abort()
    await expect(open).rejects.toBeInstanceOf(RunStopped)
    await expect(queued).rejects.toBeInstanceOf(RunStopped)
  })

  it('answers by itself when its countdown has passed', async () => {
    const desk = createGateDesk(new AbortController().signal)
    const countdown = { until: new Date(Date.now() - 1000).toISOString(), value: 'again' }
    expect(await desk.open(question('wait', { countdown }), () => {})).toEqual({ answer: { value: 'again' } })
  })
})
