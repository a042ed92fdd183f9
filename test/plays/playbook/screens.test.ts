import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { commitWork, fileOf, roadmapOf, verification } from './roles.js'
import { createStage, play } from './stage.js'

let bin: string
beforeEach(async () => {
  bin = await mkdtemp(join(tmpdir(), 'autopilot-browser-'))
})
afterEach(async () => {
  vi.unstubAllEnvs()
  await rm(bin, { recursive: true, force: true })
})

/** A program that calls itself chromium and writes the picture that it is asked for. */
const browser = `#!/bin/sh
for word in "$@"; do case "$word" in --screenshot=*) echo picture > "\${word#--screenshot=}";; esac; done
`

async function freePort(): Promise<number> {
  const probe = createServer()
  await new Promise<void>((resolve) => probe.listen(0, resolve))
  const { port } = probe.address() as AddressInfo
  await new Promise((resolve) => probe.close(resolve))
  return port
}

const settings = (visual: object) =>
  JSON.stringify({
    verification_min_seconds: 0,
    project: { visual_testing: { enabled: true, ...visual } },
  })

test('a fault on the screen is mended before the phase passes', async () => {
  await writeFile(join(bin, 'chromium'), browser, { mode: 0o755 })
  vi.stubEnv('PATH', `${bin}:${process.env.PATH}`)
  const port = await freePort()
  const serve = `require('node:http').createServer((q, a) => a.end('x')).listen(${port})`
  const project = await createStage({
    '.planning/ROADMAP.md': roadmapOf(1),
    '.planning/config.json': settings({
      launch_command: `'${process.execPath}' -e "${serve}"`,
      launch_wait_ms: 0,
      base_url: `http://127.0.0.1:${port}`,
      routes: [{ path: '/', name: 'home' }],
    }),
  })
  const fault = { route: '/', type: 'layout', severity: 'major', description: 'the list covers the button' }
  const played = await play(project, {
    acts: {
      debug: async ({ order }, project) => ({
        fixed: true,
        changes: ['moved the list'],
        commits: [await commitWork(project, order, { [fileOf(order)]: 'ul { margin: 0 }\n' })],
        remaining_issues: [],
        failure_categories: [],
      }),
      verification: ({ order, nth }) =>
        verification(order, {
          visual_test_results: {
            routes_tested: 1,
            routes_passed: 0,
            issues_found: nth === 1 ? [fault] : [],
            screenshots: [],
            infrastructure_available: true,
          },
        }),
    },
  })
  expect(played.state._meta.status).toBe('completed')
  const asked = played.dispatches.map(({ order }) => order)
  const [first] = asked.filter(({ expects }) => expects === 'verification')
  expect(JSON.stringify(first?.commandResults)).toMatch(/screenshots\/home-\d+T\d+Z\.png/)
  const debug = asked.find(({ expects }) => expects === 'debug')
  expect(debug).toMatchObject({
    visualBugsPath: '.planning/phases/01-part-1/VISUAL-BUGS.md',
    issues: ['/: major layout fault: the list covers the button'],
  })
  expect(await project.read('.planning/phases/01-part-1/VISUAL-BUGS.md')).toContain(
    '| / | the list covers the button | major | 1 | gone in attempt 2 |',
  )
  expect(await project.read('.planning/phases/01-part-1/VERIFICATION.md')).toContain(
    '## Visual Testing Results\n\n1 of 1 route without a fault.',
  )
})

test('screens that cannot be looked at are a note and no failure', async () => {
  const project = await createStage({
    '.planning/ROADMAP.md': roadmapOf(1),
    '.planning/config.json': settings({ base_url: 'http://127.0.0.1:1' }),
  })
  const played = await play(project)
  expect(played.state._meta.status).toBe('completed')
  expect(played.notes).toContain('[Phase 1] Visual checks skipped: launch_command, routes are not set.')
  expect(await project.read('.planning/phases/01-part-1/VERIFICATION.md')).toContain('Not looked at.')
})

test('why it could not be looked at stands in the verification, too', async () => {
  const project = await createStage({
    '.planning/ROADMAP.md': roadmapOf(1),
    '.planning/config.json': settings({
      launch_command: 'exit 3',
      launch_wait_ms: 0,
      base_url: `http://127.0.0.1:${await freePort()}`,
      routes: [{ path: '/', name: 'home' }],
    }),
  })
  // Whether there is a browser here does not matter: the program to look at does not come up.
  const played = await play(project)
  expect(played.state._meta.status).toBe('completed')
  const text = await project.read('.planning/phases/01-part-1/VERIFICATION.md')
  expect(text).toMatch(/## Visual Testing Results\n\nCould not be looked at\.\n- Visual checks skipped: .+\n/)
})

test('before a phase its tokens are estimated, what it lacks is told, and the code is mapped', async () => {
  const project = await createStage({
    '.planning/ROADMAP.md': roadmapOf(1),
    'src/a.js': 'export const a = 1\n',
  })
  const played = await play(project)
  expect(played.state.phases.phase_1?.estimated_tokens).toBe(240_000)
  expect(played.notes).toContain(
    '[Phase 1] The phase has no project command that checks it. Questions about it can be gathered first (--map).',
  )
  const map = JSON.parse(await project.read('.autopilot/repo-map.json'))
  expect(map.files['src/a.js'].exports).toEqual(['a'])
  const research = played.dispatches.find(({ order }) => order.expects === 'research')
  expect(research?.order.repoMapPath).toBe('.autopilot/repo-map.json')
})
