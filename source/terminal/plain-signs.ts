// Where a terminal has no Unicode, signs that have a usual form in ASCII take it, cell for cell, whoever wrote them:
// our own prose, records of a workflow, and the punctuation of agents. Letters of other scripts stay what they are.

const forms: readonly (readonly [signs: string, form: string])[] = [
  ['\u2018\u2019\u201a\u2032', "'"],
  ['\u201c\u201d\u201e\u2033', '"'],
  ['\u2010\u2011\u2012\u2013\u2014\u2015\u2212', '-'],
  ['\u2298', '-'],
  ['\u2026', '~'],
  ['\u00a0', ' '],
  ['\u2022\u00b7\u25cf\u25aa\u2217\u25a0\u25c6\u2605\u2606', '*'],
  ['\u2192\u203a\u276f\u25b8\u25b6\u25ba\u2b62\u21d2\u21b3\u00bb', '>'],
  ['\u2190\u2039\u25c0\u25c2\u00ab', '<'],
  ['\u2191\u25b2\u25b4', '^'],
  ['\u2193\u25bc\u25be', 'v'],
  ['\u2713\u2714', '+'],
  ['\u2717\u2718\u2716\u2715\u00d7', 'x'],
  ['\u25cb\u25e6', 'o'],
  ['\u258f', '|'],
  ['\u2588\u2589\u258a\u258b\u258c\u258d\u258e\u2591\u2592\u2593', '#'],
]

const horizontal = [...'\u2500\u2501\u2504\u2505\u2508\u2509\u254c\u254d\u2574\u2576\u2578\u257a\u257c\u257e']
const vertical = [
  ...'\u2502\u2503\u2506\u2507\u250a\u250b\u254e\u254f\u2551\u2575\u2577\u2579\u257b\u257d\u257f',
]

/** A piece of a frame: lines keep their direction, and everything else is where lines meet. */
function frameForm(sign: string): string {
  if (sign === '\u2550') return '='
  return horizontal.includes(sign) ? '-' : vertical.includes(sign) ? '|' : '+'
}

const frames = Array.from({ length: 0x80 }, (_, at) => String.fromCharCode(0x2500 + at))

const formOf = new Map([
  ...forms.flatMap(([signs, form]) => [...signs].map((sign) => [sign, form] as const)),
  ...frames.map((sign) => [sign, frameForm(sign)] as const),
])
const anySign = new RegExp(`[${[...formOf.keys()].join('')}]`, 'g')

/** The same text, as wide as before, with signs of ASCII where there are any. */
export function plainSigns(text: string): string {
  return text.replace(anySign, (sign) => formOf.get(sign) ?? sign)
}
