import type { Reporter, TestCase } from 'vitest/node'

/** One line for each program and case: `claude     write-file           ok`. */
class LineReporter implements Reporter {
  onTestCaseResult(test: TestCase): void {
    const result = test.result()
    const program = test.parent.type === 'suite' ? test.parent.name : ''
    const seconds = ((test.diagnostic()?.duration ?? 0) / 1000).toFixed(1)
    const word = { passed: 'ok', failed: 'FAILED', skipped: 'skipped', pending: 'pending' }[result.state]
    if (result.state !== 'skipped')
      process.stdout.write(`${program.padEnd(10)} ${test.name.padEnd(24)} ${word.padEnd(7)} ${seconds} s\n`)
    for (const error of result.errors ?? [])
      process.stdout.write(`${(error.message ?? String(error)).replace(/^/gm, '    ')}\n`)
  }

  onTestRunEnd(
    modules: Parameters<NonNullable<Reporter['onTestRunEnd']>>[0],
    errors: Parameters<NonNullable<Reporter['onTestRunEnd']>>[1],
  ): void {
    for (const error of [...errors, ...modules.flatMap((module) => module.errors())])
      process.stdout.write(`${error.stack ?? error.message}\n`)
  }
}

// biome-ignore lint/style/noDefaultExport: this is how vitest takes a reporter
export default LineReporter
