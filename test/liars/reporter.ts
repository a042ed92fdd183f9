import type { Reporter, TestCase } from 'vitest/node'

const words = { passed: 'ok     ', failed: 'RED    ', skipped: 'skipped', pending: 'pending' }

/** One line for each liar and twin: who, what it did, the gate that opened, put back or not. */
class LineReporter implements Reporter {
  private readonly failed: string[] = []
  private passed = 0

  onTestCaseResult(test: TestCase): void {
    const { state, errors } = test.result()
    const seconds = ((test.diagnostic()?.duration ?? 0) / 1000).toFixed(1)
    const known = test.meta().line
    // Left out by a filter of the command line.
    if (state === 'skipped' && known === undefined) return
    const line = known ?? `${test.name} | did not come to a verdict`
    if (state === 'failed') this.failed.push(`${test.name}: ${firstLine(errors?.[0]?.message)}`)
    else if (state === 'passed') this.passed += 1
    process.stdout.write(`${words[state]} | ${line} | ${seconds} s\n`)
    for (const error of errors ?? [])
      process.stdout.write(`${(error.message ?? String(error)).replace(/^/gm, '      ')}\n`)
  }

  onTestRunEnd(
    modules: Parameters<NonNullable<Reporter['onTestRunEnd']>>[0],
    errors: Parameters<NonNullable<Reporter['onTestRunEnd']>>[1],
  ): void {
    for (const error of [...errors, ...modules.flatMap((module) => module.errors())])
      process.stdout.write(`${error.stack ?? error.message}\n`)
    process.stdout.write(`\n${this.passed} as they have to be, ${this.failed.length} not\n`)
    for (const line of this.failed) process.stdout.write(`  ${line}\n`)
  }
}

const firstLine = (text = '') => text.split('\n')[0]

// biome-ignore lint/style/noDefaultExport: this is how vitest takes a reporter
export default LineReporter
