import { describe, expect, it, test } from 'vitest'
import { findBrowser, pictureArgv } from '../../../../source/workflows/playbook/visual/browser.js'
import { routeName, routeUrl, visualSettings } from '../../../../source/workflows/playbook/visual/settings.js'
import { visualBugsText } from '../../../../source/workflows/playbook/visual/visual-bugs.js'
import {
  mergedVisual,
  type VisualPorts,
  visualChecks,
  visualFailures,
} from '../../../../source/workflows/playbook/visual/visual-checks.js'

const read = visualSettings({
  enabled: true,
  launch_command: 'npm start',
  launch_wait_ms: 3_000,
  base_url: 'http://localhost:3000/',
  screenshot_dir: 'shots',
  routes: [
    { path: '/', name: 'Home page' },
    { path: '/rules', wait_ms: 500 },
  ],
})
const settings = read.ok ? read.settings : undefined!

/** A machine with a browser, and a program that answers once it was launched. */
function machine(
  more: { answers?: Record<string, number>; broken?: boolean; busy?: boolean; silent?: boolean } = {},
) {
  const log: string[] = []
  let isUp = more.busy ?? false
  const files = new Set<string>()
  const ports: VisualPorts = {
    browser: { program: '/usr/bin/chromium', kind: 'chromium' },
    launch: (command) => {
      log.push(`launch ${command}`)
      return {
        stop: async () => {
          log.push('stop')
        },
        ended: more.broken ? Promise.resolve('exit 1') : new Promise(() => {}),
      }
    },
    status: async (url) => (isUp ? (more.answers?.[url] ?? 200) : undefined),
    run: async (argv) => {
      const file = argv.find((word) => word.startsWith('--screenshot='))?.slice('--screenshot='.length) ?? ''
      log.push(`picture ${file}`)
      if (!more.silent) files.add(file)
      return { code: 0, timedOut: more.silent ?? false }
    },
    pictures: '/pictures',
    keep: async (name) => files.has(`/pictures/${name}`),
    wait: async (ms) => {
      log.push(`wait ${ms}`)
      if (!more.broken) isUp = true
    },
    scratch: async () => '/scratch/1',
    stamp: '20300101T100000Z',
    withoutSandbox: false,
  }
  return { ports, log }
}

test('it launches, waits, takes a picture of each route and ends what it launched', async () => {
  const { ports, log } = machine()
  const { result, notes } = await visualChecks(settings, ports)
  expect(log).toEqual([
    'launch npm start',
    'wait 3000',
    'picture /pictures/home-page-20300101T100000Z.png',
    'picture /pictures/rules-20300101T100000Z.png',
    'stop',
  ])
  expect(result).toEqual({
    routes_tested: 2,
    routes_passed: 2,
    issues_found: [],
    screenshots: ['shots/home-page-20300101T100000Z.png', 'shots/rules-20300101T100000Z.png'],
    infrastructure_available: true,
  })
  expect(notes).toEqual([])
})

describe('what cannot be looked at is a note and no failure', () => {
  it('no browser', async () => {
    const { ports, log } = machine()
    const run = await visualChecks(settings, { ...ports, browser: undefined })
    expect(run.result).toMatchObject({ infrastructure_available: false, issues_found: [] })
    expect(run.notes).toEqual(['Visual checks skipped: no browser was found.'])
    expect(log).toEqual([])
  })

  it('the program ends by itself, and is stopped all the same', async () => {
    const { ports, log } = machine({ broken: true })
    const run = await visualChecks(settings, ports)
    expect(run.notes[0]).toContain('ended before it answered (exit 1)')
    expect(log.at(-1)).toBe('stop')
  })

  it('another program has the address', async () => {
    const { ports, log } = machine({ busy: true })
    expect((await visualChecks(settings, ports)).notes[0]).toContain('answers already')
    expect(log).toEqual([])
  })

  it('the browser makes no picture', async () => {
    const run = await visualChecks(settings, machine({ silent: true }).ports)
    expect(run.result).toMatchObject({ infrastructure_available: false, screenshots: [] })
    expect(run.notes).toEqual([
      'No picture of /: the browser did not end.',
      'No picture of /rules: the browser did not end.',
    ])
  })
})

test('a route that answers with an error is a critical fault', async () => {
  const { ports } = machine({ answers: { 'http://localhost:3000/rules': 500 } })
  const { result } = await visualChecks(settings, ports)
  expect(result).toMatchObject({ routes_tested: 2, routes_passed: 1 })
  expect(visualFailures(result)).toEqual(['/rules: critical rendering fault: it answers 500'])
})

test('what the verifier saw is added, minor faults fail nothing', async () => {
  const { result } = await visualChecks(settings, machine().ports)
  const fault = (severity: 'minor' | 'major') => ({
    route: '/',
    type: 'layout',
    severity,
    description: `${severity} overlap`,
  })
  const seen = { ...result, issues_found: [fault('minor'), fault('major'), fault('major')] }
  const merged = mergedVisual(result, seen)
  expect(merged.issues_found).toHaveLength(2)
  expect(merged.routes_passed).toBe(1)
  expect(visualFailures(merged)).toEqual(['/: major layout fault: major overlap'])
  expect(mergedVisual(result, undefined)).toBe(result)
})

test('settings name what is missing', () => {
  expect(visualSettings(undefined)).toEqual({ ok: false, missing: ['launch_command', 'base_url', 'routes'] })
  expect(visualSettings({ launch_command: 'x', base_url: 'localhost', routes: [] })).toEqual({
    ok: false,
    missing: ['base_url', 'routes'],
  })
  expect([routeName({ path: '/', wait_ms: 0 }), routeUrl('http://x/', '/a')]).toEqual(['home', 'http://x/a'])
})

test('a browser is found by name, and asked as its kind wants it', () => {
  const only = (name: string) => findBrowser((one) => (one === name ? `/usr/bin/${name}` : undefined))
  expect(only('google-chrome')).toEqual({ program: '/usr/bin/google-chrome', kind: 'chromium' })
  expect(only('firefox')).toEqual({ program: '/usr/bin/firefox', kind: 'firefox' })
  expect(only('lynx')).toBeUndefined()
  const picture = {
    url: 'http://x/',
    file: '/a.png',
    viewport: { width: 800, height: 600 },
    waitMs: 200,
    profile: '/p',
    withoutSandbox: true,
  }
  expect(pictureArgv({ program: 'c', kind: 'chromium' }, picture)).toEqual(
    expect.arrayContaining([
      '--headless=new',
      '--no-sandbox',
      '--virtual-time-budget=200',
      '--window-size=800,600',
      '--screenshot=/a.png',
    ]),
  )
  expect(pictureArgv({ program: 'f', kind: 'firefox' }, picture)).toEqual(
    expect.arrayContaining(['--headless', '--screenshot', '/a.png', '--window-size=800,600']),
  )
})

test('VISUAL-BUGS.md shows open faults in full and what became of the others', () => {
  const fault = (description: string, severity: 'minor' | 'major' = 'major') => ({
    route: '/rules',
    type: 'layout',
    severity,
    description,
    location: 'top right',
  })
  const text = visualBugsText(
    '2',
    [
      { attempt: 1, issues: [fault('overlap'), fault('clipped | text')] },
      { attempt: 2, issues: [fault('overlap')] },
    ],
    ['shots/rules-1.png'],
  )
  expect(text).toContain('## 1. overlap\n\n- Route: /rules\n- Screenshot: shots/rules-1.png\n- Type: layout')
  expect(text).toContain('- Location: top right\n- Suggested fix: not said')
  expect(text).toContain('| /rules | overlap | major | 1 | open |')
  expect(text).toContain('| /rules | clipped \\| text | major | 1 | gone in attempt 2 |')
  expect(visualBugsText('2', [{ attempt: 1, issues: [] }], [])).toContain('None is open.')
})
