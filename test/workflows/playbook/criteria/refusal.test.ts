import { expect, test } from 'vitest'
import { refusalOf } from '../../../../source/workflows/playbook/criteria/refusal.js'
import { simpleCommands } from '../../../../source/workflows/playbook/criteria/shell-commands.js'

const place = { root: '/work/app', home: '/home/ada' }

test.each([
  'sudo npm test',
  '/usr/bin/sudo -n true',
  'env FOO=1 sudo ls',
  'true && doas ls',
  'npm install -g typescript',
  'npm i --global x',
  'yarn global add x',
  'pnpm add -g x',
  'apt-get install jq',
  'brew install jq',
  'cargo install ripgrep',
  'pip install --user x',
  'python3 -m pip install --break-system-packages x',
  'git push',
  'git -C sub push origin main',
  'git -c a=b clean -fdx',
  'git reset --hard HEAD~1',
  'git checkout -- .',
  'git commit -qam x',
  'git tag -f v1',
  'git stash',
  'git branch -D old',
  'git update-ref refs/heads/x HEAD',
  'echo $(git push)',
  'echo "`git push`"',
  'bash -c "git push --force"',
  "sh -ec 'cd / && ls'",
  'eval "git clean -f"',
  'ls | xargs git clean',
  'ls | xargs -0 -n 1 sudo rm',
  'find . -name "*.tmp" -exec git clean -f {} \\;',
  'find . -type f -exec rm /etc/hosts {} +',
  'env -i -u X PATH=/bin sudo ls',
  'timeout -k 5 10 git push',
  'nice -n 5 git push',
  'if true; then git push; fi',
  'cd /etc && ls',
  'cd .. && npm test',
  'cd src && cd ../.. && ls',
  'cd ~ && ls',
  'cd',
  'cd "$HOME/x" && ls',
  'pushd /tmp',
  'echo x > /etc/hosts',
  'echo x >> ~/.bashrc',
  'npm test >/tmp/out.txt 2>&1',
  'echo x > ../other/file',
  'npm test | tee /var/log/x',
  'rm -rf /home/ada/x',
  'cp a /usr/local/bin/a',
  'mv /home/ada/x src/',
  'dd if=/dev/zero of=/dev/sda',
  'sed -i s/a/b/ /etc/passwd',
  'mkdir -p $HOME/x',
  'echo x &> /etc/x',
])('refused: %s', (command) => {
  expect(refusalOf(command, place)).toBeTypeOf('string')
})

test.each([
  'npm test 2>&1; echo EXIT:$?',
  "grep -c 'git push' docs/a.md",
  'grep "sudo" README.md',
  'echo "git push" # git push',
  'cd src && npm test',
  'cd /work/app/src && ls',
  'cd src; cd ..; ls',
  'npm install',
  'npm ci && npm run build',
  'pip install -r requirements.txt',
  'git status --short && git diff --stat',
  'git log --oneline | head -3',
  'git reset --soft HEAD',
  'git tag -l "v*" | wc -l',
  'git branch --show-current',
  'git stash list',
  'git merge-base --is-ancestor HEAD~1 HEAD',
  'echo x > out.txt',
  'node a.js >/dev/null 2>&1',
  'cat /etc/hosts',
  'cp /etc/hosts fixtures/hosts',
  'test -f /work/app/a && rm -rf build',
  'FOO=1 timeout 10 node a.js',
  '! grep -q x a',
  'test $(grep -c x a) -ge 1',
  'echo $((1 + 2))',
  'sed -n 1,3p /etc/hosts',
  'ls -la 2>&1 | wc -l',
  'find . -name "*.ts" -exec grep -l x {} +',
  'ls | xargs -I {} test -f {}',
])('allowed: %s', (command) => {
  expect(refusalOf(command, place)).toBeUndefined()
})

const work = { ...place, isWork: (path: string) => path === '' || ['src', 'src/a.ts', 'docs'].includes(path) }

test.each([
  ['rm -rf src', 'src'],
  ['rm -f src/a.ts && npm test', 'src/a.ts'],
  ['cd src && rm a.ts', 'src/a.ts'],
  ['rm -rf .', 'the project'],
  ['rm -rf src/*', 'src/*'],
  ['echo x > src/a.ts', 'src/a.ts'],
  ['npm test >> src/a.ts 2>&1', 'src/a.ts'],
  ['npm test | tee src/a.ts', 'src/a.ts'],
  ['mv src/a.ts src/b.ts', 'src/a.ts'],
  ['cp /etc/hosts src/a.ts', 'src/a.ts'],
  ["sed -i 's/a/b/' src/a.ts", 'src/a.ts'],
  ["perl -pi -e 's/a/b/' src/a.ts", 'src/a.ts'],
  ['truncate -s 0 src/a.ts', 'src/a.ts'],
  ['find docs -name "*.md" -delete', 'docs'],
  ['find src -type f -exec rm src/a.ts {} +', 'src/a.ts'],
  ['bash -c "rm -rf src"', 'src'],
  ['ls src | xargs rm -f', 'whatever it is given'],
  ['npx eslint . --fix', 'rewrite files'],
  ['npx prettier --write src', 'rewrite files'],
  ['gofmt -l -w src', 'rewrite files'],
  ['cargo fmt', 'rewrite files'],
  ['ruff format', 'rewrite files'],
  ['npx vitest run -u', 'rewrite files'],
  ['git add -A', 'changes what a check is to look at'],
  ['git rm -q src/a.ts', 'changes what a check is to look at'],
  ['git apply a.patch', 'changes what a check is to look at'],
])('a check that changes the work is refused: %s', (command, what) => {
  expect(refusalOf(command, work)).toContain(what)
})

test.each([
  'rm -rf dist && npm run build',
  'npm test > out.log',
  'rm -f "$out"',
  'mkdir -p src/new && ls src',
  'touch src/a.ts',
  "sed -n '1,3p' src/a.ts",
  "sed 's/a/b/' src/a.ts",
  'npx eslint .',
  'npx prettier --check src',
  'cargo fmt --check',
  'gofmt -l src',
  'ruff format --diff',
  'git add -n src',
  'git apply --check a.patch',
  'find src -name "*.ts"',
  'ls src | xargs grep -c rm',
  'cat src/a.ts > /dev/null',
])('one that only looks, or writes beside the work, is run: %s', (command) => {
  expect(refusalOf(command, work)).toBeUndefined()
})

test('commands are found behind quotes, pipes and substitutions', () => {
  const words = simpleCommands(`a "b c" | d 'e|f' && g $(h i; j) > k`).map((each) => each.words.join(' '))
  expect(words).toEqual(['a b c', 'd e|f', 'g $(h i; j)', 'h i', 'j'])
  expect(simpleCommands('a > b 2>&1 >> c')[0]?.writes).toEqual(['b', 'c'])
})

test('a line without an end does not take long and does not throw', () => {
  const before = process.cpuUsage().user
  for (const line of ['$('.repeat(20_000), '"'.repeat(20_001), '`'.repeat(20_001), '('.repeat(20_000)])
    expect(() => refusalOf(line, place)).not.toThrow()
  expect(process.cpuUsage().user - before).toBeLessThan(5_000_000)
})
