import { expect, test } from 'vitest'
import { isLockFile, isProduct, isTrace } from '../../../source/workflows/evidence/products.js'

test.each([
  '.terraform/providers/x',
  '.bundle/config',
  'web/lcov-report/index.html',
  'erl_crash.dump',
  'lib/scales.beam',
  'cpu.prof',
  'core.1234',
  'CMakeCache.txt',
  'coverage-final.json',
  'target/surefire-reports/TEST-a.xml',
  '.yarn/cache/a.zip',
  'bazel-out/k8/a',
])('a trace of a run: %s', (path) => expect(isTrace(path)).toBe(true))

test.each([
  'deps/jason/mix.exs',
  'cover/index.html',
  'ios/Pods/a.m',
  'bin/Debug/net8.0/a.dll',
  'cmake-build-debug/a.o',
  'vendor/bundle/a.rb',
  '.pnp.cjs',
])('made by running something: %s', (path) => expect([isTrace(path), isProduct(path)]).toEqual([false, true]))

test.each(['.terraform.lock.hcl', 'Chart.lock', 'pixi.lock'])('a lock file: %s', (path) =>
  expect(isLockFile(path)).toBe(true),
)

test.each(['bin/scales.js', 'vendor/scales.js', 'src/cover.js', 'core.js', 'profile.js', 'docs/coverage.md'])(
  'work: %s',
  (path) => expect(isProduct(path)).toBe(false),
)
