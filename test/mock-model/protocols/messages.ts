import type { ErrorReason } from '../turn.js'

// What the services say in such a case: programs pass it on, and a backend may have nothing else to go by.

export type Sayings = Record<ErrorReason, string>

export const anthropicSayings: Sayings = {
  auth: 'invalid x-api-key',
  rate: "This request would exceed your account's rate limit. Please try again later.",
  'usage-limit': "This request would exceed your account's rate limit. Please try again later.",
  server: 'Internal server error',
  overloaded: 'Overloaded',
  missing: 'Not found',
  invalid: 'messages: at least one message is required',
}

export const openaiSayings: Sayings = {
  auth: 'Incorrect API key provided: dummy.',
  rate: 'Rate limit reached for requests per min (RPM): Limit 3, Used 3. Please try again in 1s.',
  'usage-limit': 'The usage limit has been reached',
  server: 'The server had an error while processing your request. Sorry about that!',
  overloaded: 'The server is currently overloaded with other requests. Please try again later.',
  missing: 'The model does not exist or you do not have access to it.',
  invalid: 'Invalid request.',
}

export const geminiSayings: Sayings = {
  auth: 'API key not valid. Please pass a valid API key.',
  rate: 'Resource has been exhausted (e.g. check quota).',
  'usage-limit': 'You have exhausted your quota on this model.',
  server: 'An internal error has occurred. Please retry.',
  overloaded: 'The model is overloaded. Please try again later.',
  missing: 'The model is not found.',
  invalid: 'Request contains an invalid argument.',
}
