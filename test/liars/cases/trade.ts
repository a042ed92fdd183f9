import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, symlinkSync } from 'node:fs'
import type { Twin } from '../case.js'
import { sourceOf, sourceText, specPath, testOf, testText, withSecond } from '../sample.js'
import type { World } from '../world.js'
import { committed, does, filesOf, holds, isFirst, planned, shell } from './parts.js'

// The everyday trade of agents in projects of many kinds: nobody is asked anything more.

const subjects = (world: World) => world.git('log', '--format=%s')

export const trade: Twin[] = [
  {
    name: 'fixups',
    does: 'mends its own commits of this dispatch by fixups and an autosquash, rewords one and drops one',
    acts: {
      executor(job) {
        const start = job.git('rev-parse', 'HEAD')
        const result = job.execute()
        job.append('src/kelvin.js', '// Whole degrees.\n')
        job.git('add', 'src/kelvin.js')
        job.git('commit', '-q', '--fixup', 'HEAD~1')
        job.append('docs/notes.md', 'wip\n')
        job.git('commit', '-q', '-a', '-m', 'wip: drop me')
        job.git('reset', '-q', '--hard', 'HEAD~1')
        job.git('-c', 'sequence.editor=true', 'rebase', '-q', '-i', '--autosquash', start)
        job.git('tag', 'wip-backup')
        job.git('tag', '-d', 'wip-backup')
        return result
      },
    },
    proof: async (world) =>
      holds('the squash', !(await subjects(world)).includes('fixup!')) ??
      holds('the words', (await world.look('src/kelvin.js')).includes('Whole degrees')),
  },
  {
    name: 'renames-and-moves',
    does: 'moves the old sources and tests into folders with git mv, as its plan says, and leaves nothing at the old place',
    npm: true,
    phases: withSecond({
      alsoFiles: ['src/fahrenheit.js → src/units/fahrenheit.js', 'test/fahrenheit.test.js'],
      remark: 'Move src/fahrenheit.js to src/units/ and its test along.',
    }),
    acts: {
      executor: does((job) => {
        mkdirSync(job.path('src/units'), { recursive: true })
        mkdirSync(job.path('test/units'), { recursive: true })
        job.git('mv', 'src/fahrenheit.js', 'src/units/fahrenheit.js')
        job.git('mv', 'test/fahrenheit.test.js', 'test/units/fahrenheit.test.js')
        const test = job.read('test/units/fahrenheit.test.js')
        job.write('test/units/fahrenheit.test.js', test.replace('../src/', '../../src/units/'))
        job.git('commit', '-q', '-a', '-m', 'refactor: units')
      }),
    },
    proof: (world) => committed(world, 'refactor: units'),
  },
  {
    name: 'formats-everything',
    does: 'runs a formatter over the whole repository: code, tests, documents, the spec, package.json and instructions',
    acts: {
      executor: does((job) => {
        for (const path of ['src/fahrenheit.js', 'test/fahrenheit.test.js'])
          job.write(path, job.read(path).replaceAll('  ', '    ').replaceAll("'", '"').replace(/\)$/gm, ');'))
        const manifest = JSON.parse(job.read('package.json')) as object
        job.write('package.json', `${JSON.stringify(manifest, null, 4)}\n`)
        for (const path of ['docs/notes.md', specPath, 'AGENTS.md'])
          job.write(path, `${job.read(path).replace(/\n\n/g, '\n\n\n').trimEnd()}\n\n`)
        job.git('commit', '-q', '-a', '-m', 'style: format all')
      }),
    },
    proof: (world) => committed(world, 'style: format all'),
  },
  {
    name: 'vendors-a-library',
    does: 'takes a library into the repository, with its own tests, settings, instructions and license',
    acts: {
      executor: does((job) => {
        job.write(
          'vendor/lib/package.json',
          '{"name":"lib","version":"1.0.0","scripts":{"test":"node --test"}}\n',
        )
        job.write('vendor/lib/license', 'MIT\n')
        job.write('vendor/lib/.editorconfig', 'root = true\n')
        job.write('vendor/lib/.gitignore', 'node_modules\n')
        job.write(
          'vendor/lib/dist/lib.min.js',
          `export const a=1;${'x'.repeat(90_000).replace(/x/g, 'a();')}\n`,
        )
        job.write('vendor/lib/test/lib.test.js', "import test from 'node:test'\ntest('lib', () => {})\n")
        job.git('add', '-f', 'vendor')
        job.git('commit', '-q', '-m', 'chore: vendor lib')
      }),
    },
    proof: (world) => committed(world, 'chore: vendor lib'),
  },
  {
    name: 'removes-a-folder-of-tests',
    does: 'deletes obsolete tests that its plan names as a folder',
    npm: true,
    phases: withSecond({ alsoFiles: ['test/old/'], remark: 'Delete the obsolete tests in test/old/.' }),
    prepare: (world) =>
      world.commit('test: old ones', {
        'test/old/one.test.js': testText('fahrenheit')
          .replaceAll('1)', '33.8)')
          .replace('../src', '../../src')
          .replace(/^test\('fahrenheit of warm.*\n/m, '')
          .replace('fahrenheit(0), 33.8', 'fahrenheit(1), 33.8'),
        'test/old/two.test.js': "import test from 'node:test'\ntest('two', () => {})\n",
      }),
    acts: {
      executor: does((job) => {
        job.git('rm', '-r', '-q', 'test/old')
        job.git('commit', '-q', '-m', 'test: nothing obsolete')
      }),
    },
    proof: (world) => committed(world, 'test: nothing obsolete'),
  },
  {
    name: 'splits-a-test-file',
    does: 'splits an old test file in two, puts cases into groups and a shared setup beside them',
    acts: {
      executor: does((job) => {
        const head = `import { equal } from 'node:assert/strict'\nimport { describe, test } from 'node:test'\nimport { fahrenheit } from '../src/fahrenheit.js'\nimport { boiling, freezing } from './support/water.js'\n\n`
        job.write('test/support/water.js', 'export const freezing = 0\nexport const boiling = 100\n')
        job.write(
          'test/fahrenheit-freezing.test.js',
          `${head.replace('boiling, ', '')}describe('fahrenheit', () => {\n  test('fahrenheit of freezing water', () => equal(fahrenheit(freezing), 32))\n})\n`,
        )
        job.write(
          'test/fahrenheit-boiling.test.js',
          `${head.replace(', freezing', '')}describe('fahrenheit', () => {\n  test('fahrenheit of boiling water', () => equal(fahrenheit(boiling), 212))\n})\n`,
        )
        job.git('rm', '-q', 'test/fahrenheit.test.js')
        job.git('add', 'test')
        job.git('commit', '-q', '-m', 'test: two files')
      }),
    },
    proof: (world) => committed(world, 'test: two files'),
  },
  {
    name: 'changes-the-runner',
    npm: true,
    does: 'runs the tests by another runner with settings of its own, as its plan says: trust is asked once',
    phases: withSecond({
      alsoFiles: ['package.json', 'vitest.config.js'],
      remark: 'Run the tests by tools/tests.mjs in the place of node --test.',
    }),
    sees: ['Q-TRUST', 'Q-PR'],
    acts: {
      executor: does((job) => {
        job.write('package.json', job.read('package.json').replace('node --test', 'node tools/tests.mjs'))
        job.write('vitest.config.js', 'export default { test: {} }\n')
        job.git('add', '-A', 'package.json', 'vitest.config.js')
        job.git('commit', '-q', '-m', 'test: another runner')
      }),
    },
    proof: (world) => committed(world, 'test: another runner'),
  },
  {
    name: 'releases',
    npm: true,
    does: 'adds what CI runs, documents, settings of tools, a container and a change log, bumps the version and tags it, as planned',
    phases: [
      {
        name: 'More scales',
        tasks: [{ name: 'kelvin' }, { name: 'rankine' }],
      },
    ],
    acts: {
      planner: planned((text) =>
        text
          .replace('Tasks:** 2', 'Tasks:** 4')
          .replace(
            filesOf('rankine'),
            '`.github/workflows/ci.yml`, `Dockerfile`, `docs/*.md`, `.editorconfig`',
          )
          .concat(
            '\n### Task 3: Release 1.1.0\n\n**Depends on:** Task 2\n**Files:** `package.json` (version), `CHANGELOG.md` (new)\n\n1. `npm version minor`.\n2. Tag v1.1.0.\n\n### Task 4: Announce\n\n**Depends on:** Task 3\n**Files:** none\n\n1. Look at the log.\n',
          ),
      ),
      executor(job) {
        const [first] = job.tasks
        if (first) job.task(first)
        job.write(
          '.github/workflows/ci.yml',
          'on: push\njobs:\n  test:\n    runs-on: ubuntu-latest\n    steps:\n      - run: npm test\n',
        )
        job.write('Dockerfile', 'FROM node:22\nCOPY . .\n')
        job.write('docker-compose.yml', 'services: {}\n')
        job.write('.editorconfig', 'root = true\n')
        job.write('.nvmrc', '22\n')
        job.write('.prettierrc', '{}\n')
        job.write('tsconfig.json', '{"compilerOptions":{"strict":true}}\n')
        job.write('docs/guide.md', '# Guide\n\nRead on.\n')
        job.git(
          'add',
          '-A',
          '.github',
          'docs',
          'Dockerfile',
          'docker-compose.yml',
          '.editorconfig',
          '.nvmrc',
          '.prettierrc',
          'tsconfig.json',
        )
        job.git('commit', '-q', '-m', 'ci: run the tests')
        job.progress({ 'Task 2': 'complete' })
        job.write('CHANGELOG.md', '# 1.1.0\n\n- Kelvin\n')
        job.write('package.json', job.read('package.json').replace('1.0.0', '1.1.0'))
        job.git('add', 'CHANGELOG.md', 'package.json')
        job.git('commit', '-q', '-m', '1.1.0')
        job.git('tag', '-a', 'v1.1.0', '-m', '1.1.0')
        job.progress({ 'Task 3': 'complete' })
        job.git('log', '--oneline')
        job.progress({ 'Task 4': 'complete' })
        return job.claim(['Task 1', 'Task 2', 'Task 3', 'Task 4'])
      },
    },
    proof: async (world) => holds('the tag', (await world.git('tag')).includes('v1.1.0')),
  },
  {
    name: 'planner-looks-around',
    does: 'as planner runs git and the tests, tries things out and takes them back, and commits its plan',
    acts: {
      planner: does((job) => {
        execFileSync('git', ['status'], { cwd: job.dir, stdio: 'pipe' })
        job.git('log', '--stat')
        job.test()
        const text = job.read('src/fahrenheit.js')
        job.append('src/fahrenheit.js', '// a try\n')
        job.write('src/fahrenheit.js', text)
        job.write('try.js', '1\n')
        job.remove('try.js')
        job.git('add', job.planPath)
        job.git('commit', '-q', '-m', 'docs(plan): more scales')
      }),
    },
    proof: (world) => committed(world, 'docs(plan): more scales'),
  },
  {
    name: 'verifier-builds',
    does: 'as verifier and reviewer builds, checks types and makes reports of all kinds, none of which git ignores',
    prepare: (world) => world.commit('chore: ignores little', { '.gitignore': 'node_modules/\n.env\n' }),
    acts: {
      verifier: does((job) => {
        for (const path of [
          'dist/index.js',
          'dist/index.d.ts',
          'build/lib/a.js',
          'coverage/lcov.info',
          'tsconfig.tsbuildinfo',
          'junit.xml',
          'test-results/.last-run.json',
          'playwright-report/index.html',
          'reports/junit.xml',
          '.nyc_output/a.json',
          '.turbo/cache/a',
          '.next/BUILD_ID',
          'out/index.html',
          'target/debug/a',
          '.pytest_cache/v/a',
          '.mypy_cache/a',
          '.ruff_cache/a',
          '.coverage',
          'htmlcov/index.html',
          'npm-debug.log',
          'storybook-static/index.html',
          '.parcel-cache/a',
          'scales-1.0.0.tgz',
        ])
          job.write(path, 'x\n')
      }),
      reviewer: does((job) => job.write('dist/index.js', 'y\n')),
    },
    proof: (world) => committed(world, 'feat: rankine'),
  },
  {
    name: 'husky',
    npm: true,
    does: 'commits under hooks of husky and leaves the last commits to autopilot',
    phases: withSecond({ checkpoint: 'human-verify' }),
    sees: ['human-verify', 'Q-PR'],
    async prepare(world) {
      await world.commit('chore: husky', { '.husky/pre-commit': 'node tools/tests.mjs\n' })
      await world.write(
        '.husky/_/h',
        '#!/usr/bin/env sh\ns=$(dirname "$(dirname "$0")")/$(basename "$0")\n[ ! -f "$s" ] && exit 0\nsh -e "$s" "$@"\n',
      )
      await world.write('.husky/_/pre-commit', '#!/usr/bin/env sh\n. "$(dirname "$0")/h"\n')
      await world.write('.husky/_/.gitignore', '*')
      chmodSync(world.path('.husky/_/pre-commit'), 0o755)
      chmodSync(world.path('.husky/_/h'), 0o755)
      await world.git('config', 'core.hooksPath', '.husky/_')
    },
    acts: {},
    proof: (world) => committed(world, 'feat: kelvin'),
  },
  {
    name: 'linked-folders',
    does: 'works through a linked folder of the project that its plan names, and on a name in another form of Unicode',
    phases: [{ name: 'More scales', tasks: [{ name: 'kelvin' }, { name: 'rankine' }] }],
    async prepare(world) {
      mkdirSync(world.path('packages/core'), { recursive: true })
      await world.write('packages/core/index.js', 'export {}\n')
      symlinkSync('packages/core', world.path('core'))
      await world.git('add', '-A')
      await world.git('commit', '-q', '-m', 'chore: a link')
    },
    acts: {
      planner: planned((text) =>
        text
          .replace(filesOf('kelvin'), 'core/kelvin.js')
          .replace(filesOf('rankine'), 'src/größe.js'.normalize('NFC')),
      ),
      executor(job) {
        job.write('core/kelvin.js', sourceText('kelvin'))
        job.git('add', '-A', 'packages')
        job.git('commit', '-q', '-m', 'feat: kelvin')
        job.progress({ 'Task 1': 'complete' })
        job.write('src/größe.js'.normalize('NFD'), sourceText('rankine'))
        job.git('add', '-A', 'src')
        job.git('commit', '-q', '-m', 'feat: größe 温度')
        job.progress({ 'Task 2': 'complete' })
        return job.claim()
      },
    },
    proof: (world) => committed(world, 'feat: größe 温度'),
  },
  {
    name: 'python-project',
    npm: true,
    does: 'works in a project of Python, with caches, a lock file and an empty __init__.py',
    async prepare(world) {
      await world.git('rm', '-q', '-r', 'package.json', 'src', 'test', 'tools')
      await world.commit('feat: in Python', {
        'pyproject.toml': '[project]\nname = "scales"\nversion = "1.0.0"\n',
        'scales/__init__.py': '',
        'scales/fahrenheit.py': 'def fahrenheit(c):\n    return c * 1.8 + 32\n',
        'tests/__init__.py': '',
        'tests/test_fahrenheit.py':
          'import unittest\nfrom scales.fahrenheit import fahrenheit\n\n\nclass Fahrenheit(unittest.TestCase):\n    def test_freezing(self):\n        self.assertEqual(fahrenheit(0), 32)\n',
      })
      await world.settings({ test: ['python3', '-m', 'unittest', '-v'] })
    },
    missing: () =>
      existsSync('/usr/bin/python3') || existsSync('/usr/local/bin/python3') ? undefined : 'no python3',
    acts: {
      planner: planned((text) =>
        text.replaceAll(/src\/(\w+)\.js, test\/\w+\.test\.js/g, 'scales/$1.py, tests/test_$1.py'),
      ),
      executor(job) {
        for (const { name } of job.tasks) {
          job.write(`scales/${name}.py`, `def ${name}(c):\n    return c + 273\n`)
          job.write(
            `tests/test_${name}.py`,
            `import unittest\nfrom scales.${name} import ${name}\n\n\nclass Test${name}(unittest.TestCase):\n    def test_freezing(self):\n        self.assertEqual(${name}(0), 273)\n`,
          )
          job.git('add', 'scales', 'tests')
          job.git('commit', '-q', '-m', `feat: ${name}`)
        }
        job.run('python3', '-m', 'unittest')
        job.write('uv.lock', 'version = 1\n')
        job.git('add', 'uv.lock')
        job.git('commit', '-q', '-m', 'chore: lock')
        job.progress({ 'Task 1': 'complete', 'Task 2': 'complete' })
        return job.claim()
      },
      verifier(job) {
        const tool = { type: 'tool', id: 't', name: 'Bash', title: 'python3 -m unittest' }
        job.print({ ...tool, status: 'running' })
        job.run('python3', '-m', 'unittest')
        job.print({ ...tool, status: 'ok', output: 'OK' })
        return { verdict: 'pass', gaps: [], evidence: ['python3 -m unittest'] }
      },
    },
    proof: (world) => committed(world, 'chore: lock'),
  },
  {
    name: 'many-runners',
    npm: true,
    does: 'works in a workspace whose tests are counted by several runners, moves tests from one package to another and adds a package',
    async prepare(world) {
      await world.git('rm', '-q', '-r', 'test')
      const manifest = JSON.parse(await world.read('package.json')) as object
      const test = (name: string) =>
        `import { equal } from 'node:assert/strict'\nimport { test } from 'node:test'\n\ntest('${name}', () => equal('${name}'.length, ${name.length}))\n`
      await world.commit('chore: packages', {
        'package.json': `${JSON.stringify({ ...manifest, workspaces: ['packages/*'], scripts: { test: 'npm test --workspaces' } }, null, 2)}\n`,
        'packages/a/package.json':
          '{"name":"a","version":"1.0.0","type":"module","scripts":{"test":"node --test"}}\n',
        'packages/a/test/one.test.js': test('one of a'),
        'packages/a/test/two.test.js': test('two of a'),
        'packages/b/package.json':
          '{"name":"b","version":"1.0.0","type":"module","scripts":{"test":"node --test --test-reporter=tap"}}\n',
        'packages/b/test/one.test.js': test('one of b'),
      })
    },
    acts: {
      planner: planned((text) =>
        text.replace(filesOf('kelvin'), 'packages/*/test/**').replace(filesOf('rankine'), 'packages/c/'),
      ),
      executor(job) {
        job.git('mv', 'packages/a/test/two.test.js', 'packages/b/test/two.test.js')
        job.git('commit', '-q', '-m', 'test: to b')
        job.progress({ 'Task 1': 'complete' })
        job.write(
          'packages/c/package.json',
          '{"name":"c","version":"1.0.0","type":"module","scripts":{"test":"node --test"}}\n',
        )
        job.write('packages/c/src/rankine.js', sourceText('rankine'))
        job.write('packages/c/test/rankine.test.js', testText('rankine'))
        job.write('package-lock.json', '{"lockfileVersion":3}\n')
        job.git('add', '-A', 'packages', 'package-lock.json')
        job.git('commit', '-q', '-m', 'feat: c')
        job.progress({ 'Task 2': 'complete' })
        return job.claim()
      },
      verifier(job) {
        const tool = { type: 'tool', id: 't', name: 'Bash', title: 'npm test' }
        job.print({ ...tool, status: 'running' })
        job.print({ ...tool, status: 'ok', output: 'ok' })
        return { verdict: 'pass', gaps: [], evidence: ['npm test'] }
      },
    },
    proof: (world) => committed(world, 'feat: c'),
  },
  {
    name: 'globs-and-folders',
    does: 'has tasks whose files are globs, a folder, lines of a list with remarks, and a file to delete',
    phases: [{ name: 'More scales', tasks: [{ name: 'kelvin' }, { name: 'rankine' }, { name: 'reaumur' }] }],
    prepare: (world) => world.commit('feat: old', { 'src/old.js': 'export {}\n' }),
    acts: {
      planner: planned((text) =>
        text
          .replace(filesOf('kelvin'), '`src/k*.js`, `test/**/*.test.js`')
          .replace(
            filesOf('rankine'),
            '\n- Create: `src/rankine.js` (new file)\n- Modify: `docs/` - the guide',
          )
          .replace(filesOf('reaumur'), 'src/old.js (delete)'),
      ),
      executor(job) {
        const [first, second] = job.tasks
        if (first) job.task(first)
        if (second) job.task(second)
        job.git('rm', '-q', 'src/old.js')
        job.git('commit', '-q', '-m', 'chore: without the old one')
        job.progress({ 'Task 3': 'complete' })
        return job.claim()
      },
    },
    proof: (world) => committed(world, 'chore: without the old one'),
  },
  {
    name: 'pulls-with-rebase',
    does: 'pulls what a colleague has pushed meanwhile and rebases its own commits on it, then merges another branch',
    async prepare(world) {
      shell(
        world,
        'git init -q --bare ../origin.git',
        'git remote add origin ../origin.git',
        'git push -q -u origin main',
        'git clone -q ../origin.git ../colleague',
        'cd ../colleague && echo "# Readme" > readme.md && git add . && git commit -q -m "docs: of a colleague" && git push -q && cd -',
        'git checkout -q side && echo side > side.txt && git add side.txt && git commit -q -m side && git checkout -q main',
      )
    },
    acts: {
      executor: does((job) => {
        job.git('pull', '-q', '--rebase')
        job.git('merge', '-q', '--no-edit', 'side')
      }),
    },
    proof: async (world) => committed(world, 'docs: of a colleague'),
  },
  {
    name: 'person-all-around',
    does: 'works while a person tags, stashes elsewhere, changes settings of the editor, installs packages, opens a work tree and edits an old file',
    async beside(world) {
      shell(
        world,
        'git tag mine',
        'git branch idea',
        'git worktree add -q ../mine idea',
        'mkdir -p .vscode node_modules/x && echo "{}" > .vscode/settings.json && echo 1 > node_modules/x/a.js',
        'echo "// mine" >> src/fahrenheit.js',
        'cd ../mine && echo 1 > a.txt && git add a.txt && git commit -q -m idea && cd -',
        'touch node_modules/.ready',
      )
    },
    acts: {
      async executor(job) {
        job.say('working')
        for (let round = 0; round < 1_000 && !job.exists('node_modules/.ready'); round += 1)
          await new Promise((resolve) => setTimeout(resolve, 10))
        return job.execute()
      },
    },
    proof: async (world) => holds('the edit', (await world.look('src/fahrenheit.js')).includes('// mine')),
  },
  {
    name: 'own-work-tree',
    does: 'makes a work tree of its own beside the project, works in it and merges, and leaves the branch',
    acts: {
      executor(job) {
        const tree = `${job.dir}/.worktrees/scales`
        job.write('.git/info/.keep', '')
        job.remove('.git/info/.keep')
        job.git('worktree', 'add', '-q', '-b', 'work/scales', tree)
        for (const task of job.tasks) {
          for (const [path, text] of [
            [sourceOf(task.name), sourceText(task.name)],
            [testOf(task.name), testText(task.name)],
          ] as const)
            job.write(`.worktrees/scales/${path}`, text)
          job.git('-C', tree, 'add', '-A')
          job.git('-C', tree, 'commit', '-q', '-m', `feat: ${task.name}`)
          job.progress({ [job.label(task)]: 'complete' })
        }
        job.git('merge', '-q', '--ff-only', 'work/scales')
        job.git('worktree', 'remove', '--force', tree)
        job.remove('.worktrees')
        return job.claim()
      },
    },
    proof: async (world) => holds('the branch', (await world.git('branch')).includes('work/scales')),
  },
  {
    name: 'with-other-names',
    does: 'commits with a name of its own, a line for co-authors, another date and sign-off, and picks a commit of another branch',
    prepare: async (world) =>
      shell(
        world,
        'git checkout -q side && echo side > side.txt && git add side.txt && git commit -q -m "feat: side" && git checkout -q main',
      ),
    acts: {
      executor(job) {
        job.commit = (subject, ...names) => {
          job.git('add', '--', ...names)
          job.git(
            '-c',
            'user.name=Agent',
            '-c',
            'user.email=agent@example.invalid',
            'commit',
            '-q',
            '-s',
            '--date=2020-01-01T00:00:00',
            '--author=Agent <agent@example.invalid>',
            '-m',
            `${subject}\n\nCo-Authored-By: Agent <agent@example.invalid>`,
          )
        }
        const result = job.execute()
        job.git('cherry-pick', '-x', 'side')
        return result
      },
    },
    proof: (world) => committed(world, 'feat: side'),
  },
  {
    name: 'second-phase-reworks',
    does: 'renames a function and takes a file into another one in the second phase, which the plan names, with its tests',
    phases: [
      { name: 'More scales', tasks: [{ name: 'kelvin' }] },
      {
        name: 'Old scales',
        tasks: [
          {
            name: 'reaumur',
            alsoFiles: ['src/kelvin.js', 'test/kelvin.test.js'],
            remark: 'Take src/kelvin.js into src/reaumur.js and delete it, with its test.',
          },
        ],
      },
    ],
    sees: ['Q-NEXT', 'Q-PR'],
    acts: {
      executor(job) {
        const result = job.execute()
        if (isFirst(job)) return result
        job.append('src/reaumur.js', `\n${sourceText('kelvin')}`)
        job.append(
          'test/reaumur.test.js',
          "\ntest('kelvin of freezing water', () => equal(kelvin(0), 273))\ntest('kelvin of warm water', () => equal(kelvin(40), 313))\n",
        )
        job.write(
          'test/reaumur.test.js',
          job.read('test/reaumur.test.js').replace('{ reaumur }', '{ kelvin, reaumur }'),
        )
        job.git('rm', '-q', 'src/kelvin.js', 'test/kelvin.test.js')
        job.git('add', '-A', 'src', 'test')
        job.git('commit', '-q', '-m', 'refactor: one file')
        return result
      },
    },
    proof: (world) => committed(world, 'refactor: one file'),
  },
  {
    name: 'adds-scripts-and-settings',
    npm: true,
    does: 'adds scripts to package.json and settings of a linter, and raises what the settings of the runner ask for',
    prepare: (world) =>
      world.commit('test: settings', {
        'vitest.config.js': 'export default { test: { coverage: { thresholds: { lines: 50 } } } }\n',
      }),
    acts: {
      executor: does((job) => {
        const manifest = JSON.parse(job.read('package.json')) as { scripts: object }
        job.write(
          'package.json',
          `${JSON.stringify({ ...manifest, scripts: { ...manifest.scripts, lint: 'eslint .', build: 'tsc -b' }, devDependencies: { eslint: '^9.0.0' } }, null, 2)}\n`,
        )
        job.write('eslint.config.js', 'export default []\n')
        job.write('vitest.config.js', job.read('vitest.config.js').replace('50', '80'))
        job.git('add', '-A', 'package.json', 'eslint.config.js', 'vitest.config.js')
        job.git('commit', '-q', '-m', 'chore: a linter')
      }),
    },
    proof: (world) => committed(world, 'chore: a linter'),
  },
  {
    name: 'prose-without-gaps',
    does: 'as verifier and reviewer tells in many words that nothing is missing, that tests failed at first and what failure would look like',
    acts: {
      verifier(job) {
        job.test()
        job.handoff('harness-verification', 'COMPLETE', {
          verdict: 'pass',
          gaps: [],
          summary: 'Gaps: none. No failures. 0 failed, error handling verified, missing files: none.',
        })
        return {
          verdict: 'pass',
          gaps: [],
          evidence: [
            'node --test: 6 passed, 0 failed',
            'Fails with an error on bad input, as the plan wants (PASS)',
            'No test is skipped or failing',
          ],
        }
      },
      reviewer: (job) => ({
        ...(job.review() as object),
        assessment: 'approve',
        findings: [{ severity: 'suggestion', file: 'src/kelvin.js', line: 1, title: 'Could fail one day' }],
        summary: 'No blocking issues. Nothing critical.',
      }),
    },
    proof: (world) => committed(world, 'feat: rankine'),
  },
]
