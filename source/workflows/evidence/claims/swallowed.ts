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
  /\b(?:assert\w{0,40}|expect|should|equals?|eql|\w{0,20}[eE]qual|throws|rejects|XCTAssert\w{0,20}|EXPECT_\w{1,20}|REQUIRE\w{0,20})\b/
const telling =
  /\b(?:throw|throws|rethrow|fail|failed|fails|expect|assert\w{0,40}|Assert\w{0,40}|reject|rejects|done|\w{0,20}[eE]qual|match|ok|abort|exit|errors?\.push)\b/

/** True where an assertion stands whose failure is caught and told to nobody, or that is never reached or compares nothing. */
export const isSwallowed = (quiet: string): boolean =>
  signs.some((sign) => sign.test(quiet)) || isCaught(quiet)

/** An assertion in a `try` of whose failure the `catch` makes nothing. */
function isCaught(quiet: string): boolean {
  for (const { index, 0: head } of quiet.matchAll(/\btry\s{0,40}\{/g)) {
    const end = closingBrace(quiet, index + head.length)
    if (end === -1 || !comparing.test(quiet.slice(index + head.length, end))) continue
    const opened = /^\}\s{0,40}catch\s{0,8}(?:\([^)\n]{0,120}\)\s{0,8})?\{/.exec(quiet.slice(end, end + 300))
    if (opened === null) continue
    const from = end + opened[0].length
    const last = closingBrace(quiet, from)
    if (last !== -1 && !telling.test(quiet.slice(from, last))) return true
  }
  return false
}

function closingBrace(text: string, from: number): number {
  let depth = 1
  for (let at = from; at < text.length; at += 1) {
    if (text[at] === '{') depth += 1
    else if (text[at] === '}') {
      depth -= 1
      if (depth === 0) return at
    }
  }
  return -1
}
