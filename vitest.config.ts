import { defineConfig } from 'vitest/config'

const setupFiles = ['test/support/private-state.ts']

/** Tests that start real programs: git, agents as children, guards, sandboxes. Each waits more than it computes. */
const programs = [
  'test/agents/backends/**/*.test.ts',
  'test/agents/command.test.ts',
  'test/mock-model/**/*.test.ts',
  'test/processes/**/*.test.ts',
  'test/project/**/*.test.ts',
  'test/rehearsal/**/*.test.ts',
  'test/sessions/confinement-lacks.test.ts',
]

/** What puts something in the place of a module needs modules of its own. */
const mocked = [
  'test/plays/harness/full-disk.test.ts',
  'test/run/full-disk.test.ts',
  'test/sessions/notify.test.ts',
  'test/storage/without-links.test.ts',
]

/** Files of a worker share what they import, which is read and compiled once: half of the time of a short test. */
const shared = { setupFiles: [...setupFiles, 'test/support/same-seed.ts'], isolate: false }

export default defineConfig({
  test: {
    // Most tests wait for processes of their own: with as many workers as a small machine has cores, half of it is idle.
    maxWorkers: 3,
    projects: [
      {
        test: {
          name: 'unit',
          ...shared,
          include: ['test/**/*.test.{ts,tsx}'],
          exclude: ['test/{ui,plays,e2e,crash,histories,clis,liars}/**', ...programs, ...mocked],
          testTimeout: 60_000,
        },
      },
      {
        // What is on the screen, without a terminal: every view and question at many sizes.
        test: {
          name: 'screens',
          ...shared,
          include: ['test/ui/**/*.test.{ts,tsx}'],
          testTimeout: 60_000,
        },
      },
      { test: { name: 'mocked', setupFiles, include: mocked, testTimeout: 180_000 } },
      {
        test: {
          name: 'programs',
          ...shared,
          include: programs,
          testTimeout: 60_000,
        },
      },
      {
        // Whole runs of a workflow in this process, without a terminal: real journal, git and files.
        test: {
          name: 'plays',
          ...shared,
          include: ['test/plays/**/*.test.ts'],
          exclude: mocked,
          // A play is long on a loaded machine, and nothing in it is decided by time.
          testTimeout: 180_000,
        },
      },
      {
        test: {
          name: 'e2e',
          setupFiles,
          include: ['test/e2e/**/*.test.ts'],
          testTimeout: 300_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'crash',
          setupFiles,
          include: ['test/{crash,histories}/**/*.test.ts'],
          testTimeout: 1_200_000,
          fileParallelism: true,
        },
      },
      {
        test: {
          name: 'liars',
          setupFiles,
          // What serves one run after the other does so for all files of a worker.
          isolate: false,
          include: ['test/liars/**/*.test.ts'],
          globalSetup: 'test/liars/workshop.ts',
          maxConcurrency: 2,
          testTimeout: 240_000,
        },
      },
      {
        test: {
          name: 'clis',
          setupFiles,
          include: ['test/clis/**/*.test.ts'],
          globalSetup: 'test/liars/workshop.ts',
          testTimeout: 300_000,
          hookTimeout: 60_000,
          fileParallelism: false,
        },
      },
    ],
  },
})
