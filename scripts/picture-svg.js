// Rows of terminal cells as SVG: a still of one screen, or a film of several that plays by itself without any script.

const cell = { width: 8.4, height: 18 }
const margin = 12
const paper = '#14171c'
const ink = '#d5d9e0'
/** The sixteen named colours of a terminal, dark and readable on the paper. */
// biome-ignore format: a table
const palette = [
  '#2b303b', '#e06c75', '#98c379', '#e5c07b', '#61afef', '#c678dd', '#56b6c2', '#c8ccd4',
  '#6b7280', '#f0848d', '#b5e890', '#f5d491', '#7dc3ff', '#dd9af0', '#74d7e3', '#ffffff',
]

/** @typedef {{ text: string, width: number, fg?: string, bg?: string, bold: boolean, dim: boolean }} Run */

/** Colour of a number of the 256 that terminals share. */
export function colorOf(number) {
  if (number < 16) return palette[number]
  if (number > 231) return gray(8 + (number - 232) * 10)
  const level = (at) => (at === 0 ? 0 : 55 + at * 40)
  const [r, g, b] = [Math.floor((number - 16) / 36), Math.floor((number - 16) / 6) % 6, (number - 16) % 6]
  return `rgb(${level(r)},${level(g)},${level(b)})`
}

const gray = (level) => `rgb(${level},${level},${level})`

/** One screen. `rows`: lists of runs, top to bottom. */
export function still(rows, cols) {
  const known = new Map()
  const screen = drawing(rows, known)
  return document(sizeOf(cols, rows.length), definitions(known), screen)
}

/**
 * Screens one after the other, for ever. `frames`: `{ rows, ms }`. Equal rows are drawn once and shown wherever they
 * occur, so that a film of a program that changes little stays small.
 */
export function film(frames, cols) {
  const size = sizeOf(cols, Math.max(...frames.map(({ rows }) => rows.length)))
  const total = frames.reduce((sum, { ms }) => sum + ms, 0)
  const known = new Map()
  const screens = frames.map(
    ({ rows }, at) => `<g transform="translate(${at * size.width},0)">${drawing(rows, known)}</g>`,
  )
  let begins = 0
  const stops = frames.map(({ ms }, at) => {
    const percent = ((begins / total) * 100).toFixed(3)
    begins += ms
    return `${percent}%{transform:translateX(${-at * size.width}px)}`
  })
  const style = `@keyframes play{${stops.join('')}100%{transform:translateX(${-(frames.length - 1) * size.width}px)}}.film{animation:play ${(total / 1000).toFixed(1)}s steps(1,end) infinite}`
  return document(
    size,
    `<style>${style}</style>${definitions(known)}`,
    `<g class="film">${screens.join('')}</g>`,
  )
}

function definitions(known) {
  return `<defs>${[...known].map(([svg, id]) => `<g id="${id}">${svg}</g>`).join('')}</defs>`
}

function sizeOf(cols, rows) {
  return { width: Math.ceil(cols * cell.width + 2 * margin), height: rows * cell.height + 2 * margin }
}

const title = 'A run of autopilot in a terminal'

function document({ width, height }, head, body) {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-family="ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace" font-size="14" fill="${ink}" role="img" xml:space="preserve"><title>${title}</title><style>.b{font-weight:700}</style>${head}<rect width="${width}" height="${height}" rx="8" fill="${paper}"/>${body}</svg>\n`
}

/** A screen of references; rows that are not yet in `known` (drawing to id) are put there. */
function drawing(rows, known) {
  return rows
    .map((runs, at) => {
      const svg = rowOf(runs)
      if (svg === '') return ''
      const y = short(margin + at * cell.height + baseline)
      if (!known.has(svg)) known.set(svg, `r${known.size}`)
      return `<use href="#${known.get(svg)}" y="${y}"/>`
    })
    .join('')
}

/** Where letters stand in the height of their row. */
const baseline = 13.5

function rowOf(runs) {
  let col = 0
  const parts = []
  for (const run of joined(runs)) {
    const x = short(margin + col * cell.width)
    if (run.bg)
      parts.push(
        `<rect x="${x}" y="${-baseline}" width="${short(run.width * cell.width)}" height="${cell.height}" fill="${run.bg}"/>`,
      )
    if (run.text.trim() !== '') parts.push(textOf(run, col))
    col += run.width
  }
  return parts.join('')
}

const isBlank = ({ text, bg }) => !bg && text.trim() === ''
const isAlike = (a, b) =>
  ['fg', 'bg', 'bold', 'dim'].every((key) => (a[key] || undefined) === (b[key] || undefined))

/** With words of one look and the blanks between them as one run: blanks show no look of their own. */
function joined(runs) {
  const result = []
  for (const [at, run] of runs.entries()) {
    const last = result.at(-1)
    const next = runs[at + 1]
    const isBetween = last && next && isBlank(run) && !last.bg && isAlike(last, next)
    if (last && (isBetween || isAlike(last, run))) {
      result[result.length - 1] = { ...last, text: last.text + run.text, width: last.width + run.width }
    } else result.push(run)
  }
  return result
}

/** Text as wide as its cells, without the blanks around it. */
function textOf(run, col) {
  const text = run.text.trim()
  const before = run.text.length - run.text.trimStart().length
  const width = run.width - (run.text.length - text.length)
  const looks = [
    run.fg ? ` fill="${run.fg}"` : '',
    run.bold ? ' class="b"' : '',
    run.dim ? ' opacity=".6"' : '',
  ]
  const x = short(margin + (col + before) * cell.width)
  return `<text x="${x}"${looks.join('')} textLength="${short(width * cell.width)}">${escaped(text)}</text>`
}

const short = (number) => String(Number(number.toFixed(1)))

function escaped(text) {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;')
}
