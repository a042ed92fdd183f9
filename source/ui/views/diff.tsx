import { DocumentView, documentsOf } from './documents.js'
import type { View } from './view.js'

/** What changed, file by file. */
export const diffView: View = {
  id: 'diff',
  title: 'Changes',
  isFilled: (snapshot) => documentsOf(snapshot, 'diff').length > 0,
  ways: (snapshot) => documentsOf(snapshot, 'diff').map(({ title }) => title),
  render: (props) => <DocumentView {...props} id="diff" kind="diff" />,
  hints: [
    { actions: ['next-part'], word: 'next file' },
    { actions: ['next-way'], word: 'other beginning' },
  ],
}
