import { spawn } from 'node:child_process'

export interface TestRun {
  ok: boolean
  passed: number
  failed: number
  /** The report without durations and absolute paths, so that the same code gives the same words. */
  output: string
}

const reportLines = 40

function cleanEnvironment(): NodeJS.ProcessEnv {
  // A test runner above us marks its children; a marked child reports in another format.
  const { NODE_TEST_CONTEXT: _context, NODE_OPTIONS: _options, FORCE_COLOR: _colour, ...rest } = process.env
  return { ...rest, NO_COLOR: '1' }
}

/** Runs node with arguments in the project and collects both streams. */
export function runNode(dir: string, args: string[]): Promise<{ code: number; output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, {
      cwd: dir,
      env: cleanEnvironment(),
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    const collect = (chunk: string) => {
      output += chunk
    }
    child.stdout.setEncoding('utf8').on('data', collect)
    child.stderr.setEncoding('utf8').on('data', collect)
    child.on('error', reject)
    child.on('close', (code) => resolve({ code: code ?? 1, output }))
  })
}

const countOf = (output: string, word: string): number =>
  Number(new RegExp(`^\\S+ ${word} (\\d+)$`, 'm').exec(output)?.[1] ?? 0)

/** What a person reads of a report: no durations, no absolute paths, of a failure only what failed and where. */
function steady(dir: string, output: string): string[] {
  const failing = output.indexOf('failing tests:')
  return output
    .slice(Math.max(failing, 0))
    .replaceAll(`file://${dir}/`, '')
    .replaceAll(`${dir}/`, '')
    .replace(/ \(\d+(\.\d+)?ms\)/g, '')
    .replace(/ \{\n\s+generatedMessage:[\s\S]*?\n\s+\}/g, '')
    .trim()
    .split('\n')
    .filter((line) => !/duration_ms|^\s+at .*node:/.test(line))
}

/** Runs the project's own tests: the named files, or all that node finds. */
export async function runTests(dir: string, files: string[] = []): Promise<TestRun> {
  const { code, output } = await runNode(dir, ['--test', '--test-reporter=spec', ...files])
  return {
    ok: code === 0,
    passed: countOf(output, 'pass'),
    failed: countOf(output, 'fail'),
    output: steady(dir, output).slice(-reportLines).join('\n'),
  }
}
