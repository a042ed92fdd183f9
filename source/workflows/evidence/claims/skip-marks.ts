// Marks by which tests say that they are not executed, or that they may fail (docs/evidence.md, "Tests"). By text. Pure.

const marks: readonly RegExp[] = [
  // JavaScript
  /\b(?:test|it|describe|suite|context|specify)(?:\.\w{1,20}){0,2}(?:\.(?:skip|todo|only|fails|failing|fixme|skipIf|runIf)\b|\[['"](?:skip|todo|only)['"]\])/g,
  /(?<![.\w])x(?:it|describe|test|specify|context)\(/g,
  /(?<![.\w])f(?:it|describe|context|specify)\(\s{0,8}['"`]/g,
  /\b(?:t|ctx|context|this)\.skip\(/g,
  // Options of many languages
  /\b(?:skip|todo|pending|focus): {0,4}(?:true\b|['"`])/g,
  // Python
  /\b(?:pytest\.)?mark\.(?:skip|xfail)|@(?:unittest\.)?(?:skip(?:If|Unless)?|expectedFailure)\b|\bpytest\.(?:skip|xfail|importorskip)\(|\.skipTest\(|\braise (?:unittest\.)?SkipTest\b|\b__test__ {0,4}= {0,4}False\b/g,
  // Ruby
  /^[ \t]{0,80}[xf](?:it|describe|context|specify|example|feature|scenario) {1,4}['"]/gm,
  /^[ \t]{1,80}(?:skip|pending)(?=[ \t]{0,8}$|[ \t]{1,4}(?:['"]|if\b|unless\b))/gm,
  /['"], {0,4}:(?:skip|pending|focus)\b/g,
  // Elixir
  /@(?:module|describe)?tag {1,4}:skip\b/g,
  // PHP
  /->markTest(?:Skipped|Incomplete)\(|\}\)\s{0,40}->(?:skip|todo|only)\(/g,
  // Java, Kotlin, Scala
  /@(?:Disabled\w{0,40}|Ignore\b|Enabled(?:If|On|For)\w{0,40})|\bassum(?:e(?:True|False|That|Not|No)\w{0,20}|ingThat)\(|@Test\([^)\n]{0,80}\b(?:enabled {0,4}= {0,4}false|expected(?:Exceptions)? {0,4}= {0,4}(?:Assertion|Throwable\b|Error\b|Exception\b))|^[ \t]{1,80}ignore\("/gm,
  // .NET
  /\[[^\]\n]{0,200}\bSkip {0,4}= {0,4}"|^[ \t]{0,80}\[(?:Ignore|Explicit)\b|\bAssert\.(?:Ignore|Inconclusive|Skip)\w{0,10}\(/gm,
  // Swift
  /\bXCTSkip\w{0,10}\(|\bXCTExpectFailure\b|\bwithKnownIssue\b|@(?:Test|Suite)\([^\n]{0,200}\.(?:disabled|enabled)\(/g,
  // Rust
  /#\[ignore\b|#\[cfg_attr\([^\n]{0,200}\bignore\b|#\[should_panic\b|#\[cfg\(all\(test,|#\[cfg\([^\n]{0,200}\)\]\s{1,40}#\[(?:\w{1,40}::)?test\]/g,
  // Go
  /\bt\.Skip(?:Now|f)?\(|^\/\/(?:go:build| \+build) /gm,
  /\bfunc TestMain\(\w{1,40} \*testing\.M\) \{(?:(?!\.Run\()[\s\S]){0,400}\n?\}|\.Run\(\)\s{1,40}os\.Exit\(0\)/g,
  // C and C++
  /\bDISABLED_\w|\bGTEST_SKIP\b|^[ \t]{0,20}#[ \t]{0,8}if (?:0|false|NEVER)\b|^[ \t]{0,20}#[ \t]{0,8}define NDEBUG\b|"\[[^"\n]{0,100}(?:!mayfail|!shouldfail|\.)\]/gm,
  // Dart, bats
  /^[ \t]{0,20}@Skip\(|^[ \t]{1,20}skip(?:[ \t]{1,4}"[^\n]{0,200})?$/gm,
  // What stands in the surroundings decides
  /\bif {0,4}\([^\n]{0,80}\b(?:process\.env|import\.meta\.env)\b[^\n]{0,80}\) {0,4}\{?\s{0,40}return\b/g,
  /\bif [^\n]{0,80}\bos\.(?:environ|getenv|Getenv)\b[^\n]{0,80}[:{]\s{0,40}return\b/g,
]

/** Lines of a text, 0-based, from its first to its last. */
export type Lines = readonly [first: number, last: number]

/** How many of them a text has; those in `except` are not counted. */
export function skipMarks(text: string, except: readonly Lines[] = []): number {
  const found = new Set<number>()
  for (const mark of marks)
    for (const match of text.matchAll(mark)) {
      const end = match.index + match[0].length
      if (!except.some(([first, last]) => isWithin(lineAt(text, end), first, last))) found.add(end)
    }
  return found.size
}

const isWithin = (line: number, first: number, last: number) => line >= first && line <= last

function lineAt(text: string, end: number): number {
  let line = 0
  for (let at = text.indexOf('\n'); at !== -1 && at < end; at = text.indexOf('\n', at + 1)) line += 1
  return line
}
