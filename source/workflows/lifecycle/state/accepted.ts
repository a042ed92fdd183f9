import type { TouchedLog } from '../../evidence/touched.js'
import { decided } from './changes.js'
import { type LifecycleState, recordOf } from './state.js'

const always = (persona: string) => `what ${persona} leaves is put back`

/** What a person decided about changes of an agent is a line of Key Decisions, like every other decision. */
export const touchedLog: TouchedLog<LifecycleState> = {
  withAccepted: ({ text }, { persona, title, names }, at) => ({
    text: decided(
      text,
      at,
      'Q-TOUCHED',
      `accepted of ${persona} (${title}): ${names.map(oneLine).join('; ')}`,
    ),
  }),
  putsBackAlways: (state, persona) =>
    recordOf(state).decisions.some((line) => line.endsWith(` Q-TOUCHED: ${always(persona)}`)),
  withPutBackAlways: ({ text }, persona, at) => ({ text: decided(text, at, 'Q-TOUCHED', always(persona)) }),
}

const oneLine = (name: string) => name.replace(/\s+/g, ' ').trim()
