import { cutText, textWidth } from '../../terminal/width.js'

/** A title as it stands above a text: words begin with a capital, names of files stay as they are. */
export function headline(title: string): string {
  const [word = ''] = title.split(' ', 1)
  return /^[a-z]+$/.test(word) && (word !== title || word.length > 1)
    ? `${word[0]?.toUpperCase()}${title.slice(1)}`
    : title
}

/** A title that is the name of a file in its folder. */
export const isPath = (title: string) => title.includes('/') && !title.includes(' ')

/** A path of at most so many cells: its end says more than its beginning, so that folders go first. Empty without room. */
export function shortPath(path: string, cells: number, ellipsis: string): string {
  if (textWidth(path) <= cells) return path
  const parts = path.split('/')
  for (let from = 1; from < parts.length; from += 1) {
    const short = `${ellipsis}/${parts.slice(from).join('/')}`
    if (textWidth(short) <= cells) return short
  }
  return cells < leastName ? '' : cutText(parts.at(-1) ?? '', cells, ellipsis)
}

/** So few cells of a name say nothing. */
const leastName = 8
