import { DocumentView, documentsOf } from './documents.js'
import type { View } from './view.js'

/** The plan in work, and what it comes from. */
export const planView: View = {
  id: 'plan',
  title: 'Plan',
  isFilled: (snapshot) => documentsOf(snapshot, 'plan').length > 0,
  ways: (snapshot) => documentsOf(snapshot, 'plan').map(({ title }) => title),
  render: (props) => <DocumentView {...props} id="plan" kind="plan" />,
  hints: [
    { actions: ['next-part'], word: 'next heading' },
    { actions: ['next-way'], word: 'next document' },
  ],
}
