import { expect, test } from 'vitest'
import { startupLines } from '../../../source/workflows/playbook/startup-lines.js'

test('a run tells its phases, spec, model, project and commands', () => {
  expect(
    startupLines({
      queue: ['3', '10', '2.1'],
      spec: { path: '.planning/REQUIREMENTS.md', hash: 'sha256:0123456789abcdef' },
      model: 'opus',
      project: { type: 'nodejs', manifest: 'package.json' },
      commands: { compile: 'npx tsc --noEmit', test: 'npm test', lint: null, build: null },
    }),
  ).toEqual([
    'Autopilot: Phases 2.1-10 | Spec: .planning/REQUIREMENTS.md (01234567) | Model: opus',
    'Project: nodejs (package.json) | Commands: compile=npx tsc --noEmit, test=npm test, lint=n/a, build=n/a',
    'Starting phase 3...',
  ])
})
