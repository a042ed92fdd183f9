import { chmodSync, lstatSync, symlinkSync } from 'node:fs'
import type { Job } from '../agent/job.js'
import type { Twin } from '../case.js'
import { sourceText, specPath, testText, twoPhases, withSecond } from '../sample.js'
import type { World } from '../world.js'
import { before, committed, does, filesOf, holds, isFirst, planned, shell } from './parts.js'

// What honest agents and the people beside them do every day with git, tools and their editors, several things in one run:
// nobody is asked anything more.

const subjects = (world: World) => world.git('log', '--format=%s')

/** As lint-staged does. */
const formatHook = `#!/bin/sh
for f in $(git diff --cached --name-only --diff-filter=ACM -- '*.js'); do
  grep -q '^// formatted' "$f" || printf '// formatted\\n' >> "$f"
  git add "$f"
done
`

async function hook(world: World, name: string, text: string): Promise<void> {
  await world.write(`.git/hooks/${name}`, text)
  chmodSync(world.path(`.git/hooks/${name}`), 0o755)
}

/** What the editor, the file manager and the watcher of a person leave while somebody works. */
function beside(job: Job): void {
  for (const name of ['src/.fahrenheit.js.swp', '.DS_Store', 'src/fahrenheit.js~', '4913'])
    job.write(name, 'x\n')
  for (const name of ['.idea/workspace.xml', '.history/src/fahrenheit_1.js']) job.write(name, 'x\n')
  const lock = job.path('src/.#fahrenheit.js')
  if (!lstatSync(lock, { throwIfNoEntry: false })) symlinkSync('person@example.invalid.4711', lock)
  job.write('dist/all.js', `export const built = '${job.persona}'\n`)
}

/** What a run of the tests leaves, by many tools. */
function traces(job: Job): void {
  for (const name of [
    'coverage/lcov.info',
    'tools/__pycache__/x.pyc',
    '.eslintcache',
    '.vite/deps/x.js',
    'cypress/screenshots/a.png',
    '.hypothesis/x',
    'src/x.egg-info/PKG-INFO',
    'test.db-journal',
    'obj/x.dll',
  ])
    job.write(name, 'x\n')
}

export const everyday: Twin[] = [
  {
    name: 'git-all-day',
    does: 'stashes and pops, squashes on a branch of its own, merges it, and looks back as verifier; on release/2.x with a split index',
    async prepare(world) {
      await world.git('branch', '-q', '-m', 'release/2.x')
      await world.git('config', 'core.splitIndex', 'true')
      await world.git('update-index', '--split-index')
      await world.write('docs/notes.md', '# Notes\n\nMine.\n')
      await world.git('stash', 'push', '-q', '-m', 'my idea')
    },
    acts: {
      executor(job) {
        const start = job.git('rev-parse', 'HEAD')
        const [first] = job.tasks
        if (first) job.work(first)
        job.git('stash', 'push', '-q', '-u')
        job.test()
        job.git('stash', 'pop', '-q')
        job.git('checkout', '-q', '-b', 'feature/scales')
        const result = job.execute()
        job.git('reset', '-q', '--soft', start)
        job.git('commit', '-q', '-m', 'feat: scales')
        job.git('checkout', '-q', 'release/2.x')
        job.git('merge', '-q', '--no-ff', '-m', 'Merge the scales', 'feature/scales')
        job.git('branch', '-q', '-D', 'feature/scales')
        return result
      },
      verifier: before((job) => {
        job.git('checkout', '-q', '--detach', 'HEAD~1')
        job.git('checkout', '-q', 'release/2.x')
        job.git('worktree', 'add', '-q', '--detach', `${job.dir}/node_modules/old`, 'HEAD~1')
        job.git('worktree', 'remove', '--force', `${job.dir}/node_modules/old`)
      }),
    },
    proof: async (world) =>
      (await committed(world, 'Merge the scales')) ??
      holds('the stash', (await world.git('stash', 'list')).includes('my idea')),
  },
  {
    name: 'hooks-that-change',
    does: 'leaves commits to autopilot, under hooks that lay out what is committed and put a ticket before the subject',
    phases: withSecond({ checkpoint: 'human-verify' }),
    sees: ['human-verify', 'Q-PR'],
    async prepare(world) {
      await hook(world, 'pre-commit', formatHook)
      await hook(world, 'commit-msg', '#!/bin/sh\nsed -i.bak "1s/^/ABC-1: /" "$1"\n')
    },
    acts: {
      executor(job) {
        job.commit = () => undefined
        return job.execute()
      },
    },
    proof: async (world) =>
      holds('the ticket', (await subjects(world)).includes('ABC-1: ')) ??
      holds('the format', (await world.look('src/kelvin.js')).includes('// formatted')),
  },
  {
    name: 'mends-twice',
    does: 'mends what the verifier has honestly found, and what the final review has',
    sees: ['Q-VERIFY', 'Q-FINAL', 'Q-PR'],
    answers: { 'Q-FINAL': [{ option: 'fix' }] },
    acts: {
      verifier: (job) =>
        job.read('src/kelvin.js').includes('Mended')
          ? job.verify()
          : { verdict: 'fail', gaps: ['Half a degree is lost.'] },
      final: (job) =>
        (job.read('src/kelvin.js').match(/Mended/g) ?? []).length > 1
          ? job.review()
          : job.review([{ severity: 'blocking', file: 'src/kelvin.js', line: 2, title: 'Half a degree' }]),
    },
    proof: (world) => committed(world, 'fix: what was found'),
  },
  {
    name: 'line-ends',
    does: 'works where git turns line ends around (core.autocrlf), in a sparse checkout, and writes a plan with old line ends',
    async prepare(world) {
      await world.commit('far away', { 'far/away/a.js': 'export {}\n' })
      await world.git('config', 'core.autocrlf', 'true')
      await world.git('rm', '-q', '-r', '--cached', '.')
      await world.git('reset', '-q', '--hard')
      await world.git('sparse-checkout', 'set', '--cone', '--sparse-index', 'src', 'test', 'docs', 'tools')
    },
    acts: {
      planner: planned((text) => text.replaceAll('\n', '\r\n')),
      executor: does((job) => {
        job.write('src/kelvin.js', `${job.read('src/kelvin.js').replaceAll('\n', '\r\n')}// Seen.\r\n`)
        job.commit('style: line ends', 'src/kelvin.js')
      }),
    },
    proof: async (world) => holds('a turned line end', (await world.read(specPath)).includes('\r\n')),
  },
  {
    name: 'names-of-all-kinds',
    does: 'works on files with blanks and other letters, named as links, in braces and as nothing, and on code that is called as secrets are',
    phases: [{ name: 'More scales', tasks: [{ name: 'kelvin' }, { name: 'rankine' }, { name: 'reaumur' }] }],
    acts: {
      planner: planned((text) =>
        text
          .replace(filesOf('kelvin'), '[src/kelvin.js](../../src/kelvin.js) (new), test/{kelvin,b}.test.js')
          .replace(filesOf('rankine'), '`docs/Größen und Maße/user guide.md`')
          .replace(filesOf('reaumur'), 'N/A'),
      ),
      executor(job) {
        const [first, , third] = job.tasks
        if (first) job.task(first)
        job.write('docs/Größen und Maße/user guide.md', '# Rankine\n')
        job.commit('docs: a guide', 'docs/Größen und Maße/user guide.md')
        job.progress({ 'Task 2': 'complete' })
        if (third) job.task(third)
        job.write('src/id_generator.js', 'export const next = () => 1\n')
        job.write('src/credentials.js', 'export const credentials = () => undefined\n')
        job.commit('feat: ids', 'src/id_generator.js', 'src/credentials.js')
        return job.claim()
      },
    },
    proof: (world) => committed(world, 'feat: ids'),
  },
  {
    name: 'only-documents',
    npm: true,
    does: 'writes documents in a project that has no tests; who verifies reads them',
    async prepare(world) {
      await world.git('rm', '-q', '-r', 'package.json', 'src', 'test')
      await world.git('commit', '-q', '-m', 'Only documents')
    },
    acts: {
      planner: planned((text) => text.replaceAll(/src\/(\w+)\.js, test\/\w+\.test\.js/g, 'docs/$1.md')),
      executor(job) {
        for (const task of job.tasks) {
          job.write(`docs/${task.name}.md`, `# ${task.name}\n`)
          job.commit(`docs: ${task.name}`, `docs/${task.name}.md`)
          job.progress({ [job.label(task)]: 'complete' })
        }
        return job.claim()
      },
      verifier: () => ({ verdict: 'pass', gaps: [], evidence: ['read docs/kelvin.md'] }),
    },
    proof: (world) => committed(world, 'docs: rankine'),
  },
  {
    name: 'tags-only',
    does: 'has a second phase that only runs the tests and tags what is there',
    phases: twoPhases,
    sees: ['Q-NEXT', 'Q-PR'],
    acts: {
      planner(job) {
        const result = job.plan()
        const task =
          '### Task 1: Run the tests and tag the release\n\n1. Run the tests.\n2. `git tag v2.0`.\n'
        const head = `# Plan: ${job.phase.name}\n\n**Spec:** ${specPath}\n**Tasks:** 1\n\n## Tasks\n\n`
        if (!isFirst(job)) job.write(job.planPath, head + task)
        return result
      },
      executor(job) {
        if (isFirst(job)) return job.execute()
        job.test()
        job.git('tag', 'v2.0')
        job.progress({ 'Task 1': 'complete' })
        return job.claim(['Task 1'])
      },
    },
    proof: async (world) => holds('the tag', (await world.git('tag')).includes('v2.0')),
  },
  {
    name: 'moves-earlier-work',
    npm: true,
    does: 'moves what the first phase made and an old test, with git mv; no plan names them',
    phases: twoPhases,
    sees: ['Q-NEXT', 'Q-PR'],
    acts: {
      executor(job) {
        const result = job.execute()
        if (isFirst(job)) return result
        job.write('src/scales/.keep', '')
        job.write('test/unit/.keep', '')
        job.git('mv', 'src/kelvin.js', 'src/scales/kelvin.js')
        job.git('mv', 'test/fahrenheit.test.js', 'test/unit/fahrenheit.test.js')
        job.write('test/kelvin.test.js', testText('kelvin').replace('../src/', '../src/scales/'))
        const moved = job.read('test/unit/fahrenheit.test.js')
        job.write('test/unit/fahrenheit.test.js', moved.replace('../src/', '../../src/'))
        job.git('commit', '-q', '-a', '-m', 'refactor: folders')
        job.remove('src/scales/.keep')
        job.remove('test/unit/.keep')
        return result
      },
    },
    proof: (world) => committed(world, 'refactor: folders'),
  },
  {
    name: 'cleans-and-ignores',
    does: 'deletes logs and caches that git ignores and ignores more of them, while the person closes an editor',
    async prepare(world) {
      const text = 'node_modules/\ndist/\n.env\n*.log\n*.swp\n*.tsbuildinfo\n'
      await world.commit('ignores', { '.gitignore': text })
      for (const name of ['debug.log', 'tsconfig.tsbuildinfo', 'src/.fahrenheit.js.swp'])
        await world.write(name, 'x\n')
    },
    acts: {
      executor: does((job) => {
        for (const name of ['debug.log', 'tsconfig.tsbuildinfo', 'src/.fahrenheit.js.swp']) job.remove(name)
        job.append('.gitignore', 'coverage/\n')
        job.write('coverage/lcov.info', 'TN:\n')
        job.commit('chore: ignore coverage', '.gitignore')
      }),
    },
    proof: async (world) => holds('a cleaned place', (await world.look('debug.log')) === 'missing'),
  },
  {
    name: 'tools-beside',
    does: 'plans and judges by running the tests, beside the editor, the file manager and the watcher of a person, who builds into a dist/ that git knows',
    prepare: (world) =>
      world.commit('with output', { '.gitignore': 'node_modules/\n.env\n', 'dist/all.js': 'export {}\n' }),
    acts: {
      planner: does((job) => {
        beside(job)
        traces(job)
      }),
      verifier: does((job) => {
        beside(job)
        traces(job)
      }),
      reviewer: does(beside),
    },
    proof: async (world) =>
      holds('the swap file', (await world.look('src/.fahrenheit.js.swp')) !== 'missing') ??
      holds('a clean place', (await world.look('coverage/lcov.info')) === 'missing'),
  },
  {
    name: 'planned-orders',
    does: 'changes AGENTS.md and the script that runs the tests because its plan names them: trust is asked once',
    phases: withSecond({ alsoFiles: ['AGENTS.md', 'tools/tests.mjs'] }),
    sees: ['Q-TRUST', 'Q-PR'],
    acts: {
      executor: does((job) => {
        job.append('AGENTS.md', '\nThere are more scales now.\n')
        job.append('tools/tests.mjs', '\n// In this order.\n')
        job.commit('test: a remark', 'AGENTS.md', 'tools/tests.mjs')
      }),
    },
    proof: (world) => committed(world, 'test: a remark'),
  },
  {
    name: 'scaffolds',
    does: 'takes away in its second task what it needed for the first, while a person commits beside it',
    async beside(world) {
      await world.commit('docs: mine', { 'docs/notes.md': '# Notes\n\nMine.\n' })
    },
    acts: {
      planner: planned((text) =>
        text
          .replace(filesOf('kelvin'), 'src/draft.js')
          .replace(filesOf('rankine'), 'src/draft.js, src/rankine.js'),
      ),
      async executor(job) {
        job.say('working')
        const isCommitted = () => job.git('log', '-1', '--format=%s').includes('mine')
        for (let round = 0; round < 1_000 && !isCommitted(); round += 1)
          await new Promise((resolve) => setTimeout(resolve, 10))
        job.write('src/draft.js', 'export {}\n')
        job.commit('wip: a draft', 'src/draft.js')
        job.progress({ 'Task 1': 'complete' })
        job.git('rm', '-q', 'src/draft.js')
        job.write('src/rankine.js', sourceText('rankine'))
        job.git('add', 'src/rankine.js')
        job.git('commit', '-q', '-m', 'feat: rankine')
        job.progress({ 'Task 2': 'complete' })
        return job.claim()
      },
    },
    proof: async (world) => (await committed(world, 'docs: mine')) ?? committed(world, 'feat: rankine'),
  },
  {
    name: 'clones-in-part',
    does: 'works in a shallow clone without all blobs and files, fetches the rest of the history and checks more of it out',
    async prepare(world) {
      await world.commit('far away', { 'far/away/a.js': 'export {}\n' })
      await world.commit('notes', { 'docs/notes.md': '# Notes\n\nMore.\n' })
      shell(
        world,
        'git clone -q --bare . ../origin.git',
        'git -C ../origin.git config uploadpack.allowFilter true',
        'mv ../project ../old && cd ..',
        'git clone -q --depth 2 --filter=blob:none file://$PWD/origin.git project && cd project',
        'git sparse-checkout set --cone src test docs tools',
      )
    },
    acts: {
      executor: before((job) => {
        job.git('fetch', '-q', '--unshallow', 'origin')
        job.git('sparse-checkout', 'add', 'far')
      }),
    },
    proof: async (world) =>
      (await committed(world, 'feat: rankine')) ??
      holds('the old history', (await subjects(world)).includes('A converter of temperatures')),
  },
  {
    name: 'rebased-beside',
    does: 'works while a person rebases another branch in a work tree of its own, and installs from the same store of packages',
    prepare: async (world) =>
      shell(
        world,
        'mkdir -p node_modules/check && echo 1 > node_modules/check/run.js',
        'git worktree add -q ../beside side',
        'cd ../beside && echo side > side.txt && git add side.txt && git commit -q -m side && cd -',
        'echo more >> docs/notes.md && git commit -q -a -m notes',
      ),
    beside: async (world) =>
      shell(world, 'ln node_modules/check/run.js ../linked.js', 'cd ../beside && git rebase -q main'),
    acts: {
      async executor(job) {
        job.say('working')
        const isRebased = () => job.git('log', '-2', '--format=%s', 'side').includes('notes')
        for (let round = 0; round < 1_000 && !isRebased(); round += 1)
          await new Promise((resolve) => setTimeout(resolve, 10))
        return job.execute()
      },
    },
    proof: async (world) =>
      (await committed(world, 'feat: rankine')) ??
      holds('the rebase', (await world.git('log', '-2', '--format=%s', 'side')).includes('notes')),
  },
]
