// Cases that went into a table of one case (docs/evidence.md, "Tests"). By text. Pure; linear.

const tables =
  /\.each\b|\bparametrize\b|\bt\.Run\(|@(?:ParameterizedTest|CsvSource|ValueSource|MethodSource)\b|\[(?:InlineData|TestCase|DataRow|MemberData)\b|#\[(?:case|test_case|DataProvider|TestWith)\b|\bdataProvider\b|\.each do\b|\bINSTANTIATE_TEST_SUITE_P\b|\bfor\b|\barguments:|\.forEach\(|\bsubTest\(/

const values = /\b\d{1,20}(?:\.\d{1,20})?\b|'[^'\n]{1,200}'|"[^"\n]{1,200}"/g

const linesOf = (text: string) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')

/**
 * Whether what a case compared stands in lines that came, where cases are made of a table: each value of its body is there, and one came.
 */
export function isTabled(body: string | undefined, before: string, now: string): boolean {
  if (body === undefined) return false
  const old = new Set(linesOf(before))
  const came = linesOf(now)
    .filter((line) => !old.has(line))
    .join('\n')
  if (!tables.test(came)) return false
  const wanted = (body.match(values) ?? []).map((value) => value.replace(/^['"]|['"]$/g, ''))
  return wanted.some((value) => came.includes(value)) && wanted.every((value) => now.includes(value))
}
