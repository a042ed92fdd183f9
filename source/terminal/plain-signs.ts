// Where a terminal has no Unicode, signs that have a usual form in ASCII take it, cell for cell, whoever wrote them:
// our own prose, records of a workflow, and the punctuation of agents. Letters of other scripts stay what they are.

const forms: readonly (readonly [signs: string, form: string])[] = [
  ['\u2018\u2019\u201a\u2032', "'"],
  ['\u201c\u201d\u201e\u2033', '"'],
  ['\u2010\u2011\u2012\u2013\u2014\u2015\u2212\u2500\u2501', '-'],
  ['\u2026', '~'],
  ['\u00a0', ' '],
  ['\u2022\u00b7\u25cf\u25aa\u2217', '*'],
  ['\u2192\u203a\u276f\u25b8\u2b62\u21d2\u00bb', '>'],
  ['\u2190\u2039\u00ab', '<'],
  ['\u2191', '^'],
  ['\u2193\u25be', 'v'],
  ['\u2713\u2714', '+'],
  ['\u2717\u2718\u2716\u2715\u00d7', 'x'],
  ['\u25cb\u25e6', 'o'],
  ['\u2502\u2503\u258f', '|'],
]

const formOf = new Map(forms.flatMap(([signs, form]) => [...signs].map((sign) => [sign, form] as const)))
const anySign = new RegExp(`[${[...formOf.keys()].join('')}]`, 'g')

/** The same text, as wide as before, with signs of ASCII where there are any. */
export function plainSigns(text: string): string {
  return text.replace(anySign, (sign) => formOf.get(sign) ?? sign)
}
