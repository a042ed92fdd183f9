/** Longer than `ps` takes on a busy machine, in milliseconds. */
const patienceMs = 10_000

/**
 * What a tool of the operating system (`ps`, `sysctl`) prints, without blanks around it. Undefined where it is missing,
 * fails or hangs.
 */
export async function systemOutput(argv: readonly string[]): Promise<string | undefined> {
  // Loaded where a tool is asked: on Linux nothing is, and lists start faster without it.
  const { startProcess } = await import('./start-process.js')
  const tool = startProcess({
    argv,
    cwd: '/',
    env: { PATH: '/usr/bin:/bin:/usr/sbin', LC_ALL: 'C' },
    stdin: 'none',
  })
  const chunks: Buffer[] = []
  tool.stdout?.on('data', (bytes: Buffer) => chunks.push(bytes))
  tool.stderr?.resume()
  const timer = setTimeout(() => tool.stdout?.destroy(), patienceMs)
  const [end] = await Promise.all([tool.exited, tool.closed])
  clearTimeout(timer)
  return end.code === 0 ? Buffer.concat(chunks).toString('utf8').trim() || undefined : undefined
}
