// Whether what a test finds wrong reaches nobody (docs/evidence.md, "Tests"). By text, without comments and quoted texts. Pure; linear.

const signs: readonly RegExp[] = [
  /\bcatch\s*(?:\([^)\n]{0,80}\)\s*)?\{\s*\}|\|\|\s*true\b|\bor True\b/,
  // Never reached
  /\b(?:if|while)\s{0,4}\(?\s{0,4}(?:false|False)\b/,
  // JavaScript
  /\b(?:assert|expect|equals?|\w{0,20}[eE]qual)\b[^\n]{0,400}\.catch\(\s{0,8}(?:\(\w{0,40}\)|\w{1,40})\s{0,4}=>\s{0,4}(?:\{\s{0,8}\}|undefined\b|null\b|void 0|console\.)/,
  /\.to(?:Be|Equal|StrictEqual|Match|Throw|Contain|Have)[A-Z]?\w{0,40}[ \t]{0,8}(?:;|\}|$)/m,
  /\bexpect\(([^\n]{3,100})\)\.to(?:Be|Equal|StrictEqual)\(\1\)/,
  // Python
  /\bexcept(?: {1,4}\(?(?:AssertionError|Exception|BaseException)\b[^\n:]{0,80})?\s{0,4}:\s{0,80}(?:print|return|continue|log\w{0,10}|\.\.\.)/,
  /\bexcept\b[^\n:]{0,80}:\s{0,80}pass\b/,
  /\bsuppress\([^)\n]{0,80}\b(?:AssertionError|Exception|BaseException)\b/,
  // Two things in brackets hold, whatever they are.
  /\bassert \((?:[^()\n]|\([^()\n]{0,100}\)){1,200},\s{0,8}\)\s{0,4}$/m,
  /\bassert {1,4}([^\n=]{3,100}) == \1\s{0,4}$/m,
  // Ruby
  /\brescue\b[^\n]{0,80}\n\s{0,80}(?:end|nil|true|puts|p)\b|\brescue {1,4}(?:nil|true|false)\b/,
  // Go, Rust
  /\{\s{0,80}(?:_ {0,4}= {0,4})?recover\(\)\s{0,80}\}|\blet _\w{0,40} = (?:std::)?(?:panic::)?catch_unwind\b/,
]

const comparing =
  /\b(?:assert\w{0,40}|expect|should|equals?|eql|\w{0,20}[eE]qual|throws|rejects|XCTAssert\w{0,20}|EXPECT_\w{1,20}|REQUIRE\w{0,20})\b/g
const telling =
  /\b(?:throw|throws|rethrow|fail|failed|fails|expect|assert\w{0,40}|Assert\w{0,40}|reject|rejects|done|\w{0,20}[eE]qual|match|ok|abort|exit|errors?\.push)\b/g

/** True where an assertion stands whose failure is caught and told to nobody, or that is never reached or compares nothing. */
export const isSwallowed = (quiet: string): boolean =>
  signs.some((sign) => sign.test(quiet)) || isCaught(quiet)

/** An assertion in a `try` of whose failure the `catch` makes nothing. Each brace is looked at once, however they are nested. */
function isCaught(quiet: string): boolean {
  const ends = closingBraces(quiet)
  const compared = placesOf(quiet, comparing)
  const told = placesOf(quiet, telling)
  for (const { index, 0: head } of quiet.matchAll(/\btry\s{0,40}\{/g)) {
    const from = index + head.length
    const end = ends.get(from - 1)
    if (end === undefined || !hasBetween(compared, from, end)) continue
    const opened = /^\}\s{0,40}catch\s{0,8}(?:\([^)\n]{0,120}\)\s{0,8})?\{/.exec(quiet.slice(end, end + 300))
    if (opened === null) continue
    const last = ends.get(end + opened[0].length - 1)
    if (last !== undefined && !hasBetween(told, end + opened[0].length, last)) return true
  }
  return false
}

/** By the place of an opening brace that of its closing one. */
function closingBraces(text: string): Map<number, number> {
  const ends = new Map<number, number>()
  const open: number[] = []
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === '{') open.push(at)
    else if (text[at] === '}') {
      const from = open.pop()
      if (from !== undefined) ends.set(from, at)
    }
  }
  return ends
}

const placesOf = (text: string, pattern: RegExp) => Array.from(text.matchAll(pattern), ({ index }) => index)

/** True where one of these places, which are in order, lies in the stretch. */
function hasBetween(places: readonly number[], from: number, to: number): boolean {
  let [low, high] = [0, places.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((places[middle] ?? 0) < from) low = middle + 1
    else high = middle
  }
  const first = places[low]
  return first !== undefined && first < to
}
