import { runHelp } from '../components/help.js'
import { linesView } from './lines-view.js'

/** What every key does. */
export const helpView = linesView({
  id: 'help',
  title: 'Keys',
  lines: ({ view }, width) => ({ rows: runHelp(view.interludes, width), parts: [] }),
  hints: [],
})
