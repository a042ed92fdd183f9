import { basename } from 'node:path'

// What tests, builds and formatters leave behind by themselves, by name, and what editors do beside them
// (docs/evidence.md, "What is compared").

/** Nothing but traces of a run: nobody was ever asked to make one. */
const traceFolders = new Set([
  'coverage',
  '.nyc_output',
  'htmlcov',
  '__pycache__',
  '.pytest_cache',
  '.mypy_cache',
  '.ruff_cache',
  '.hypothesis',
  '.tox',
  '.nox',
  '.ipynb_checkpoints',
  '.cache',
  '.turbo',
  '.nx',
  '.swc',
  '.jest',
  '.vite',
  '.parcel-cache',
  '.vitest',
  '.phpunit.cache',
  '.stryker-tmp',
  '.scannerwork',
  'test-results',
  'playwright-report',
  'blob-report',
  'mutants.out',
  'mochawesome-report',
  'jest-stare',
  'karma_html',
  'TestResults',
  '.benchmarks',
  '.pytype',
  '.pyre',
  '.jekyll-cache',
  'allure-results',
  '.gradle',
  '.pnpm-store',
  'node_modules',
  '.terraform',
  '.terragrunt-cache',
  '.bundle',
  '.metals',
  '.bloop',
  '.bsp',
  '.scala-build',
  '.elixir_ls',
  '.rebar3',
  '.cpcache',
  '.shadow-cljs',
  '.pub-cache',
  '.cxx',
  '.sass-cache',
  '.lighthouseci',
  '.wireit',
  '.moon',
  '.rpt2_cache',
  '.pdm-build',
  '.vscode-test',
  '.godot',
  '.npm',
  '.swiftpm',
  'lcov-report',
  'surefire-reports',
  'failsafe-reports',
  'nimcache',
])

/** Made by running something, and now and then what was asked for. */
const folders = new Set([
  '__snapshots__',
  '.next',
  '.nuxt',
  '.output',
  '.svelte-kit',
  '.docusaurus',
  '.astro',
  '.vuepress',
  '.wrangler',
  '.vercel',
  '.netlify',
  '.serverless',
  '.expo',
  'storybook-static',
  '_site',
  'dist-newstyle',
  '.stack-work',
  'DerivedData',
  'CMakeFiles',
  'zig-out',
  'zig-cache',
  '.zig-cache',
  '.angular',
  '.dart_tool',
  '.build',
  '_build',
  '.eggs',
  '.venv',
  'venv',
  'dist',
  'build',
  'out',
  'obj',
  'deps',
  'cover',
  'Pods',
  'target',
  'tmp',
])

const traceFiles = new Set([
  '.coverage',
  'coverage.xml',
  'coverage.out',
  'cover.out',
  'cobertura.xml',
  'lcov.info',
  'junit.xml',
  'nohup.out',
  '.eslintcache',
  '.stylelintcache',
  '.rspec_status',
  '.phpunit.result.cache',
  '.php-cs-fixer.cache',
  '.testmondata',
  '.mutmut-cache',
  '.prettiercache',
  '.lein-failures',
  '.pdm-python',
  '.Rhistory',
  'erl_crash.dump',
  'a.out',
  '__debug_bin',
  'profile.out',
  'coverage.txt',
  'coverage.json',
  'coverage-final.json',
  'clover.xml',
  'test-report.xml',
  '.flutter-plugins',
  '.flutter-plugins-dependencies',
  'CMakeCache.txt',
  'compile_commands.json',
  'install-state.gz',
])

const files = new Set([
  'package-lock.json',
  'npm-shrinkwrap.json',
  'yarn.lock',
  'pnpm-lock.yaml',
  'bun.lock',
  'bun.lockb',
  'deno.lock',
  'Cargo.lock',
  'poetry.lock',
  'pdm.lock',
  'uv.lock',
  'Pipfile.lock',
  'Gemfile.lock',
  'Podfile.lock',
  'composer.lock',
  'mix.lock',
  'pubspec.lock',
  'flake.lock',
  'packages.lock.json',
  'gradle.lockfile',
  'Package.resolved',
  'go.sum',
  '.terraform.lock.hcl',
  'Chart.lock',
  'pixi.lock',
  'rebar.lock',
  'shard.lock',
  'gems.locked',
  'paket.lock',
  'stack.yaml.lock',
  'cabal.project.freeze',
  'Cartfile.resolved',
  'Manifest.toml',
])

const traceEndings =
  /\.(?:pyc|pyo|tsbuildinfo|lcov|log|profraw|profdata|gcda|gcno|pid|beam|prof|pprof)$|^core\.\d+$|^TEST-.*\.xml$|[.-](?:db|sqlite3?)-(?:journal|wal|shm)$|^\.coverage\./
const endings = /\.(?:snap|class|o|tgz|whl|nupkg|crate|gem|vsix)$|^test[\w-]*\.(?:db|sqlite3?)$/
const tracePlaces =
  /(?:^|\/)cypress\/(?:screenshots|videos|downloads)\/|(?:^|\/)\.yarn\/cache\/|^bazel-[\w-]+(?:\/|$)/
const places =
  /\.egg-info\/|(?:^|\/)bin\/(?:Debug|Release)\/|(?:^|\/)cmake-build-[\w-]+\/|(?:^|\/)vendor\/bundle\/|(?:^|\/)\.pnp\.(?:c?js|loader\.mjs)$/

function isIn(path: string, names: ReadonlySet<string>): boolean {
  return path
    .split('/')
    .slice(0, -1)
    .some((folder) => names.has(folder))
}

/** True for a path that is nothing but a trace of a run. Uncommitted it shows no work. */
export function isTrace(path: string): boolean {
  const name = basename(path)
  return traceFiles.has(name) || traceEndings.test(name) || tracePlaces.test(path) || isIn(path, traceFolders)
}

/** True for what package managers write themselves, to know what they have installed. */
export const isLockFile = (path: string): boolean => files.has(basename(path))

/** True for a path that running something usually makes. */
export function isProduct(path: string): boolean {
  const name = basename(path)
  return isTrace(path) || files.has(name) || endings.test(name) || places.test(path) || isIn(path, folders)
}

const ofEditors =
  /^(?:\.DS_Store|Thumbs\.db|desktop\.ini|\.directory|4913)$|^\..*\.sw[a-p]$|^\.~lock\..*#$|^#.*#$|~$|\.kate-swp$|^\.(?:fuse_hidden|nfs)[0-9a-f]+$/

/** What editors remember of a project for themselves. Tasks and settings, which may start something, are not among it. */
const editorPlaces =
  /(?:^|\/)\.idea\/(?:workspace\.xml$|usage\.statistics\.xml$|tasks\.xml$|shelf\/)|(?:^|\/)(?:\.history|\.vs|\.metadata|\.ropeproject)\//

/** True for what an editor or the system of a person keeps beside a file for a while. */
export const isOfEditor = (path: string): boolean => ofEditors.test(basename(path)) || editorPlaces.test(path)
