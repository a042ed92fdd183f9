import { basename } from 'node:path'

// What tests, builds and formatters leave behind by themselves, by name (docs/evidence.md, "What is compared").

const folders = new Set([
  'coverage',
  '.nyc_output',
  'htmlcov',
  '__snapshots__',
  '__pycache__',
  '.pytest_cache',
  '.mypy_cache',
  '.ruff_cache',
  '.cache',
  '.turbo',
  '.next',
  '.parcel-cache',
  '.vitest',
  'node_modules',
  'dist',
  'build',
  'out',
  'target',
  'test-results',
  'playwright-report',
  '.gradle',
  'tmp',
])

const files = new Set([
  '.coverage',
  'coverage.xml',
  'coverage.out',
  'lcov.info',
  'junit.xml',
  'package-lock.json',
  'npm-shrinkwrap.json',
  'yarn.lock',
  'pnpm-lock.yaml',
  'bun.lock',
  'bun.lockb',
  'Cargo.lock',
  'poetry.lock',
  'uv.lock',
  'Pipfile.lock',
  'Gemfile.lock',
  'composer.lock',
  'go.sum',
])

const endings = /\.(?:snap|pyc|pyo|tsbuildinfo|lcov|log|profraw|gcda|class|o)$/

/** True for a path that running something usually makes. */
export function isProduct(path: string): boolean {
  const name = basename(path)
  if (files.has(name) || endings.test(name)) return true
  return path
    .split('/')
    .slice(0, -1)
    .some((folder) => folders.has(folder))
}
