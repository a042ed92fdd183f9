// How a terminal is asked to call its owner: docs/terminal.md "Alerts". Texts are our own words.

const bell = '\u0007'

/** The sequence by which this terminal shows a notification. Those of one family ignore the other's. */
function notification(text: string, environment: NodeJS.ProcessEnv): string {
  const ofVte = environment.VTE_VERSION !== undefined || /^(?:rxvt|foot)/.test(environment.TERM ?? '')
  return ofVte ? `\u001b]777;notify;autopilot;${text}${bell}` : `\u001b]9;${text}${bell}`
}

/** Bell, notification and title. */
export function callSequence(text: string, environment: NodeJS.ProcessEnv): string {
  return bell + notification(text, environment) + titleSequence(text)
}

/** The title of the window. */
export function titleSequence(text: string): string {
  return `\u001b]2;${text}${bell}`
}

/** Keeps the title that was there, and gives it back. */
export const keepTitle = '\u001b[22;2t'
export const giveTitleBack = '\u001b[23;2t'
