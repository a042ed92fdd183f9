import type { StartChoice, StartData } from '../contract.js'
import { chosenOf, demo, leave, startItems, typePath } from '../layout/start.js'
import { createTheme } from '../theme.js'
import type { Lines } from './lines.js'

/** What to work on, as a numbered list; anything else that is typed is a path. */
export async function chooseByLines(data: StartData, lines: Lines): Promise<StartChoice> {
  const items = startItems(data, createTheme(false)).filter(
    ({ value }) => value !== leave && value !== typePath,
  )
  lines.show([
    '',
    ...data.notices.map((notice) => `! ${notice}`),
    ...(data.sessions.length + data.candidates.length === 0
      ? [
          'Nothing was found that could be worked on here. Looked for:',
          ...data.lookedFor.map((text) => `  ${text}`),
        ]
      : []),
    `What shall be worked on in ${data.project}?`,
    ...items.map(({ label }, index) => `  ${index + 1}. ${label}`),
  ])
  for (;;) {
    const typed = (await lines.read?.('Number, a path, or q to leave: ', { guarded: true }))?.trim()
    if (typed === undefined || typed === 'q') return { kind: 'quit' }
    if (typed === '') continue
    if (!/^\d{1,3}$/.test(typed)) return { kind: 'subject', path: typed }
    const item = items[Number(typed) - 1]
    if (item?.value === demo) return { kind: 'demo' }
    const chosen = item && chosenOf(data, item.value)
    if (!chosen) lines.show([`There is no ${typed}; the list goes from 1 to ${items.length}.`])
    else if ('session' in chosen) return { kind: 'session', key: chosen.session.key }
    else return { kind: 'subject', path: chosen.candidate.subject, workflow: chosen.candidate.workflow }
  }
}
