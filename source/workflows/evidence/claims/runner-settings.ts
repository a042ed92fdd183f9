import { basename } from 'node:path'

// What the settings of a runner of tests ask for, and whether that is less than before: a threshold that went down or away, a run without
// tests that counts as passed (docs/evidence.md, "Tests"). By text. Pure; linear in the text.

const names =
  /^(?:(?:vitest|vite|jest|karma|ava|mocha|nyc|c8|playwright|cypress|web-test-runner|wtr|stryker)\.(?:config|conf|workspace)(?:\.[\w-]{1,30})?\.(?:[cm]?[jt]s|json)|\.(?:mocharc|nycrc|c8rc|jestrc|coveragerc)(?:\.\w{1,5})?|package\.json|pytest\.ini|tox\.ini|setup\.cfg|pyproject\.toml|phpunit\.xml(?:\.dist)?|tarpaulin\.toml|\.simplecov|codecov\.ya?ml)$/

/** True for a file in which runners of tests are told what to ask for. */
export const isRunnerSettings = (path: string): boolean => names.test(basename(path))

const thresholds =
  /\b(lines|branches|functions|statements|fail[_-]under|cov-fail-under|minimum_?coverage|coverageThreshold|(?:min|minimum)[_-]?coverage)\b["']?\s{0,8}[:=]\s{0,8}["']?(\d{1,3}(?:\.\d{1,4})?)/gi
const emptyPasses = /\bpassWithNoTests["']?\s{0,8}[:=]\s{0,8}true\b|--pass-?with-?no-?tests\b/i

/** By name the thresholds of a text, lowest first. */
function thresholdsIn(text: string): Map<string, number[]> {
  const found = new Map<string, number[]>()
  for (const [, name = '', value = ''] of withoutComments(text).matchAll(thresholds)) {
    const key = name.toLowerCase()
    found.set(
      key,
      [...(found.get(key) ?? []), Number(value)].sort((a, b) => a - b),
    )
  }
  return found
}

const withoutComments = (text: string) =>
  text
    .split('\n')
    .filter((line) => !/^\s*(?:\/\/|#|;)/.test(line))
    .join('\n')

/** In words, what settings ask for that is less than before; empty where it is as much or more. */
export function lessAskedFor(before: string, now: string): string[] {
  const [was, is] = [thresholdsIn(before), thresholdsIn(now)]
  const lower = [...was].flatMap(([name, values]) => {
    const [old = 0] = values
    const fresh = is.get(name)?.[0]
    if (fresh === undefined) return old > 0 ? [`${name} ${old} is not asked for any more`] : []
    return fresh < old ? [`${name} ${old} is ${fresh} now`] : []
  })
  const passes = emptyPasses.test(withoutComments(now)) && !emptyPasses.test(withoutComments(before))
  return [...lower, ...(passes ? ['a run without tests counts as passed'] : [])]
}

const ofSettings = /threshold|coverage|lower|relax|loosen|less strict|no tests|without tests|passWithNoTests/i

/** Whether the task of the plan that names the file speaks of what it asks for. */
export function plansLess(plan: string, path: string): boolean {
  return plan
    .split(/^(?=#{2,4} |[ \t]{0,8}<task[\s>])/m)
    .some((part) => part.includes(basename(path)) && ofSettings.test(part))
}
