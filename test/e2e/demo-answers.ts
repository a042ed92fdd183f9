import type { Policy } from './journey.js'

/** What a person answers in the demo. */
export const demoAnswers: Policy = {
  'Q-TOUCHED': { choose: 'put back' },
  'Q-APPROVE': { choose: 'yes' },
  decision: { choose: 'by room' },
  'human-verify': { choose: 'confirm' },
  'Q-REVIEW': { choose: 'fix' },
  'Q-NEXT': { choose: 'yes' },
  'Q-ROADMAP': { choose: 'apply' },
  'Q-PR': { choose: 'no' },
}

/** Whether the screen shows the end of a session. */
export const finished = (screen: string) => screen.includes('── Finished')
