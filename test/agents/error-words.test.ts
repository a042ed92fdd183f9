import { describe, expect, it } from 'vitest'
import { saysContextFull, saysLimitReached, saysSpent } from '../../source/agents/error-words.js'

describe('a usage limit', () => {
  it.each([
    "You've reached your 5-hour message limit.",
    'You have reached your limit',
    'You’re out of extra usage · resets 3am (Europe/London)',
    "You've used all your included usage",
    'You have run out of premium requests, no more requests until Monday',
    'Your 5h limit has been reached',
    'Weekly cap exceeded',
    'You have exhausted your capacity on this model',
    'usage_limit_reached',
    'plan_limit_reached',
    'insufficient_quota',
    'Nutzungslimit erreicht',
    'Has alcanzado el límite de uso',
    '使用限额已达到',
  ])('is told by: %s', (message) => {
    expect(saysLimitReached(message)).toBe(true)
  })

  it.each([
    'Disk quota exceeded',
    'Number of request tokens has exceeded your per-minute rate limit',
    'The file size limit is 5 MB',
    'max turns limit reached',
    'output token limit reached',
    'The test checks that the limit is hit',
  ])('is not told by: %s', (message) => {
    expect(saysLimitReached(message)).toBe(false)
  })

  it('of a day is told by an answer that there were too many requests', () => {
    expect(saysSpent('Too many requests, try again tomorrow')).toBe(true)
    expect(saysSpent('200 requests per day')).toBe(true)
    expect(saysSpent('Too many requests, try again')).toBe(false)
  })
})

describe('a conversation that no longer fits', () => {
  it.each([
    'Prompt too long',
    'context_length_exceeded',
    'the request exceeds the available context size, try increasing it',
    'exceed_context_size_error',
    'ContextOverflowError',
    'prompt token count of 130000 exceeds the limit of 128000',
    'input tokens exceed the configured limit of 272000 tokens',
    'Please reduce the length of the messages',
    'The conversation has grown too long',
    'request_too_large',
    'model_max_prompt_tokens_exceeded',
    'The context is full',
  ])('is told by: %s', (message) => {
    expect(saysContextFull(message)).toBe(true)
  })

  it.each([
    'max_tokens is too large',
    'tokens per min (TPM) exceeded the limit of 30000',
    'File name too long',
  ])('is not told by: %s', (message) => {
    expect(saysContextFull(message)).toBe(false)
  })
})
