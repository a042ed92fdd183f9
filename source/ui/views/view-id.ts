/** What can be shown of a run, in the order of Left and Right. */
export const viewIds = [
  'overview',
  'agents',
  'plan',
  'diff',
  'findings',
  'evidence',
  'decisions',
  'costs',
  'inbox',
  'timeline',
  'log',
  'help',
] as const
export type ViewId = (typeof viewIds)[number]

/** `reading`: something that the open question names. */
export type Shown = ViewId | 'reading'

/** Views that are one text, which is searched from where one looks; agents and logs are searched from their end. */
export function isTextView(view: Shown): boolean {
  return view !== 'overview' && view !== 'agents' && view !== 'log'
}
