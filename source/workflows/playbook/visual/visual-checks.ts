import type { VisualResult } from '../results.js'
import { type Browser, pictureArgv } from './browser.js'
import { routeName, routeUrl, type VisualSettings } from './settings.js'

// Launch, wait, a picture of each route (docs/playbook-checks.md, "Visual checks"). What is on the pictures is for the verifier to see; what cannot be looked at is
// a note and never a failure.

export interface VisualPorts {
  browser: Browser | undefined
  /** Starts the line of the project in a group of its own; it is ended by `stop`. */
  launch(command: string): { stop(): Promise<void>; ended: Promise<string> }
  /** Status of an address; undefined where nobody answers. */
  status(url: string): Promise<number | undefined>
  /** Runs a program to its end, in at most this time. */
  run(argv: readonly string[], timeoutMs: number): Promise<{ code: number | null; timedOut: boolean }>
  /** Folder that the browser can write to; absolute. */
  pictures: string
  /** Brings a picture from there to a repo-relative folder; false where there is none, or an empty one. */
  keep(name: string, folder: string): Promise<boolean>
  wait(ms: number): Promise<void>
  /** A new empty folder; absolute. */
  scratch(): Promise<string>
  /** Part of the names of files, such as a time. */
  stamp: string
  withoutSandbox: boolean
}

/** What came of it, and what should be told. */
export interface VisualRun {
  result: VisualResult
  notes: string[]
}

const pictureTimeoutMs = 60_000
const pollMs = 500
/** Times that a program is asked whether it answers, after its usual wait. */
const polls = 60

const unavailable = (note: string): VisualRun => ({
  result: {
    routes_tested: 0,
    routes_passed: 0,
    issues_found: [],
    screenshots: [],
    infrastructure_available: false,
  },
  notes: [`Visual checks skipped: ${note}`],
})

/** Looks at every route. The program that was launched is ended, whatever happens. */
export async function visualChecks(settings: VisualSettings, ports: VisualPorts): Promise<VisualRun> {
  const { browser } = ports
  if (browser === undefined) return unavailable('no browser was found.')
  if ((await ports.status(settings.base_url)) !== undefined)
    return unavailable(`${settings.base_url} answers already; another program has its place.`)
  const app = ports.launch(settings.launch_command)
  try {
    const trouble = await awaited(settings, app.ended, ports)
    return trouble === undefined ? await pictures(settings, browser, ports) : unavailable(trouble)
  } finally {
    await app.stop()
  }
}

/** Waits until it answers; why it does not. */
async function awaited(
  settings: VisualSettings,
  ended: Promise<string>,
  ports: VisualPorts,
): Promise<string | undefined> {
  let end: string | undefined
  void ended.then((how) => {
    end = how
  })
  await ports.wait(settings.launch_wait_ms)
  for (let poll = 0; poll < polls; poll += 1) {
    if ((await ports.status(settings.base_url)) !== undefined) return undefined
    if (end !== undefined) return `the program ended before it answered (${end}).`
    await ports.wait(pollMs)
  }
  return `${settings.base_url} did not answer.`
}

async function pictures(settings: VisualSettings, browser: Browser, ports: VisualPorts): Promise<VisualRun> {
  const issues: VisualResult['issues_found'] = []
  const screenshots: string[] = []
  const notes: string[] = []
  for (const route of settings.routes) {
    const url = routeUrl(settings.base_url, route.path)
    const code = await ports.status(url)
    if (code === undefined || code >= 400) {
      const description = code === undefined ? 'nobody answers' : `it answers ${code}`
      issues.push({ route: route.path, type: 'rendering', severity: 'critical', description })
      continue
    }
    const name = `${routeName(route)}-${ports.stamp}.png`
    const argv = pictureArgv(browser, {
      url,
      file: `${ports.pictures}/${name}`,
      viewport: settings.viewport,
      waitMs: route.wait_ms,
      profile: await ports.scratch(),
      withoutSandbox: ports.withoutSandbox,
    })
    const { timedOut } = await ports.run(argv, pictureTimeoutMs)
    const isThere = await ports.keep(name, settings.screenshot_dir)
    if (isThere) screenshots.push(`${settings.screenshot_dir}/${name}`)
    else
      notes.push(
        `No picture of ${route.path}: ${timedOut ? 'the browser did not end' : 'the browser made none'}.`,
      )
  }
  return {
    result: {
      routes_tested: screenshots.length + issues.length,
      routes_passed: screenshots.length,
      issues_found: issues,
      screenshots,
      infrastructure_available: screenshots.length + issues.length > 0,
    },
    notes,
  }
}

/** What the program found and what the verifier saw on the pictures, as one. */
export function mergedVisual(own: VisualResult, seen: VisualResult | undefined): VisualResult {
  if (seen === undefined) return own
  const issues = [...own.issues_found]
  for (const issue of seen.issues_found) {
    const isKnown = issues.some(
      ({ route, description }) => route === issue.route && description === issue.description,
    )
    if (!isKnown) issues.push(issue)
  }
  const bad = new Set(issues.map(({ route }) => route))
  return {
    ...own,
    issues_found: issues,
    routes_passed: Math.max(0, own.routes_tested - bad.size),
  }
}

/** Faults that have to be mended before a phase passes; minor ones only cost score. */
export function visualFailures({ issues_found: issues }: VisualResult): string[] {
  return issues
    .filter(({ severity }) => severity !== 'minor')
    .map(({ route, severity, type, description }) => `${route}: ${severity} ${type} fault: ${description}`)
}
